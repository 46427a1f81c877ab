// SPDX-License-Identifier: GPL-2.0-only
/* The statistics of a call that takes long, and of many at once. */
#include "netlink.h"

#include <sched.h>
#include <x86intrin.h>

#include "../cases/uffd.h"

#define STATUS	_IOC_NR(PAGENODE_IOC_STATUS)

#define WAIT_US		100000

struct waiter {
	int uffd;
	char *page;
	uint64_t ticks;
};

/* Lets whoever writes to the page wait, and notes for how long at least. */
static void *fill_late(void *arg)
{
	static const char zeros[PAGE] = { 0 };
	struct waiter *w = arg;
	struct uffdio_copy copy = {
		.dst = (uintptr_t)w->page,
		.src = (uintptr_t)zeros,
		.len = PAGE,
	};
	struct uffd_msg msg;
	uint64_t begin;

	if (read(w->uffd, &msg, sizeof(msg)) != sizeof(msg))
		fail("reading from the userfaultfd: %s", strerror(errno));
	begin = __rdtsc();
	usleep(WAIT_US);
	w->ticks = __rdtsc() - begin;
	must(ioctl(w->uffd, UFFDIO_COPY, &copy));
	return NULL;
}

static struct waiter new_waiter(void)
{
	struct waiter w = {
		.page = map_anon(PAGE),
		.uffd = must(new_uffd(0, 0)),
	};

	uffd_register(w.uffd, w.page, 1, UFFDIO_REGISTER_MODE_MISSING);
	return w;
}

/* As the kernel believes. */
static double ticks_per_ns(void)
{
	static char cpuinfo[1 << 14];
	const char *mhz;
	double value;

	read_file("/proc/cpuinfo", cpuinfo, sizeof(cpuinfo));
	mhz = strstr(cpuinfo, "cpu MHz");
	if (!mhz || sscanf(mhz, "cpu MHz : %lf", &value) != 1)
		skip("/proc/cpuinfo says no MHz");
	return value / 1000;
}

/* Ticks around a call that waits for a page to write its answer to. */
static uint64_t slow_call(struct waiter *w)
{
	char *p = map_anon(PAGE);
	struct pagenode_query q;
	pthread_t thread;
	uint64_t begin;
	uint64_t ticks;

	*w = new_waiter();
	q = question(p, 1, (int *)w->page);
	thread = start_thread(fill_late, w);
	begin = __rdtsc();
	if (ask(PAGENODE_IOC_STATUS, &q))
		fail("the query fails");
	ticks = __rdtsc() - begin;
	pthread_join(thread, NULL);
	close(w->uffd);
	return ticks;
}

#define ROUNDS	50

/*
 * What the time stamp counter says in here before and after a call, and while
 * it waits, are bounds, whatever else runs on the machine. On a busy one they lie
 * far apart: then try again. Nanoseconds may differ by a quarter: the kernel
 * corrects its idea of the counter's rate after the boot.
 */
void netlink_stats_time(void)
{
	struct family f = open_family();
	struct all_stats change;
	struct waiter w;
	uint64_t most;
	double got;
	int round;

	device();
	for (round = 0; round < ROUNDS; round++) {
		stats_changes(&f);
		most = slow_call(&w);
		change = stats_changes(&f);
		want_stats("the call", &change, STATUS, 1, 1, 0);
		got = change.ioctl[STATUS].nanoseconds * ticks_per_ns();
		if (got < w.ticks * 0.75 || got > most * 1.25)
			fail("%.0f ticks of a call that took %llu to %llu", got,
			     (unsigned long long)w.ticks,
			     (unsigned long long)most);
		if (most < w.ticks * 1.1)
			return;
	}
	skip("the machine is too busy to tell");
}

#define NR_THREADS	4
#define NR_CALLS	20000

static void *ask_often(void *arg)
{
	char *p = arg;
	int status;
	int i;

	for (i = 0; i < NR_CALLS; i++) {
		struct pagenode_query q = question(p, 1, &status);

		if (ask(PAGENODE_IOC_STATUS, &q))
			fail("the query fails");
	}
	return NULL;
}

/* Threads that run wherever the scheduler puts them, and are moved. */
void netlink_stats_threads(void)
{
	struct family f = open_family();
	char *p = map_anon(PAGE);
	struct all_stats change;
	pthread_t thread[NR_THREADS];
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;
	int i;
	int j;

	device();
	stats_changes(&f);
	for (i = 0; i < NR_THREADS; i++)
		thread[i] = start_thread(ask_often, p);
	for (i = 0; i < 100; i++) {
		for (j = 0; j < NR_THREADS; j++) {
			CPU_ZERO(&set);
			CPU_SET((i + j) % cpus, &set);
			pthread_setaffinity_np(thread[j], sizeof(set), &set);
		}
		usleep(1000);
	}
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	change = stats_changes(&f);
	want_stats("all threads together", &change, STATUS,
		   NR_THREADS * NR_CALLS, NR_THREADS * NR_CALLS, 0);
}
