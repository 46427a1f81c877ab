// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other processes through move_pages(2): who may be asked about, and what
 * becomes of those that end.
 */
#include <limits.h>
#include <signal.h>

#include "libpagenode/backend.h"
#include "memory.h"
#include "pagenode.h"
#include "process.h"

static struct pagenode *must_open(pid_t pid)
{
	struct pagenode *pn = pagenode_open_pid(pid, PAGENODE_OPEN_MOVE_PAGES);

	if (!pn)
		FAIL("process %d: %s", (int)pid, strerror(errno));
	CHECK_EQ(pagenode_backend(pn), PAGENODE_BACKEND_MOVE_PAGES);
	return pn;
}

/* Without a device, 0 means move_pages(2) too. */
static void check_refused(pid_t pid, int err)
{
	errno = 0;
	CHECK(!pagenode_open_pid(pid, PAGENODE_OPEN_MOVE_PAGES));
	CHECK_EQ(errno, err);
	errno = 0;
	CHECK(!pn_open_at("/nonexistent/pagenode", pid, 0));
	CHECK_EQ(errno, err);
}

static int status_of(struct pagenode *pn, const char *page)
{
	int status = GUARD;

	CHECK_EQ(pagenode_status(pn, page, 1, &status, 1), 0);
	return status;
}

static void oneself(void)
{
	const pid_t pids[] = { 0, getpid() };
	char *p = map(1);
	size_t i;

	*p = 1;
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		struct pagenode *pn = must_open(pids[i]);

		CHECK_EQ(status_of(pn, p), raw_status((uintptr_t)p));
		pagenode_close(pn);
	}
	unmap(p, 1);
}

/* Every question is about the child, and not about us. */
static void child(void)
{
	const size_t len = NR_PAGES * page_size;
	char *p = map(NR_PAGES);
	pid_t pid = new_sleeper();
	struct pagenode *pn = must_open(pid);
	static int status[NR_PAGES];
	uint64_t node[8];
	struct pagenode_counts counts = { .node = node, .nr_nodes = 8 };
	struct pagenode_extent ext[2];
	void *page = p;

	memset(p, 1, len);
	CHECK_EQ(pagenode_status(pn, p, len, status, NR_PAGES), 0);
	CHECK(status[0] < 0 && status[NR_PAGES - 1] < 0);
	CHECK_EQ(pagenode_extents(pn, p, len, ext, 2, NULL), 1);
	CHECK_EQ(ext[0].status, status[0]);
	CHECK_EQ(pagenode_counts(pn, p, len, &counts), 0);
	CHECK_EQ(counts.nr_enoent + counts.nr_efault, NR_PAGES);
	CHECK_EQ(pagenode_pages(pn, 1, &page, status), 0);
	CHECK(status[0] < 0);
	pagenode_close(pn);
	kill_sleeper(pid);
	unmap(p, NR_PAGES);
}

static void wait_for_zombie(pid_t pid)
{
	siginfo_t info;

	CHECK_EQ(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

static void check_esrch(struct pagenode *pn)
{
	int status = GUARD;

	errno = 0;
	CHECK_EQ(pagenode_status(pn, &status, 1, &status, 1), -1);
	CHECK_EQ(errno, ESRCH);
	CHECK_EQ(status, GUARD);
}

static void ended_process_is_esrch(void)
{
	pid_t pid = new_sleeper();
	struct pagenode *pn = must_open(pid);

	CHECK_EQ(kill(pid, SIGKILL), 0);
	wait_for_zombie(pid);
	check_esrch(pn);
	check_refused(pid, ESRCH);

	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	check_esrch(pn);
	check_refused(pid, ESRCH);
	pagenode_close(pn);
}

static void no_process_is_esrch(void)
{
	check_refused(INT_MAX, ESRCH);
}

static void negative_pid_is_einval(void)
{
	static const pid_t pids[] = { -1, -2, INT_MIN };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		check_refused(pids[i], EINVAL);
		errno = 0;
		CHECK(!pagenode_open_pid(pids[i], PAGENODE_OPEN_DEVICE));
		CHECK_EQ(errno, EINVAL);
	}
}

static void kernel_thread_is_esrch(void)
{
	char name[16] = "";
	FILE *file = fopen("/proc/2/comm", "r");

	if (file) {
		(void)!fgets(name, sizeof(name), file);
		(void)fclose(file);
	}
	if (strcmp(name, "kthreadd\n") != 0)
		SKIP("no kernel thread to be seen here");
	if (geteuid())
		SKIP("only root may look at a kernel thread");
	check_refused(2, ESRCH);
}

/* Its own child, and its parent, which is root's */
static void nobody_asks(void *arg)
{
	pid_t pid;

	(void)arg;
	become_nobody();
	check_refused(getppid(), EPERM);
	pid = new_sleeper();
	pagenode_close(must_open(pid));
	kill_sleeper(pid);
}

static void other_users_process_is_eperm(void)
{
	if (geteuid())
		SKIP("only root can become another user");
	in_child(nobody_asks, NULL);
}

static void undumpable_asks(void *arg)
{
	pid_t pid;

	(void)arg;
	become_nobody();
	CHECK_EQ(prctl(PR_SET_DUMPABLE, 0), 0);
	pid = new_sleeper();
	check_refused(pid, EPERM);
	kill_sleeper(pid);
}

static void undumpable_process_is_eperm(void)
{
	if (geteuid())
		SKIP("only root can become another user");
	in_child(undumpable_asks, NULL);
}

static void device_on_request(void)
{
	errno = 0;
	CHECK(!pn_open_at("/nonexistent/pagenode", getpid(),
			  PAGENODE_OPEN_DEVICE));
	CHECK_EQ(errno, ENOENT);
}

static const struct test tests[] = {
	TEST(oneself),
	TEST(child),
	TEST(ended_process_is_esrch),
	TEST(no_process_is_esrch),
	TEST(negative_pid_is_einval),
	TEST(kernel_thread_is_esrch),
	TEST(other_users_process_is_eperm),
	TEST(undumpable_process_is_eperm),
	TEST(device_on_request),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
