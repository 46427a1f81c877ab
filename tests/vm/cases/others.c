// SPDX-License-Identifier: GPL-2.0-only
/* Processes to ask about */
#include "case.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "others.h"

#define NOT_WRITTEN 77

static void be_target(void (*fn)(void *arg), void *arg, int ready)
{
	fn(arg);
	/* Not before: another user's id would undo it. */
	must(prctl(PR_SET_PDEATHSIG, SIGKILL));
	must(write(ready, "", 1));
	close(ready);
	for (;;)
		pause();
}

pid_t start_target(void (*fn)(void *arg), void *arg)
{
	int ready[2];
	char byte;
	pid_t pid;

	must(pipe(ready));
	fflush(stdout);
	pid = must(fork());
	if (!pid) {
		close(ready[0]);
		be_target(fn, arg, ready[1]);
	}
	close(ready[1]);
	/* It has said why. */
	if (read(ready[0], &byte, 1) != 1)
		_exit(EXIT_FAILURE);
	close(ready[0]);
	return pid;
}

void end_target(pid_t pid)
{
	must(kill(pid, SIGKILL));
	must(waitpid(pid, NULL, 0));
}

int open_pagemap(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	return must(open(path, O_RDONLY | O_CLOEXEC));
}

int ask_fd(int fd, const void *page, int *status)
{
	struct pagenode_query q = question(page, 1, status);

	q.flags = PAGENODE_F_MM_FD;
	q.mm_fd = fd;
	return ask(PAGENODE_IOC_STATUS, &q);
}

void want_on_node(const char *what, int fd, const void *page, int node)
{
	int status = NOT_WRITTEN;
	int err = ask_fd(fd, page, &status);

	if (err)
		fail("%s: %s", what, strerror(-err));
	if (status != node)
		fail("%s: %s, not node %d", what, status_name(status), node);
}

void want_refused(const char *what, int fd, const void *page, int want)
{
	int status = NOT_WRITTEN;
	int err = ask_fd(fd, page, &status);

	if (err != want)
		fail("%s: %s, not %s", what, err ? strerror(-err) : "answered",
		     strerror(-want));
	if (status != NOT_WRITTEN)
		fail("%s: refused, but wrote a status", what);
}
