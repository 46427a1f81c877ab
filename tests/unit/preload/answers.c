// SPDX-License-Identifier: GPL-2.0-only
/*
 * What libpagenode-preload.so asks the device, what it leaves to the kernel, and
 * what the program hears.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <numaif.h>
#include <sys/mman.h>

#include "ask.h"

/* No neighbours. */
static void set_scattered(size_t first, size_t nr)
{
	size_t i;

	for (i = first; i < first + nr; i++)
		pages[i] = SOMEWHERE - i * 3 * PAGE;
}

static void check_question(int nr, int is_list, const void *start,
			   size_t nr_pages)
{
	const struct question *question = &fake->question[nr];

	CHECK_EQ(question->is_list, is_list);
	CHECK_EQ(question->start, (uintptr_t)start);
	CHECK_EQ(question->nr_pages, nr_pages);
}

/* The kernel gets it as it was, and its errno comes back. */
static void check_kernels(long pid, long nr, void *list, void *nodes,
			  void *result, long flags)
{
	const long call[] = {
		SYS_move_pages, pid, nr, (long)list, (long)nodes, (long)result,
		flags
	};

	reset();
	fake->kernel_errno = ESRCH;
	CHECK_EQ(syscall(SYS_move_pages, pid, nr, list, nodes, result, flags),
		 -1);
	CHECK_EQ(errno, ESRCH);
	CHECK_EQ(fake->opens, 0);
	CHECK_EQ(fake->kernel_calls, 1);
	CHECK(!memcmp(fake->call, call, sizeof(call)));
}

static void run_is_asked_as_a_range(void)
{
	reset();
	set_run(0, NR);
	CHECK_EQ(ask(NR), 0);
	check_answered(NR);
	CHECK_EQ(fake->questions, 1);
	check_question(0, 0, SOMEWHERE - 0x678, NR);
}

static void scattered_addresses_are_asked_as_a_list(void)
{
	reset();
	set_scattered(0, NR);
	CHECK_EQ(ask(NR), 0);
	check_answered(NR);
	CHECK_EQ(fake->questions, 1);
	check_question(0, 1, pages, NR);
}

/* Short runs stay in the list, wherever they lie. */
static void long_runs_are_taken_out_of_a_list(void)
{
	reset();
	set_scattered(0, 100);
	set_run(100, 1003);
	set_scattered(1103, 7);
	set_run(1110, 511);
	set_scattered(1621, 1);
	set_run(1622, 601);
	CHECK_EQ(ask(2223), 0);
	check_answered(2223);
	CHECK_EQ(fake->questions, 4);
	check_question(0, 1, pages, 100);
	check_question(1, 0, SOMEWHERE - 0x678 + 100 * PAGE, 1003);
	check_question(2, 1, pages + 1103, 519);
	check_question(3, 0, SOMEWHERE - 0x678 + 1622 * PAGE, 601);
}

/* At the first, the last and each other place, one address is out of line. */
static void run_ends_where_it_ends(void)
{
	size_t at;

	for (at = 512; at < 512 + 17; at++) {
		reset();
		set_run(0, 1100);
		pages[at] = SOMEWHERE;
		CHECK_EQ(ask(1100), 0);
		check_answered(1100);
		check_question(0, 0, SOMEWHERE - 0x678, at);
	}
}

static void few_pages_are_the_kernels(void)
{
	reset();
	set_run(0, NR);
	CHECK_EQ(ask(8), 0);
	CHECK_EQ(fake->kernel_calls, 1);
	CHECK_EQ(fake->opens, 0);
	CHECK_EQ(status[7], -EFAULT);
	CHECK_EQ(status[8], UNTOUCHED);
}

static void whatever_else_is_the_kernels(void)
{
	static int nodes[NR];

	check_kernels(0, NR, pages, nodes, status, MPOL_MF_MOVE);
	check_kernels(getppid(), NR, pages, NULL, status, 0);
	check_kernels(-1, NR, pages, NULL, status, 0);
	check_kernels(0, 0, pages, NULL, status, 0);
	check_kernels(0, -1, pages, NULL, status, 0);
	check_kernels(0, NR, pages, NULL, status, MPOL_MF_MOVE_ALL);
	check_kernels(0, NR, pages, NULL, status, 1 << 10);
	check_kernels(0, NR, pages, NULL, status, 1);
}

/* The order of reads and writes shows where they do, by a single status. */
static void list_and_result_that_overlap(void)
{
	static char both[2 * sizeof(status) + sizeof(pages)];
	char *list = both + sizeof(status);
	char *end = list + sizeof(pages);

	check_kernels(0, NR, list, NULL, list, 0);
	check_kernels(0, NR, list, NULL, end - 4, 0);
	check_kernels(0, NR, list, NULL, both + 4, 0);

	memset(list, 0, sizeof(pages));
	reset();
	CHECK_EQ(syscall(SYS_move_pages, 0, NR, list, NULL, both, 0), 0);
	CHECK_EQ(syscall(SYS_move_pages, 0, NR, list, NULL, end, 0), 0);
	CHECK_EQ(fake->questions, 2);
	CHECK_EQ(fake->kernel_calls, 0);
}

static void own_number_and_a_flag_without_nodes(void)
{
	reset();
	set_run(0, NR);
	CHECK_EQ(syscall(SYS_move_pages, getpid(), NR, pages, NULL, status,
			 MPOL_MF_MOVE), 0);
	check_answered(NR);
}

static void without_a_device(void)
{
	reset();
	set_run(0, NR);
	fake->absent = 1;
	CHECK_EQ(ask(NR), 0);
	CHECK_EQ(errno, KEPT);
	CHECK_EQ(fake->kernel_calls, 1);
	CHECK_EQ(status[NR - 1], -EFAULT);
	/* It may come. */
	reset();
	CHECK_EQ(ask(NR), 0);
	check_answered(NR);
}

/* What the device had answered by then does not count. */
static void device_that_fails(void)
{
	const long call[] = {
		SYS_move_pages, 0, NR, (long)pages, 0, (long)status, 0
	};
	size_t i;

	reset();
	set_run(0, 1000);
	set_scattered(1000, NR - 1000);
	fake->failing_question = 2;
	CHECK_EQ(ask(NR), 0);
	CHECK_EQ(errno, KEPT);
	CHECK_EQ(fake->questions, 2);
	CHECK_EQ(fake->kernel_calls, 1);
	CHECK(!memcmp(fake->call, call, sizeof(call)));
	for (i = 0; i < NR; i++)
		CHECK_EQ(status[i], -EFAULT);
}

static void forbidden_by_the_kernel(void)
{
	reset();
	set_run(0, NR);
	fake->kernel_errno = EPERM;
	CHECK_EQ(ask(1), 0);
	CHECK_EQ(errno, KEPT);
	CHECK_EQ(status[0], fake_node((uintptr_t)SOMEWHERE));
	fake->kernel_errno = ENOSYS;
	CHECK_EQ(ask(2), 0);
	CHECK_EQ(errno, KEPT);
	CHECK_EQ(status[1], fake_node((uintptr_t)SOMEWHERE + PAGE));

	reset();
	fake->kernel_errno = EPERM;
	fake->absent = 1;
	CHECK_EQ(ask(NR), -1);
	CHECK_EQ(errno, EPERM);
	CHECK_EQ(status[0], UNTOUCHED);
}

static void check_efault(void *list, int *result)
{
	reset();
	CHECK_EQ(syscall(SYS_move_pages, 0, NR, list, NULL, result, 0), -1);
	CHECK_EQ(errno, EFAULT);
	CHECK_EQ(fake->kernel_calls, 1);
}

static void lists_and_results_out_of_reach(void)
{
	char *half = mmap(NULL, 2 * sizeof(pages), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(half != MAP_FAILED);
	CHECK(!mprotect(half + sizeof(pages), sizeof(pages), PROT_NONE));
	set_run(0, NR);
	memcpy(half + sizeof(pages) / 2, pages, sizeof(pages) / 2);

	check_efault(NULL, status);
	check_efault((void *)-4096L, status);
	check_efault(half + sizeof(pages), status);
	check_efault(half + sizeof(pages) / 2, status);
	check_efault(pages, NULL);
	check_efault(pages, (int *)(half + sizeof(pages)));
	check_efault(pages, (int *)(half + sizeof(pages)) - NR / 2);
	munmap(half, 2 * sizeof(pages));
}

static const struct test tests[] = {
	TEST(run_is_asked_as_a_range),
	TEST(scattered_addresses_are_asked_as_a_list),
	TEST(long_runs_are_taken_out_of_a_list),
	TEST(run_ends_where_it_ends),
	TEST(few_pages_are_the_kernels),
	TEST(whatever_else_is_the_kernels),
	TEST(list_and_result_that_overlap),
	TEST(own_number_and_a_flag_without_nodes),
	TEST(without_a_device),
	TEST(device_that_fails),
	TEST(forbidden_by_the_kernel),
	TEST(lists_and_results_out_of_reach),
};

int main(void)
{
	return find_fake() ? run_tests(tests, ARRAY_SIZE(tests)) : 2;
}
