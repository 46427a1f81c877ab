// SPDX-License-Identifier: GPL-2.0-only
/* Questions about another process: one that is no more, or is another now. */
#include "case.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "others.h"

/* Where each target has a page on node_b(), and this process has none. */
static char *page;

static void touch_page(void *arg)
{
	(void)arg;
	touch_on(node_b(), page, PAGE);
}

static pid_t new_target(void)
{
	page = map_anon(PAGE);
	return start_target(touch_page, NULL);
}

static void mmfd_exited(void)
{
	pid_t pid = new_target();
	int fd = open_pagemap(pid);

	want_on_node("alive", fd, page, node_b());
	end_target(pid);
	want_refused("exited", fd, page, -ESRCH);
}

/* Before 6.12 the kernel opens a pagemap without memory. */
static void want_nothing_behind(const char *what, pid_t pid)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	fd = open(path, O_RDONLY);
	if (fd < 0 && errno != ESRCH)
		fail("%s: open: %s, not ESRCH", what, strerror(errno));
	if (fd >= 0)
		want_refused(what, fd, page, -ESRCH);
	note("%s: %s", what, fd < 0 ? "can't be opened" : "ESRCH from a query");
}

static void mmfd_zombie(void)
{
	pid_t pid = new_target();
	int fd = open_pagemap(pid);
	siginfo_t info;

	must(kill(pid, SIGKILL));
	must(waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	want_refused("zombie, opened before", fd, page, -ESRCH);
	want_nothing_behind("zombie", pid);
}

static void mmfd_kernel_thread(void)
{
	page = map_anon(PAGE);
	want_nothing_behind("kernel thread", 2);
}

static void touch_and_exec_later(void *arg)
{
	touch_page(arg);
	exec_later();
}

static void mmfd_exec(void)
{
	int status;
	pid_t pid;
	int fd;

	page = map_anon(PAGE);
	pid = start_target(touch_and_exec_later, NULL);
	fd = open_pagemap(pid);
	want_on_node("before the exec", fd, page, node_b());
	exec_now(pid);
	want_refused("exec'ed", fd, page, -ESRCH);
	fd = open_pagemap(pid);
	if (ask_fd(fd, page, &status) || status != -EFAULT)
		fail("the new program's memory: %s, not -EFAULT",
		     status_name(status));
}

static int stay(void *arg)
{
	(void)arg;
	must(prctl(PR_SET_PDEATHSIG, SIGKILL));
	return pause();
}

/* Its memory has another user, a process of its own. */
static void share_and_exec_later(void *arg)
{
	static char stack[1 << 16] __attribute__((aligned(16)));

	must(clone(stay, stack + sizeof(stack), CLONE_VM, NULL));
	touch_and_exec_later(arg);
}

static void mmfd_exec_shared(void)
{
	int status;
	pid_t pid;
	int fd;

	page = map_anon(PAGE);
	pid = start_target(share_and_exec_later, NULL);
	fd = open_pagemap(pid);
	exec_now(pid);
	want_on_node("exec'ed, but shared", fd, page, node_b());
	end_target(pid);
	while (!ask_fd(fd, page, &status))
		usleep(1000);
	want_refused("both gone", fd, page, -ESRCH);
}

const struct test_case mmfd_targets_cases[] = {
	{ "mmfd-exited", mmfd_exited },
	{ "mmfd-zombie", mmfd_zombie },
	{ "mmfd-kernel-thread", mmfd_kernel_thread },
	{ "mmfd-exec", mmfd_exec },
	{ "mmfd-exec-shared", mmfd_exec_shared },
	{ NULL, NULL },
};
