// SPDX-License-Identifier: GPL-2.0-only
/* Queries while other things happen. Counted, never timed. */
#include "case.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "query.h"

#define NR_ASKERS	8
#define NR_QUERIES	200
#define STEADY_PAGES	2048

static struct {
	char *steady;
	char *unsteady;
	atomic_bool stop;
	atomic_ulong changes;
} race;

/* A quarter each: node a, node b, page by page, absent. */
static int steady_want(size_t i)
{
	switch (i * 4 / STEADY_PAGES) {
	case 0:
		return node_a();
	case 1:
		return node_b();
	case 2:
		return i % 2 ? node_b() : node_a();
	}
	return -ENOENT;
}

static void make_steady(void)
{
	size_t i;
	int node;

	race.steady = map_anon(STEADY_PAGES * PAGE);
	for (i = 0; i < STEADY_PAGES; i++) {
		node = steady_want(i);
		if (node >= 0)
			touch_on(node, race.steady + i * PAGE, PAGE);
	}
}

/* Starts at another page each time, and so ends in another place. */
static void *ask_often(void *arg)
{
	int *status = new_statuses(STEADY_PAGES);
	size_t first;
	size_t i;
	int turn;

	(void)arg;
	for (turn = 0; turn < NR_QUERIES; turn++) {
		first = turn * 7 % STEADY_PAGES;
		module_status(race.steady + first * PAGE, STEADY_PAGES - first,
			      status);
		for (i = first; i < STEADY_PAGES; i++)
			if (status[i - first] != steady_want(i))
				fail("page %zu: %s, not %s", i,
				     status_name(status[i - first]),
				     status_name(steady_want(i)));
	}
	return NULL;
}

#define UNSTEADY	(4 * HUGE)

static void change_once(char *p)
{
	must((long)mmap(p, UNSTEADY, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	touch(p, HUGE);
	must(mprotect(p, HUGE / 2, PROT_READ));
	must(madvise(p + HUGE / 2, HUGE / 4, MADV_DONTNEED));
	touch(p + 2 * HUGE, 4 * PAGE);
	must(munmap(p + HUGE, 2 * HUGE));
	must(munmap(p, UNSTEADY));
	atomic_fetch_add(&race.changes, 1);
}

static void *change_elsewhere(void *arg)
{
	while (!atomic_load(&race.stop))
		change_once(arg);
	return NULL;
}

/* Whatever the answer is, it is one that the contract has. */
static void *ask_about_changes(void *arg)
{
	const size_t nr_pages = UNSTEADY / PAGE;
	int *status = new_statuses(nr_pages);
	size_t i;

	while (!atomic_load(&race.stop)) {
		module_status(arg, nr_pages, status);
		for (i = 0; i < nr_pages; i++)
			if (status[i] != -ENOENT && status[i] != -EFAULT &&
			    !is_node(status[i]))
				fail("page %zu of what changes: %s", i,
				     status_name(status[i]));
	}
	return NULL;
}

static void threads_8(void)
{
	pthread_t asker[NR_ASKERS];
	pthread_t changer[2];
	pthread_t other;
	char *unsteady[2] = { quiet_room(UNSTEADY), quiet_room(UNSTEADY) };
	int i;

	make_steady();
	device();
	for (i = 0; i < 2; i++)
		changer[i] = start_thread(change_elsewhere, unsteady[i]);
	other = start_thread(ask_about_changes, unsteady[0]);
	for (i = 0; i < NR_ASKERS; i++)
		asker[i] = start_thread(ask_often, NULL);
	for (i = 0; i < NR_ASKERS; i++)
		pthread_join(asker[i], NULL);
	while (!atomic_load(&race.changes))
		sched_yield();
	atomic_store(&race.stop, true);
	for (i = 0; i < 2; i++)
		pthread_join(changer[i], NULL);
	pthread_join(other, NULL);
	note("%d queries by %d threads, %lu rounds of changes meanwhile",
	     NR_ASKERS * NR_QUERIES, NR_ASKERS, atomic_load(&race.changes));
}

/* Back and forth between the nodes with the kernel's own move_pages. */
static void move_to(int node)
{
	void *page[64];
	int nodes[64];
	int status[64];
	int i;

	for (i = 0; i < 64; i++) {
		page[i] = race.unsteady + i * PAGE;
		nodes[i] = node;
	}
	must(syscall(SYS_move_pages, 0, 64, page, nodes, status, 0));
}

static void *move_often(void *arg)
{
	(void)arg;
	while (!atomic_load(&race.stop)) {
		move_to(node_b());
		move_to(node_a());
		atomic_fetch_add(&race.changes, 1);
	}
	return NULL;
}

static void count_answers(const int *status, unsigned long count[3])
{
	int i;

	for (i = 0; i < 64; i++)
		if (status[i] == node_a())
			count[0]++;
		else if (status[i] == node_b())
			count[1]++;
		else if (status[i] == -ENOENT)
			count[2]++;
		else
			fail("a migrating page: %s", status_name(status[i]));
}

#define NR_MOVE_QUERIES	20000

static void case15_migrating(void)
{
	unsigned long count[3] = { 0 };
	int *status = new_statuses(64);
	pthread_t mover;
	long i;

	if (nr_nodes() < 2)
		skip("one node has memory: nowhere to migrate to");
	race.unsteady = map_anon(64 * PAGE);
	touch_on(node_a(), race.unsteady, 64 * PAGE);
	mover = start_thread(move_often, NULL);
	for (i = 0; i < NR_MOVE_QUERIES || !count[0] || !count[1]; i++) {
		module_status(race.unsteady, 64, status);
		count_answers(status, count);
	}
	atomic_store(&race.stop, true);
	pthread_join(mover, NULL);
	expect("moved for the last time", race.unsteady, 64, NORMAL, node_a());
	note("node %d %lu, node %d %lu, -ENOENT %lu; %lu rounds", node_a(),
	     count[0], node_b(), count[1], count[2],
	     atomic_load(&race.changes));
}

#define LONG_PAGES	(1UL << 32)

/* Its array is one huge page many times over, but for the last, its own. */
struct long_query {
	int *out;
	int *end;
};

static void ask_for_long(const struct long_query *l)
{
	module_status((void *)(1UL << 43), LONG_PAGES, l->out);
	_exit(EXIT_SUCCESS);
}

static void make_long_query(struct long_query *l)
{
	char *out = map_repeated(LONG_PAGES * sizeof(int));

	l->out = (int *)out;
	l->end = (int *)(out + LONG_PAGES * sizeof(int) - HUGE);
	must((long)mmap(l->end, HUGE, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
}

/* A query that would run for seconds stops at once when its process is killed. */
static void kill_in_query(void)
{
	struct long_query l;
	int status;
	pid_t pid;

	make_long_query(&l);
	device();
	pid = must(fork());
	if (!pid)
		ask_for_long(&l);
	while (*(volatile int *)l.out != -EFAULT)
		if (waitpid(pid, &status, WNOHANG) == pid)
			fail("the query ended before it could be killed");
	must(kill(pid, SIGKILL));
	must(waitpid(pid, &status, 0));
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		fail("the process was not killed: status %#x", status);
	if (l.end[0])
		fail("the query went on to its end");
}

const struct test_case race_cases[] = {
	{ "case15-migrating", case15_migrating },
	{ "threads-8", threads_8 },
	{ "kill-in-query", kill_in_query },
	{ NULL, NULL },
};
