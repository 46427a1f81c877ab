// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each way in which a program reaches libpagenode-preload.so, and what it does not
 * notice of it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <numa.h>
#include <numaif.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "ask.h"

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
	TEST(libnuma_functions),
	TEST(libnuma_functions_are_ours),
	TEST(libnuma_by_its_own_handle),
	TEST(leaves_no_descriptor_and_allocates_nothing),
	TEST(is_no_cancellation_point),
	TEST(threads_and_a_child),
	TEST(other_system_calls_pass_untouched),
};

int main(void)
{
	return find_fake() ? run_tests(tests, ARRAY_SIZE(tests)) : 2;
}
