/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of a case that run in a process of their own.
 */
#ifndef PN_PROCESS_H
#define PN_PROCESS_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#define NOBODY 65534

static inline void *map_shared(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	return p;
}

/* Runs a part of the case in a child. Where that fails, so does the case. */
static inline void in_child(void (*fn)(void *arg), void *arg)
{
	char *why = map_shared(sizeof(test_why));
	int status, verdict;
	pid_t pid;

	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		verdict = setjmp(test_end);
		if (verdict)
			memcpy(why, test_why, sizeof(test_why));
		else
			fn(arg);
		_exit(verdict);
	}
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	memcpy(test_why, why, sizeof(test_why));
	munmap(why, sizeof(test_why));
	if (!WIFEXITED(status))
		FAIL("the child ended with wait status %#x", status);
	if (WEXITSTATUS(status))
		longjmp(test_end, WEXITSTATUS(status));
}

/* A child that does nothing but live until it is killed. */
static inline pid_t new_sleeper(void)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

static inline void kill_sleeper(pid_t pid)
{
	CHECK_EQ(kill(pid, SIGKILL), 0);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
}

/* As after a login: who changes the user alone may not be looked at. */
static inline void become_nobody(void)
{
	CHECK_EQ(setgid(NOBODY), 0);
	CHECK_EQ(setuid(NOBODY), 0);
	CHECK_EQ(prctl(PR_SET_DUMPABLE, 1), 0);
}

/* Makes move_pages(2) fail, as a container's profile does. */
static inline void forbid_move_pages(int err)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_move_pages, 0, 1),
		BPF_STMT(BPF_RET | BPF_K,
			 SECCOMP_RET_ERRNO | (unsigned int)err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {
		.len = ARRAY_SIZE(filter),
		.filter = filter,
	};

	CHECK_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	CHECK_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog), 0);
}

#endif /* PN_PROCESS_H */
