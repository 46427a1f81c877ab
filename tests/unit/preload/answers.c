// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a program with libpagenode-preload.so hears of move_pages(2). Behind the
 * library a fake device is preloaded too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"
#include "tests/unit/test.h"

#define NR 4096
#define PAGE 4096

/* Any will do: nothing here looks at the memory. It is no page's first byte. */
#define SOMEWHERE ((char *)0x7f0012345678)

/* What no query leaves behind. */
#define KEPT 4711

static struct fake *fake;
static void *pages[NR];
static int status[NR];

static void reset(void)
{
	size_t i;

	memset(fake, 0, sizeof(*fake));
	for (i = 0; i < NR; i++)
		status[i] = UNTOUCHED;
	errno = KEPT;
}

/* Neighbours in memory. */
static void set_run(size_t first, size_t nr)
{
	size_t i;

	for (i = first; i < first + nr; i++)
		pages[i] = SOMEWHERE + i * PAGE;
}

/* No neighbours. */
static void set_scattered(size_t first, size_t nr)
{
	size_t i;

	for (i = first; i < first + nr; i++)
		pages[i] = SOMEWHERE - i * 3 * PAGE;
}

static long ask(size_t nr)
{
	return syscall(SYS_move_pages, 0, nr, pages, NULL, status, 0);
}

/* The device has answered, and right. */
static void check_answered(size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		CHECK_EQ(status[i], fake_node((uintptr_t)pages[i]));
	for (; i < NR; i++)
		CHECK_EQ(status[i], UNTOUCHED);
	CHECK_EQ(fake->kernel_calls, 0);
	CHECK_EQ(errno, KEPT);
}

static void check_question(int nr, int is_list, const void *start,
			   size_t nr_pages)
{
	const struct question *question = &fake->question[nr];

	CHECK_EQ(question->is_list, is_list);
	CHECK_EQ(question->start, (uintptr_t)start);
	CHECK_EQ(question->nr_pages, nr_pages);
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

static void libnuma_functions(void)
{
	reset();
	set_run(0, NR);
	CHECK_EQ(numa_move_pages(0, NR, pages, NULL, status, 0), 0);
	check_answered(NR);
	reset();
	CHECK_EQ(move_pages(0, NR, pages, NULL, status, 0), 0);
	check_answered(NR);
}

/* The program was linked with libnuma's versions. */
static void libnuma_functions_are_ours(void)
{
	Dl_info info;

	CHECK(dladdr((void *)numa_move_pages, &info));
	CHECK(strstr(info.dli_fname, "libpagenode-preload.so"));
	CHECK(dladdr((void *)move_pages, &info));
	CHECK(strstr(info.dli_fname, "libpagenode-preload.so"));
}

/* As HotSpot does: the function is libnuma's, and what it calls is ours. */
static void libnuma_by_its_own_handle(void)
{
	void *handle = dlopen("libnuma.so.1", RTLD_LAZY | RTLD_LOCAL);
	int (*function)(int pid, unsigned long count, void **pages,
			const int *nodes, int *status, int flags);
	Dl_info info;

	CHECK(handle);
	*(void **)&function = dlsym(handle, "numa_move_pages");
	CHECK(function && dladdr((void *)function, &info));
	CHECK(strstr(info.dli_fname, "libnuma.so"));
	reset();
	set_run(0, NR);
	CHECK_EQ(function(0, NR, pages, NULL, status, 0), 0);
	check_answered(NR);
	dlclose(handle);
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

static int nr_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	CHECK(dir);
	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

static void leaves_no_descriptor_and_allocates_nothing(void)
{
	int before = nr_descriptors();

	reset();
	set_run(0, NR);
	CHECK_EQ(ask(NR), 0);
	check_answered(NR);
	CHECK_EQ(fake->mallocs, 0);
	fake->failing_question = 2;
	CHECK_EQ(ask(NR), 0);
	CHECK_EQ(fake->questions, 2);
	CHECK_EQ(nr_descriptors(), before);
}

static void *ask_cancelled(void *arg)
{
	pthread_cancel(pthread_self());
	*(long *)arg = ask(NR);
	return NULL;
}

static void is_no_cancellation_point(void)
{
	pthread_t thread;
	long answer = KEPT;
	void *end;

	reset();
	set_run(0, NR);
	CHECK(!pthread_create(&thread, NULL, ask_cancelled, &answer));
	CHECK(!pthread_join(thread, &end));
	CHECK_EQ(answer, 0);
	CHECK(!end);
	CHECK_EQ(fake->questions, 1);
}

struct asker {
	pthread_t thread;
	void *pages[NR];
	int status[NR];
	int wrong;
};

static void *ask_and_compare(void *arg)
{
	struct asker *asker = arg;
	int i, turn;

	for (i = 0; i < NR; i++)
		asker->pages[i] = (char *)asker + (i - i % 700 * 2) * PAGE;
	for (turn = 0; turn < 5; turn++) {
		if (numa_move_pages(0, NR, asker->pages, NULL, asker->status,
				    0))
			asker->wrong++;
		for (i = 0; i < NR; i++)
			if (asker->status[i] !=
			    fake_node((uintptr_t)asker->pages[i]))
				asker->wrong++;
	}
	return NULL;
}

static void threads_and_a_child(void)
{
	struct asker *askers = calloc(4, sizeof(*askers));
	int i, end;
	pid_t child;

	CHECK(askers);
	reset();
	for (i = 0; i < 4; i++)
		CHECK(!pthread_create(&askers[i].thread, NULL, ask_and_compare,
				      &askers[i]));
	child = fork();
	CHECK(child >= 0);
	if (!child) {
		ask_and_compare(&askers[0]);
		_exit(!!askers[0].wrong);
	}
	for (i = 0; i < 4; i++) {
		CHECK(!pthread_join(askers[i].thread, NULL));
		CHECK_EQ(askers[i].wrong, 0);
	}
	CHECK_EQ(waitpid(child, &end, 0), child);
	CHECK_EQ(end, 0);
	CHECK_EQ(fake->kernel_calls, 0);
	free(askers);
}

static void other_system_calls_pass_untouched(void)
{
	long number;
	int i;

	reset();
	fake->swallows = 1;
	for (number = -1; number < 1024; number++) {
		if (number == SYS_move_pages)
			continue;
		CHECK_EQ(syscall(number, -1L, 2L << 40, &number, 4L, -5L,
				 6L << 50), ~number);
		CHECK_EQ(fake->call[0], number);
		CHECK_EQ(fake->call[1], -1);
		CHECK_EQ(fake->call[2], 2L << 40);
		CHECK_EQ(fake->call[3], (long)&number);
		CHECK_EQ(fake->call[4], 4);
		CHECK_EQ(fake->call[5], -5);
		CHECK_EQ(fake->call[6], 6L << 50);
	}
	for (i = 32; i < 63; i++) {
		number = 1L << i | SYS_move_pages;
		CHECK_EQ(syscall(number, 0, NR, pages, NULL, status, 0),
			 ~number);
	}
	CHECK_EQ(errno, KEPT);
	CHECK_EQ(fake->opens, 0);
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
	TEST(libnuma_functions),
	TEST(libnuma_functions_are_ours),
	TEST(libnuma_by_its_own_handle),
	TEST(without_a_device),
	TEST(device_that_fails),
	TEST(forbidden_by_the_kernel),
	TEST(lists_and_results_out_of_reach),
	TEST(leaves_no_descriptor_and_allocates_nothing),
	TEST(is_no_cancellation_point),
	TEST(threads_and_a_child),
	TEST(other_system_calls_pass_untouched),
};

int main(void)
{
	fake = dlsym(RTLD_DEFAULT, "fake");
	if (!fake) {
		fprintf(stderr, "the fake device is not preloaded\n");
		return 2;
	}
	return run_tests(tests, ARRAY_SIZE(tests));
}
