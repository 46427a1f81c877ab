// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library in a process with a seccomp filter, in a forked child and in
 * several threads.
 */
#include <errno.h>
#include <pthread.h>

#include "memory.h"
#include "pagenode.h"
#include "process.h"

static struct pagenode *new_handle(void)
{
	struct pagenode *pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);

	CHECK(pn);
	return pn;
}

static void check_error(long ret, int err)
{
	CHECK_EQ(ret, -1);
	CHECK_EQ(errno, err);
	errno = 0;
}

/* Every question fails with @err, and writes no status. */
static void check_forbidden(struct pagenode *pn, int err)
{
	const size_t len = NR_PAGES * page_size;
	uint64_t node[4];
	struct pagenode_counts counts = { .node = node, .nr_nodes = 4 };
	char *p = map(NR_PAGES);
	struct pagenode_extent ext[2] = { { .status = GUARD } };
	int status[NR_PAGES] = { GUARD };
	void *page = p;
	const void *next = p + 1;

	errno = 0;
	check_error(pagenode_status(pn, p, len, status, NR_PAGES), err);
	check_error(pagenode_pages(pn, 1, &page, status), err);
	check_error(pagenode_extents(pn, p, len, ext, 2, &next), err);
	check_error(pagenode_counts(pn, p, len, &counts), err);
	CHECK_EQ(status[0], GUARD);
	CHECK_EQ(ext[0].status, GUARD);
	CHECK(next == p + 1);
	unmap(p, NR_PAGES);
}

/* A filter comes upon a handle that exists, and is there for a new one. */
static void filtered(void *arg)
{
	int err = *(int *)arg;
	struct pagenode *pn = new_handle();

	forbid_move_pages(err);
	check_forbidden(pn, err);
	pagenode_close(pn);
	pn = new_handle();
	check_forbidden(pn, err);
	pagenode_close(pn);

	CHECK(!pagenode_open_pid(getppid(), PAGENODE_OPEN_MOVE_PAGES));
	CHECK_EQ(errno, err);
}

static void forbidden_move_pages_is_eperm(void)
{
	int err = EPERM;

	in_child(filtered, &err);
}

static void missing_move_pages_is_enosys(void)
{
	int err = ENOSYS;

	in_child(filtered, &err);
}

/* A handle and memory that a child inherits. */
struct inheritance {
	struct pagenode *pn;
	char *p;
};

static int last_status(const struct inheritance *i)
{
	int status = GUARD;

	CHECK_EQ(pagenode_status(i->pn, i->p + (NR_PAGES - 1) * page_size, 1,
				 &status, 1), 0);
	return status;
}

static void touch_the_last_page(void *arg)
{
	const struct inheritance *i = arg;

	i->p[(NR_PAGES - 1) * page_size] = 1;
	CHECK(last_status(i) >= 0);
	CHECK(last_status(i) != GUARD);
}

static void child_is_told_about_itself(void)
{
	struct inheritance i = { .pn = new_handle(), .p = map(NR_PAGES) };

	in_child(touch_the_last_page, &i);
	CHECK(last_status(&i) < 0);
	unmap(i.p, NR_PAGES);
	pagenode_close(i.pn);
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

	for (round = 0; round < 200; round++) {
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
	struct pagenode *pn = new_handle();
	struct asker askers[8];
	pthread_t threads[8];
	size_t i, page;

	for (i = 0; i < 8; i++) {
		char *p = map(NR_PAGES);

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
		unmap((char *)askers[i].p, NR_PAGES);
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
	return run_tests(tests, ARRAY_SIZE(tests));
}
