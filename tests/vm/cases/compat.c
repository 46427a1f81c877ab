// SPDX-License-Identifier: GPL-2.0-only
/* CASES 10: the 32-bit programs that lie beside this one. */
#include "case.h"

/* Each is told the nodes; the library's also what move_pages differs in. */
static void exec_program(void *arg)
{
	const char *program = arg;
	char a[16], b[16], untouched[16];

	snprintf(a, sizeof(a), "%d", node_a());
	snprintf(b, sizeof(b), "%d", node_b());
	snprintf(untouched, sizeof(untouched), "%d",
		 kernel_at_least(6, 12) ? -ENOENT : -EFAULT);
	if (!strcmp(program, "/cases32"))
		execl(program, program, a, b, NULL);
	else
		execl(program, program, a, b, untouched, NULL);
	if (errno == ENOEXEC)
		skip("this kernel runs no 32-bit programs");
	fail("running %s: %s", program, strerror(errno));
}

static void case10_32_bit_program(void)
{
	in_child(exec_program, "/cases32");
}

static void case10_32_bit_library(void)
{
	need_move_pages();
	in_child(exec_program, "/library32");
}

const struct test_case compat_cases[] = {
	{ "case10-32-bit-program", case10_32_bit_program },
	{ "case10-32-bit-library", case10_32_bit_library },
	{ NULL, NULL },
};
