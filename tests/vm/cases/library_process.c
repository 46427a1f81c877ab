// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 24: the library about other processes. Where the module knows none of
 * them, as a feature bit says, only move_pages answers.
 */
#include "case.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "library.h"

static const unsigned int all_flags[] = {
	0, PAGENODE_OPEN_DEVICE, PAGENODE_OPEN_MOVE_PAGES
};

#define NR_FLAGS (sizeof(all_flags) / sizeof(all_flags[0]))

static bool on_device(unsigned int flags)
{
	return flags != PAGENODE_OPEN_MOVE_PAGES &&
	       module_info().features & PAGENODE_FEATURE_MM_FD;
}

/* Can these flags give a handle for another process at all? */
static bool usable(unsigned int flags)
{
	switch (flags) {
	case PAGENODE_OPEN_DEVICE:
		return on_device(flags);
	case PAGENODE_OPEN_MOVE_PAGES:
		return have_numa();
	}
	return true;
}

static struct pagenode *open_process(pid_t pid, unsigned int flags)
{
	struct pagenode *pn = pagenode_open_pid(pid, flags);

	if (!pn)
		fail("process %d, flags %u: %s", pid, flags, strerror(errno));
	if ((pagenode_backend(pn) == PAGENODE_BACKEND_DEVICE) !=
	    on_device(flags))
		fail("process %d, flags %u: %s", pid, flags,
		     pagenode_describe(pn));
	return pn;
}

/* Refused with @device where the device is asked for, else with @otherwise */
static void want_refused(const char *what, pid_t pid, int device, int otherwise)
{
	unsigned int flags;
	size_t i;

	for (i = 0; i < NR_FLAGS; i++) {
		flags = all_flags[i];
		if (!usable(flags))
			continue;
		errno = 0;
		want_no_handle(what, pagenode_open_pid(pid, flags),
			       flags == PAGENODE_OPEN_DEVICE ? device :
			       have_numa() ? otherwise : ENOSYS);
	}
}

static void want_esrch(const char *what, struct pagenode *pn, const char *p)
{
	struct pagenode_extent ext;
	uint64_t node[2];
	struct pagenode_counts counts = { .node = node, .nr_nodes = 2 };
	void *page = (void *)p;
	int status;

	if (!pagenode_status(pn, p, PAGE, &status, 1) || errno != ESRCH)
		fail("%s: status: %s", what, strerror(errno));
	if (!pagenode_pages(pn, 1, &page, &status) || errno != ESRCH)
		fail("%s: pages: %s", what, strerror(errno));
	if (pagenode_extents(pn, p, PAGE, &ext, 1, NULL) != -1 ||
	    errno != ESRCH)
		fail("%s: extents: %s", what, strerror(errno));
	if (!pagenode_counts(pn, p, PAGE, &counts) || errno != ESRCH)
		fail("%s: counts: %s", what, strerror(errno));
}

/* A child that waits to be killed; SIGUSR1 makes it exec. */
static void exec_this(int signal)
{
	(void)signal;
	execl("/bin/sleep", "sleep", "1000", NULL);
	_exit(EXIT_FAILURE);
}

static pid_t new_child(void)
{
	pid_t pid = must(fork());

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void kill_child(pid_t pid)
{
	must(kill(pid, SIGKILL));
	must(waitpid(pid, NULL, 0));
}

/* The pages are the child's alone: it is the parent that lacks them. */
static void case24_own_child(void)
{
	char *p = known_pages();
	struct pagenode *pn;
	pid_t pid = new_child();
	size_t i;

	must(munmap(p, 48 * PAGE));
	for (i = 0; i < NR_FLAGS; i++) {
		if (!usable(all_flags[i]))
			continue;
		pn = open_process(pid, all_flags[i]);
		ask_about_known("child", pn, p);
		pagenode_close(pn);
	}
	kill_child(pid);
}

static void case24_oneself(void)
{
	char *p = known_pages();
	size_t i;

	for (i = 0; i < NR_FLAGS; i++) {
		if (have_numa() || all_flags[i] != PAGENODE_OPEN_MOVE_PAGES)
			ask_about_known("process 0",
					pagenode_open_pid(0, all_flags[i]), p);
		if (usable(all_flags[i]))
			ask_about_known("own process",
					open_process(getpid(), all_flags[i]), p);
	}
}

/* A grandchild inherits the handle, which is still about its parent. */
static void ask_by_handle(void *arg)
{
	char *p = *(char **)arg;

	must(munmap(p, 48 * PAGE));
	ask_about_known("parent", ((struct pagenode **)arg)[1], p);
}

static void case24_handle_in_child(void)
{
	void *arg[2] = { known_pages() };
	size_t i;

	for (i = 0; i < NR_FLAGS; i++) {
		if (!usable(all_flags[i]))
			continue;
		arg[1] = open_process(getpid(), all_flags[i]);
		in_child(ask_by_handle, arg);
	}
}

static void case24_process_that_ends(void)
{
	struct pagenode *pn[NR_FLAGS] = { NULL };
	siginfo_t info;
	char *p = known_pages();
	pid_t pid = new_child();
	size_t i;

	for (i = 0; i < NR_FLAGS; i++)
		if (usable(all_flags[i]))
			pn[i] = open_process(pid, all_flags[i]);
	must(kill(pid, SIGKILL));
	must(waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	for (i = 0; i < NR_FLAGS; i++)
		if (pn[i])
			want_esrch("zombie", pn[i], p);
	want_refused("zombie", pid, ESRCH, ESRCH);
	must(waitpid(pid, NULL, 0));
	for (i = 0; i < NR_FLAGS; i++)
		if (pn[i])
			want_esrch("dead process", pn[i], p);
	want_refused("dead process", pid, ESRCH, ESRCH);
}

static void case24_kernel_thread(void)
{
	want_refused("kthreadd", 2, ESRCH, ESRCH);
}

static void case24_no_such_pid(void)
{
	size_t i;

	want_refused("no process", 4000000, ESRCH, ESRCH);
	for (i = 0; i < NR_FLAGS; i++) {
		errno = 0;
		want_no_handle("process -1",
			       pagenode_open_pid(-1, all_flags[i]), EINVAL);
	}
}

static void ask_as_nobody(void *arg)
{
	pid_t pid;

	(void)arg;
	become_nobody();
	want_refused("root's process", getppid(), EACCES, EPERM);
	want_refused("init", 1, EACCES, EPERM);

	pid = new_child();
	pagenode_close(open_process(pid, 0));
	kill_child(pid);

	must(prctl(PR_SET_DUMPABLE, 0));
	pid = new_child();
	must(prctl(PR_SET_DUMPABLE, 1));
	want_refused("undumpable process", pid, EACCES, EPERM);
	kill_child(pid);
}

static void case24_other_users(void)
{
	in_child(ask_as_nobody, NULL);
}

static void wait_for_exec(pid_t pid)
{
	char path[32], name[16];
	int i;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	for (i = 0; i < 1000; i++) {
		read_file(path, name, sizeof(name));
		if (!strcmp(name, "sleep"))
			return;
		usleep(10000);
	}
	fail("the child does not exec");
}

/* With the device the handle was about memory that is gone now. */
static void case24_exec_in_between(void)
{
	struct pagenode *pn[NR_FLAGS] = { NULL };
	char *p = known_pages();
	int status, i;
	pid_t pid;

	signal(SIGUSR1, exec_this);
	pid = new_child();
	for (i = 0; i < (int)NR_FLAGS; i++)
		if (usable(all_flags[i]))
			pn[i] = open_process(pid, all_flags[i]);
	must(kill(pid, SIGUSR1));
	wait_for_exec(pid);
	for (i = 0; i < (int)NR_FLAGS; i++) {
		if (!pn[i])
			continue;
		if (on_device(all_flags[i])) {
			want_esrch("process that has exec'ed", pn[i], p);
			continue;
		}
		must(pagenode_status(pn[i], p, PAGE, &status, 1));
		if (status != -EFAULT)
			fail("move_pages after exec: %s", status_name(status));
	}
	pagenode_close(open_process(pid, 0));
	kill_child(pid);
}

const struct test_case library_process_cases[] = {
	{ "case24-library-oneself", case24_oneself },
	{ "case24-library-own-child", case24_own_child },
	{ "case24-library-handle-in-child", case24_handle_in_child },
	{ "case24-library-process-that-ends", case24_process_that_ends },
	{ "case24-library-kernel-thread", case24_kernel_thread },
	{ "case24-library-no-such-pid", case24_no_such_pid },
	{ "case24-library-other-users", case24_other_users },
	{ "case24-library-exec-in-between", case24_exec_in_between },
	{ NULL, NULL },
};
