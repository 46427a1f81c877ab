/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A test program is a table of cases and a call of run_tests(). It prints one
 * line a case: PASS name, FAIL name: why, or SKIP name: why.
 */
#ifndef PN_TEST_H
#define PN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

struct test {
	const char *name;
	void (*run)(void);
};

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define TEST(fn) { .name = #fn, .run = (fn) }

enum test_verdict { TEST_PASS, TEST_FAIL, TEST_SKIP };

static jmp_buf test_end;
static char test_why[512];

/* Leaves the case from however deep: a helper may fail it too. */
__attribute__((noreturn, format(printf, 2, 3), unused))
static void test_stop(enum test_verdict verdict, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(test_why, sizeof(test_why), fmt, args);
	va_end(args);
	longjmp(test_end, verdict);
}

/* More about what went wrong than a bare CHECK() tells. */
#define FAIL(fmt, ...)							\
	test_stop(TEST_FAIL, "%s:%d: " fmt, __FILE__, __LINE__, ##__VA_ARGS__)

#define SKIP(...) test_stop(TEST_SKIP, __VA_ARGS__)

#define CHECK(condition)						\
	do {								\
		if (!(condition))					\
			FAIL("not true: %s", #condition);		\
	} while (0)

#define CHECK_EQ(got, want)						\
	do {								\
		intmax_t got_ = (intmax_t)(got);			\
		intmax_t want_ = (intmax_t)(want);			\
									\
		if (got_ != want_)					\
			FAIL("%s is %jd, not %jd", #got, got_, want_);	\
	} while (0)

static enum test_verdict run_test(const struct test *test)
{
	switch (setjmp(test_end)) {
	case 0:
		test->run();
		printf("PASS %s\n", test->name);
		return TEST_PASS;
	case TEST_SKIP:
		printf("SKIP %s: %s\n", test->name, test_why);
		return TEST_SKIP;
	default:
		printf("FAIL %s: %s\n", test->name, test_why);
		return TEST_FAIL;
	}
}

/* The exit status: 0, 1 if a case failed, 77 if all were skipped. */
static int run_tests(const struct test *tests, size_t nr)
{
	size_t nr_of[3] = { 0 };
	size_t i;

	/* What a crash interrupts has been printed up to there. */
	setvbuf(stdout, NULL, _IOLBF, 0);

	for (i = 0; i < nr; i++)
		nr_of[run_test(&tests[i])]++;

	if (nr_of[TEST_FAIL])
		return 1;
	return nr_of[TEST_SKIP] == nr ? 77 : 0;
}

#endif /* PN_TEST_H */
