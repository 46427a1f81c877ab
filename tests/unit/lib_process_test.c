// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library in a process with a seccomp filter, in a forked child and in
 * several threads.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pagenode.h"
#include "test.h"

/* No status has this value. */
#define GUARD 0x5a5a5a5a
#define NR_PAGES 700

/* What a child found, in memory that it shares with its parent. */
struct report {
	int ret;
	int err;
	int status[NR_PAGES];
};

static size_t page_size;

static void *map(size_t len, int sharing)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       sharing | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	return p;
}

static struct report *new_report(void)
{
	struct report *report = map(sizeof(*report), MAP_SHARED);
	size_t i;

	for (i = 0; i < NR_PAGES; i++)
		report->status[i] = GUARD;
	return report;
}

static void ask(struct pagenode *pn, const char *p, struct report *report)
{
	errno = 0;
	report->ret = pagenode_status(pn, p, NR_PAGES * page_size,
				      report->status, NR_PAGES);
	report->err = errno;
}

static void wait_for_child(pid_t pid)
{
	int status;

	CHECK_EQ(waitpid(pid, &status, 0), pid);
	if (status)
		FAIL("the child ended with wait status %#x", status);
}

/* Makes move_pages(2) fail, as a container's profile does. */
static int forbid_move_pages(int err)
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

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

static void check_forbidden(int err)
{
	struct pagenode *pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	char *p = map(NR_PAGES * page_size, MAP_PRIVATE);
	struct report *report = new_report();
	pid_t pid;
	size_t i;

	CHECK(pn);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		if (forbid_move_pages(err))
			_exit(1);
		ask(pn, p, report);
		_exit(0);
	}
	wait_for_child(pid);

	CHECK_EQ(report->ret, -1);
	CHECK_EQ(report->err, err);
	for (i = 0; i < NR_PAGES; i++)
		CHECK_EQ(report->status[i], GUARD);
	munmap(report, sizeof(*report));
	munmap(p, NR_PAGES * page_size);
	pagenode_close(pn);
}

static void forbidden_move_pages_is_eperm(void)
{
	check_forbidden(EPERM);
}

static void missing_move_pages_is_enosys(void)
{
	check_forbidden(ENOSYS);
}

static void child_is_told_about_itself(void)
{
	struct pagenode *pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	char *p = map(NR_PAGES * page_size, MAP_PRIVATE);
	struct report *in_child = new_report();
	struct report *in_parent = new_report();
	size_t last = NR_PAGES - 1;
	pid_t pid;

	CHECK(pn);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		p[last * page_size] = 1;
		ask(pn, p, in_child);
		_exit(0);
	}
	wait_for_child(pid);
	ask(pn, p, in_parent);

	CHECK_EQ(in_child->ret, 0);
	CHECK_EQ(in_parent->ret, 0);
	CHECK(in_child->status[last] >= 0);
	CHECK(in_parent->status[last] < 0);
	CHECK_EQ(in_child->status[0], in_parent->status[0]);
	munmap(in_child, sizeof(*in_child));
	munmap(in_parent, sizeof(*in_parent));
	munmap(p, NR_PAGES * page_size);
	pagenode_close(pn);
}

/* One of several threads with a handle in common. */
struct asker {
	struct pagenode *pn;
	const char *p;
	size_t first;
	size_t nr_wrong;
};

/* Every page from @first on was written, and none before it. */
static void *ask_again_and_again(void *arg)
{
	struct asker *asker = arg;
	int status[NR_PAGES];
	size_t i, round;

	for (round = 0; round < 500; round++) {
		memset(status, 0x5a, sizeof(status));
		if (pagenode_status(asker->pn, asker->p, NR_PAGES * page_size,
				    status, NR_PAGES))
			asker->nr_wrong++;
		for (i = 0; i < asker->first; i++)
			asker->nr_wrong += status[i] >= 0;
		for (; i < NR_PAGES; i++)
			asker->nr_wrong += status[i] < 0 || status[i] == GUARD;
	}
	return NULL;
}

static void threads_share_a_handle(void)
{
	struct pagenode *pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	struct asker askers[8];
	pthread_t threads[8];
	size_t i, page;

	CHECK(pn);
	for (i = 0; i < 8; i++) {
		char *p = map(NR_PAGES * page_size, MAP_PRIVATE);

		madvise(p, NR_PAGES * page_size, MADV_NOHUGEPAGE);
		askers[i] = (struct asker){ .pn = pn, .p = p, .first = 80 * i };
		for (page = askers[i].first; page < NR_PAGES; page++)
			p[page * page_size] = 1;
	}

	for (i = 0; i < 8; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, ask_again_and_again,
					&askers[i]), 0);
	for (i = 0; i < 8; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);

	for (i = 0; i < 8; i++) {
		CHECK_EQ(askers[i].nr_wrong, 0);
		munmap((void *)askers[i].p, NR_PAGES * page_size);
	}
	pagenode_close(pn);
}

static const struct test tests[] = {
	TEST(forbidden_move_pages_is_eperm),
	TEST(missing_move_pages_is_enosys),
	TEST(child_is_told_about_itself),
	TEST(threads_share_a_handle),
};

int main(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	return run_tests(tests, ARRAY_SIZE(tests));
}
