// SPDX-License-Identifier: GPL-2.0-only
/* CASES 10: the 32-bit program that lies beside this one. */
#include "case.h"

#define PROGRAM "/cases32"

static void exec_program(void *arg)
{
	char a[16];
	char b[16];

	(void)arg;
	snprintf(a, sizeof(a), "%d", node_a());
	snprintf(b, sizeof(b), "%d", node_b());
	execl(PROGRAM, PROGRAM, a, b, NULL);
	if (errno == ENOEXEC)
		skip("this kernel runs no 32-bit programs");
	fail("running " PROGRAM ": %s", strerror(errno));
}

static void case10_32_bit_program(void)
{
	in_child(exec_program, NULL);
}

const struct test_case compat_cases[] = {
	{ "case10-32-bit-program", case10_32_bit_program },
	{ NULL, NULL },
};
