/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PN_WRONG_H
#define PN_WRONG_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Says what is wrong, and dies: the fuzzer keeps the input. */
__attribute__((format(printf, 1, 2), noreturn))
static inline void wrong(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fputs("WRONG: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
	abort();
}

#define REQUIRE(condition)						\
	do {								\
		if (!(condition))					\
			wrong("%s:%d: not true: %s", __FILE__,		\
			      __LINE__, #condition);			\
	} while (0)

#endif /* PN_WRONG_H */
