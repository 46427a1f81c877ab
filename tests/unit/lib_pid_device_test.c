// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the library says to the device about another process, and what it makes
 * of a process that the device can't tell about.
 */
#include <limits.h>
#include <sys/mman.h>

#include "fake_device.h"

/* Is @file closed, if it was ever opened? */
static int is_closed(const struct opened *file)
{
	return file->fd < 0 || !is_open(file->fd);
}

/* Refused with @err on the device, and taken over by move_pages(2) */
static void check_refused(int err)
{
	struct pagenode *pn;

	errno = 0;
	CHECK(!pagenode_open_pid(getpid(), PAGENODE_OPEN_DEVICE));
	CHECK_EQ(errno, err);
	CHECK(is_closed(&dev.device));
	CHECK(is_closed(&dev.mm));

	pn = pagenode_open_pid(getpid(), 0);
	CHECK(pn);
	CHECK_EQ(pagenode_backend(pn), PAGENODE_BACKEND_MOVE_PAGES);
	CHECK(is_closed(&dev.device));
	CHECK(is_closed(&dev.mm));
	pagenode_close(pn);
}

static void opens_its_pagemap(void)
{
	struct pagenode *pn;
	char want[64];

	snprintf(want, sizeof(want), "/proc/%d/pagemap", (int)getpid());
	reset_device();
	pn = open_device(getpid());
	CHECK(!strcmp(dev.mm.path, want));
	CHECK_EQ(dev.mm.flags & O_ACCMODE, O_RDONLY);
	CHECK(dev.mm.flags & O_CLOEXEC);
	CHECK(is_open(dev.mm.fd));
	CHECK(is_open(dev.device.fd));
	pagenode_close(pn);
	CHECK(!is_open(dev.mm.fd));
	CHECK(!is_open(dev.device.fd));
}

static void asks_about_it_with_its_pagemap(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t node;
	struct pagenode_counts counts = { .node = &node, .nr_nodes = 1 };
	struct pagenode_extent ext;
	struct pagenode *pn;
	void *list = &ext;
	int status;

	reset_device();
	pn = open_device(getpid());
	CHECK_EQ(pagenode_status(pn, &ext, 1, &status, 1), 0);
	CHECK_EQ(dev.query.flags, PAGENODE_F_MM_FD);
	CHECK_EQ(dev.query.mm_fd, dev.mm.fd);
	CHECK_EQ(dev.query.start, (uintptr_t)&ext / page * page);
	CHECK_EQ(pagenode_counts(pn, &ext, 1, &counts), 0);
	CHECK_EQ(dev.query.flags, PAGENODE_F_MM_FD);
	CHECK_EQ(dev.query.mm_fd, dev.mm.fd);
	CHECK_EQ(pagenode_pages(pn, 1, &list, &status), 0);
	CHECK_EQ(dev.query.flags, PAGENODE_F_MM_FD);
	CHECK_EQ(dev.query.mm_fd, dev.mm.fd);
	CHECK_EQ(pagenode_extents(pn, &ext, 1, &ext, 1, NULL), 0);
	CHECK_EQ(dev.query.flags, PAGENODE_F_MM_FD);
	CHECK_EQ(dev.query.mm_fd, dev.mm.fd);
	CHECK_EQ(pagenode_extents_by_size(pn, &ext, 1, &ext, 1, NULL), 0);
	CHECK_EQ(dev.query.flags,
		 PAGENODE_F_MM_FD | PAGENODE_F_SPLIT_PAGE_SIZE);
	CHECK_EQ(dev.query.mm_fd, dev.mm.fd);
	pagenode_close(pn);
}

static void needs_no_pagemap_for_oneself(void)
{
	struct pagenode *pn;
	int status;

	reset_device();
	dev.features = ALL_FEATURES & ~PAGENODE_FEATURE_MM_FD;
	pn = open_device(0);
	CHECK_EQ(dev.mm.path[0], '\0');
	CHECK_EQ(pagenode_status(pn, &status, 1, &status, 1), 0);
	CHECK_EQ(dev.query.flags, 0);
	CHECK_EQ(dev.query.mm_fd, 0);
	pagenode_close(pn);
}

static void module_without_mm_fd_is_eopnotsupp(void)
{
	reset_device();
	dev.features = ALL_FEATURES & ~PAGENODE_FEATURE_MM_FD;
	check_refused(EOPNOTSUPP);
	CHECK_EQ(dev.mm.path[0], '\0');
}

static void refused_pagemap(void)
{
	static const int errs[] = { EACCES, EPERM, ESRCH, EMFILE };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errs); i++) {
		reset_device();
		dev.mm_errno = errs[i];
		check_refused(errs[i]);
	}
}

/* Of a process that lives, so it is /proc that is missing. */
static void no_proc_is_enoent(void)
{
	reset_device();
	dev.mm_errno = ENOENT;
	check_refused(ENOENT);
}

static void no_process_is_esrch(void)
{
	static const unsigned int flags[] = { PAGENODE_OPEN_DEVICE, 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		reset_device();
		dev.mm_errno = ENOENT;
		errno = 0;
		CHECK(!pagenode_open_pid(INT_MAX, flags[i]));
		CHECK_EQ(errno, ESRCH);
		CHECK(is_closed(&dev.device));
	}
}

/* A zombie's pagemap can be opened. */
static void process_without_memory_is_esrch(void)
{
	reset_device();
	dev.query_errno = ESRCH;
	check_refused(ESRCH);
	CHECK_EQ(dev.query.flags, PAGENODE_F_MM_FD);
}

static const struct test tests[] = {
	TEST(opens_its_pagemap),
	TEST(asks_about_it_with_its_pagemap),
	TEST(needs_no_pagemap_for_oneself),
	TEST(module_without_mm_fd_is_eopnotsupp),
	TEST(refused_pagemap),
	TEST(no_proc_is_enoent),
	TEST(no_process_is_esrch),
	TEST(process_without_memory_is_esrch),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
