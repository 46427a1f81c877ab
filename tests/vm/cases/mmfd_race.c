// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions about another process that goes while it is asked about. A query that
 * has begun is answered to its end, about the memory as it was: the query keeps
 * it.
 */
#include "case.h"

#include <signal.h>
#include <sys/wait.h>

#include "held.h"
#include "others.h"

/* More runs than fit into one hold of the target's mmap lock. */
#define NR_RUNS		32
#define RUN_PAGES	16
#define NR_PAGES	(NR_RUNS * RUN_PAGES)

static char *pages;

/* On one node, on the other, absent, and so on. */
static int want_status(size_t page)
{
	const int want[] = { node_a(), node_b(), -ENOENT };

	return want[page / RUN_PAGES % 3];
}

static void exit_at_once(int sig)
{
	(void)sig;
	_exit(EXIT_SUCCESS);
}

static void be_asked_about(void *arg)
{
	size_t i;

	(void)arg;
	for (i = 0; i < NR_PAGES; i += RUN_PAGES)
		if (want_status(i) >= 0)
			touch_on(want_status(i), pages + i * PAGE,
				 RUN_PAGES * PAGE);
	take_from_pool();
	signal(SIGUSR2, exit_at_once);
	exec_later();
}

static pid_t new_target(void)
{
	if (!pages) {
		pages = map_anon(NR_PAGES * PAGE);
		fill_pool();
	}
	return start_target(be_asked_about, NULL);
}

static void check_statuses(const char *what, const int *status)
{
	size_t i;

	for (i = 0; i < NR_PAGES; i++)
		if (status[i] != want_status(i))
			fail("%s: page %zu: %s, not %s", what, i,
			     status_name(status[i]),
			     status_name(want_status(i)));
}

static struct pagenode_query about(int fd, int *status)
{
	struct pagenode_query q = question(pages, NR_PAGES, status);

	q.flags = PAGENODE_F_MM_FD;
	q.mm_fd = fd;
	return q;
}

static void exit_now(pid_t pid)
{
	must(kill(pid, SIGUSR2));
	must(waitpid(pid, NULL, 0));
}

static void ends_in_query(const char *how, void (*end)(pid_t pid))
{
	pid_t pid = new_target();
	int fd = open_pagemap(pid);
	struct held h;

	hold_query(&h, about(fd, NULL));
	end(pid);
	want_taken("in the query");
	check_statuses(how, finish_query(&h));
	want_back("after the query");
	want_refused(how, fd, pages, -ESRCH);
	close(fd);
}

static void mmfd_exit_in_query(void)
{
	ends_in_query("exit", exit_now);
}

static void mmfd_kill_in_query(void)
{
	ends_in_query("kill", end_target);
}

static void mmfd_exec_in_query(void)
{
	ends_in_query("exec", exec_now);
}

/* The descriptor is not needed once the query has begun. */
static void mmfd_close_in_query(void)
{
	pid_t pid = new_target();
	int fd = open_pagemap(pid);
	struct held h;

	hold_query(&h, about(fd, NULL));
	close(fd);
	end_target(pid);
	want_taken("in the query");
	check_statuses("closed", finish_query(&h));
	want_back("after the query");
}

static void hold(void *arg)
{
	static struct held h;

	hold_query(&h, about(*(int *)arg, NULL));
}

/* The one that asks is killed in the query, and then the one asked about. */
static void mmfd_asker_killed(void)
{
	pid_t pid = new_target();
	int fd = open_pagemap(pid);

	end_target(start_target(hold, &fd));
	end_target(pid);
	want_back("both killed");
	want_refused("killed", fd, pages, -ESRCH);
}

#define NR_ROUNDS	200

/* Right answers, then none. Returns how many there were. */
static unsigned long ask_until_gone(pid_t pid, int fd)
{
	int *status = new_statuses(NR_PAGES);
	struct pagenode_query q = about(fd, status);
	unsigned long nr = 0;
	bool reaped;
	int err;

	do {
		reaped = must(waitpid(pid, NULL, WNOHANG)) == pid;
		err = ask(PAGENODE_IOC_STATUS, &q);
		if (!err)
			check_statuses("while it exits", status);
		nr += !err;
	} while (!reaped && !err);
	if (err != -ESRCH)
		fail("while it exits: %s, not ESRCH",
		     err ? strerror(-err) : "answered after its end");
	if (!reaped)
		must(waitpid(pid, NULL, 0));
	free_statuses(status, NR_PAGES);
	return nr;
}

static void mmfd_exits_often(void)
{
	unsigned long nr = 0;
	pid_t pid;
	int round;
	int fd;

	for (round = 0; round < NR_ROUNDS; round++) {
		pid = new_target();
		fd = open_pagemap(pid);
		must(kill(pid, round % 2 ? SIGKILL : SIGUSR2));
		nr += ask_until_gone(pid, fd);
		want_back("gone");
		close(fd);
	}
	note("%lu queries while %d processes exited", nr, NR_ROUNDS);
}

const struct test_case mmfd_race_cases[] = {
	{ "mmfd-exit-in-query", mmfd_exit_in_query },
	{ "mmfd-kill-in-query", mmfd_kill_in_query },
	{ "mmfd-exec-in-query", mmfd_exec_in_query },
	{ "mmfd-close-in-query", mmfd_close_in_query },
	{ "mmfd-asker-killed", mmfd_asker_killed },
	{ "mmfd-exits-often", mmfd_exits_often },
	{ NULL, NULL },
};
