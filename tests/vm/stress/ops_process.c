// SPDX-License-Identifier: GPL-2.0-only
/* Processes that come and go, and are asked about, or ask, meanwhile. */
#include "ops.h"

#include <linux/mempolicy.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define NR_THREADS	2

/* As others are told of it */
static pid_t start_child(struct actor *a, enum subject subject,
			 void (*fn)(struct actor *a))
{
	struct child *child = &shared->child[a->host];
	pid_t pid;

	/* For each child to ask something else */
	a->asker->step = a->step << 16;
	pid = must(fork());
	if (!pid) {
		must(prctl(PR_SET_PDEATHSIG, SIGKILL));
		fn(a);
		_exit(EXIT_SUCCESS);
	}
	atomic_store(&child->subject, subject);
	atomic_store(&child->pid, pid);
	atomic_fetch_add(&child->turn, 1);
	return pid;
}

/* Its pid is not given to another process before nobody is told of it any more. */
static void end_child(struct actor *a, pid_t pid, int signal)
{
	struct child *child = &shared->child[a->host];
	siginfo_t info;
	int status;

	must(waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	atomic_store(&child->pid, 0);
	atomic_fetch_add(&child->turn, 1);
	must(waitpid(pid, &status, 0));
	if (WIFEXITED(status) && WEXITSTATUS(status))
		_exit(EXIT_FAILURE);	/* it has said why */
	if (signal ? !WIFSIGNALED(status) || WTERMSIG(status) != signal :
		     !WIFEXITED(status))
		fail("a child ended with status %#x, not signal %d", status,
		     signal);
}

/* Asks about its copy of the world, and makes noise in it. */
static void be_copy(struct actor *a)
{
	struct actor noise = *a;
	int i;

	noise.where = ON_ANY;
	for (i = roll(&a->dice, 10); i >= 0 && !stopped(); i--) {
		ask_as_copy(a->asker);
		act(&noise);
		ask_about_parent(a->asker);
	}
}

bool op_fork(struct actor *a)
{
	end_child(a, start_child(a, COPY, be_copy), 0);
	return true;
}

static void ask_for_ever(struct actor *a)
{
	for (;;)
		ask_as_copy(a->asker);
}

bool op_kill(struct actor *a)
{
	pid_t pid = start_child(a, COPY, ask_for_ever);

	usleep(roll(&a->dice, 20000));
	must(kill(pid, SIGKILL));
	end_child(a, pid, SIGKILL);
	return true;
}

static void *ask_until_exec(void *asker)
{
	for (;;)
		ask_as_copy(asker);
	return NULL;
}

/* exec kills its other threads wherever they are. */
static void exec_while_asking(struct actor *a)
{
	struct asker asker[NR_THREADS];
	int i;

	for (i = 0; i < NR_THREADS; i++) {
		init_asker(asker + i, a->asker->number + 1 + i, a->seed,
			   a->host);
		asker[i].step = a->step;
		start_thread(ask_until_exec, asker + i);
	}
	usleep(roll(&a->dice, 20000));
	execl("/proc/self/exe", "stress", "--nothing", NULL);
	fail("exec: %s", strerror(errno));
}

bool op_exec(struct actor *a)
{
	end_child(a, start_child(a, PASSING, exec_while_asking), 0);
	return true;
}

/* 0 if all pages went, or how many did not */
static long migrate(int from, int to)
{
	unsigned long old = 1UL << from;
	unsigned long new = 1UL << to;

	return syscall(SYS_migrate_pages, 0, 64, &old, &new);
}

/* What it shares with its parent moves too, so it keeps some noise only. */
static void be_migrated(struct actor *a)
{
	struct area noise = { part(ANYWHERE), 2 * HUGE_PAGES };

	must(munmap(part(STEADY), (POOL - STEADY) * HUGE));
	must(munmap(part(POOL), POOL_SIZE));
	must(munmap(part(ANYWHERE + 2), (STEADY - 2) * HUGE));
	write_area(a, noise);
	if (migrate(node_a(), node_b()) < 0 || migrate(node_b(), node_a()) < 0)
		fail("migrate_pages: %s", strerror(errno));
}

bool op_migrate(struct actor *a)
{
	end_child(a, start_child(a, PASSING, be_migrated), 0);
	return true;
}
