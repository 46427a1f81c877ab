// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whoever asks ends in the middle of a query: killed, by exec, or but for the
 * thread that asks. The module is free again after each, and unloads.
 */
#include "case.h"

#include <signal.h>
#include <sys/syscall.h>

#include "held.h"
#include "others.h"
#include "reload.h"

#define NR_PAGES 600

static char *pages;

static int want_status(size_t page)
{
	const int want[] = { node_a(), -ENOENT, node_b() };

	return want[page % 3];
}

static void touch_pages(void)
{
	size_t i;

	pages = map_anon(NR_PAGES * PAGE);
	for (i = 0; i < NR_PAGES; i++)
		if (want_status(i) >= 0)
			touch_on(want_status(i), pages + i * PAGE, PAGE);
}

static void hold_one(struct held *h)
{
	touch_pages();
	hold_query(h, question(pages, NR_PAGES, NULL));
}

/* Nobody has the device open, and no query runs. */
static void want_unused(const char *when)
{
	if (unload())
		fail("%s: unloading the module: %s", when, strerror(errno));
	load();
}

static void be_killed(void *arg)
{
	static struct held h;

	(void)arg;
	hold_one(&h);
}

static void crash_killed(void)
{
	pid_t pid = start_target(be_killed, NULL);

	if (!unload())
		fail("the module was unloaded in a query");
	end_target(pid);
	want_unused("killed");
}

static void exec_in_query(void *arg)
{
	static struct held h;

	(void)arg;
	hold_one(&h);
	execl("/bin/busybox", "true", NULL);
	fail("exec: %s", strerror(errno));
}

static void crash_exec(void)
{
	in_child(exec_in_query, NULL);
	want_unused("exec");
}

static void wait_for_zombie(void)
{
	char path[64];
	char stat[256];

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
	do {
		usleep(1000);
		read_file(path, stat, sizeof(stat));
	} while (!strstr(stat, ") Z"));
}

static void *outlive_leader(void *arg)
{
	const int *status;
	size_t i;

	wait_for_zombie();
	status = finish_query(arg);
	for (i = 0; i < NR_PAGES; i++)
		if (status[i] != want_status(i))
			fail("page %zu: %s, not %s", i, status_name(status[i]),
			     status_name(want_status(i)));
	_exit(EXIT_SUCCESS);
}

static void leave_query(void *arg)
{
	static struct held h;

	(void)arg;
	hold_one(&h);
	start_thread(outlive_leader, &h);
	/* The thread alone. */
	syscall(SYS_exit, EXIT_FAILURE);
}

static void crash_leader_exits(void)
{
	in_child(leave_query, NULL);
	want_unused("the leader exited");
}

const struct test_case crash_cases[] = {
	{ "crash-killed", crash_killed },
	{ "crash-exec", crash_exec },
	{ "crash-leader-exits", crash_leader_exits },
	{ NULL, NULL },
};
