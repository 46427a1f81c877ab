// SPDX-License-Identifier: GPL-2.0-only
/* Processes to ask about */
#include "case.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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

#define BUSYBOX	"/bin/busybox"

static void exec_sleep(int sig)
{
	(void)sig;
	execl(BUSYBOX, "sleep", "1000", NULL);
	_exit(EXIT_FAILURE);
}

void exec_later(void)
{
	signal(SIGUSR1, exec_sleep);
}

void wait_in_call(pid_t pid, long nr)
{
	char path[32];
	char now[256];

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	do {
		usleep(1000);
		read_file(path, now, sizeof(now));
	} while (strtol(now, NULL, 10) != nr);
}

void exec_now(pid_t pid)
{
	must(kill(pid, SIGUSR1));
	wait_in_call(pid, SYS_clock_nanosleep);
}

#define NR_HUGE	2

static unsigned long pool;

static unsigned long pool_now(void)
{
	char path[96];

	hugetlb_pool(node_b(), "free_hugepages", path, sizeof(path));
	return read_number(path);
}

void fill_pool(void)
{
	want_hugetlb(node_b(), NR_HUGE);
	pool = pool_now();
}

void take_from_pool(void)
{
	void *p = mmap(NULL, NR_HUGE * HUGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	must((long)p);
	touch_on(node_b(), p, NR_HUGE * HUGE);
}

void want_taken(const char *when)
{
	if (pool_now() != pool - NR_HUGE)
		fail("%s: of %lu huge pages %lu are free, not %lu", when, pool,
		     pool_now(), pool - NR_HUGE);
}

void want_back(const char *when)
{
	if (pool_now() != pool)
		fail("%s: of %lu huge pages %lu are free: the process is gone, its memory is not",
		     when, pool, pool_now());
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
