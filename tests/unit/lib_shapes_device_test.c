// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the library says to the device when it asks for extents, counts and
 * lists, and what it makes of the answers.
 */
#include "fake_device.h"

#define BASE 0x7f0000000000ULL

static size_t page_size;

/* Only what the module was told, and nothing beside it */
static void check_asked(unsigned long request,
			const struct pagenode_query *want)
{
	CHECK_EQ(dev.queries, 1);
	CHECK_EQ(dev.other_calls, 0);
	CHECK_EQ(dev.request, request);
	CHECK(!memcmp(&dev.query, want, sizeof(*want)));
	dev.queries = 0;
}

/* 3 pages, unaligned, into an array of 5 */
static struct pagenode_query range_query(const void *out)
{
	return (struct pagenode_query){
		.size = 80,
		.start = BASE,
		.nr_pages = 3,
		.out = (uintptr_t)out,
		.out_len = 5,
	};
}

static void extents(void)
{
	const void *addr = (void *)(BASE + 1);
	struct pagenode_extent ext[5];
	struct pagenode_query want = range_query(ext);
	struct pagenode *pn;
	const void *next;

	reset_device();
	pn = open_device(0);
	dev.answer.out_count = 4;
	dev.answer.next = BASE + 2 * page_size;
	CHECK_EQ(pagenode_extents(pn, addr, 3 * page_size - 1, ext, 5, &next),
		 4);
	CHECK_EQ((uintptr_t)next, BASE + 2 * page_size);
	check_asked(PAGENODE_IOC_EXTENTS, &want);

	CHECK_EQ(pagenode_extents(pn, addr, 3 * page_size - 1, ext, 5, NULL),
		 4);
	check_asked(PAGENODE_IOC_EXTENTS, &want);

	want.flags = PAGENODE_F_SPLIT_PAGE_SIZE;
	CHECK_EQ(pagenode_extents_by_size(pn, addr, 3 * page_size - 1, ext, 5,
					  &next), 4);
	CHECK_EQ((uintptr_t)next, BASE + 2 * page_size);
	check_asked(PAGENODE_IOC_EXTENTS, &want);
	pagenode_close(pn);
}

/* More of them than an int can count, and an end that is no address. */
static void many_extents(void)
{
	struct pagenode_extent ext;
	struct pagenode *pn;
	const void *next = &ext;

	reset_device();
	pn = open_device(0);
	dev.answer.out_count = 0x300000001;
	CHECK_EQ(pagenode_extents(pn, NULL, SIZE_MAX, &ext, 0x300000001, &next),
		 0x300000001);
	CHECK(!next);
	CHECK_EQ(dev.query.nr_pages, SIZE_MAX / page_size + 1);
	CHECK_EQ(dev.query.out_len, 0x300000001);
	pagenode_close(pn);
}

static void counts(void)
{
	uint64_t node[6] = { 1, 2, 3, 4, 5, 6 };
	struct pagenode_counts c = { .node = node, .nr_nodes = 5 };
	struct pagenode_query want = range_query(node);
	struct pagenode *pn;
	size_t i;

	reset_device();
	pn = open_device(0);
	dev.answer.out_count = 2;
	dev.answer.nr_enoent = 0x500000000;
	dev.answer.nr_efault = 0x600000000;
	CHECK_EQ(pagenode_counts(pn, (void *)(BASE + 1), 3 * page_size - 1, &c),
		 0);
	check_asked(PAGENODE_IOC_COUNTS, &want);
	CHECK_EQ(c.nr_enoent, 0x500000000);
	CHECK_EQ(c.nr_efault, 0x600000000);
	CHECK_EQ(c.nr_nodes, 5);
	/* The module fills in those of its nodes. */
	for (i = 0; i < 5; i++)
		CHECK_EQ(node[i], 0);
	CHECK_EQ(node[5], 6);
	pagenode_close(pn);
}

static void short_counts_are_enospc(void)
{
	uint64_t node[1];
	struct pagenode_counts c = { .node = node, .nr_nodes = 1 };
	struct pagenode *pn;

	reset_device();
	pn = open_device(0);
	dev.query_errno = ENOSPC;
	dev.answer.out_count = 7;
	errno = 0;
	CHECK_EQ(pagenode_counts(pn, (void *)BASE, 1, &c), -1);
	CHECK_EQ(errno, ENOSPC);
	CHECK_EQ(c.nr_nodes, 7);

	/* Another error is not about the length. */
	dev.query_errno = ENOMEM;
	CHECK_EQ(pagenode_counts(pn, (void *)BASE, 1, &(struct pagenode_counts){
			.node = node, .nr_nodes = 1 }), -1);
	CHECK_EQ(errno, ENOMEM);
	pagenode_close(pn);
}

static void pages(void)
{
	void *list[5] = { (void *)1, (void *)BASE, NULL };
	int status[5];
	struct pagenode_query want = {
		.size = 80,
		.start = (uintptr_t)list,
		.nr_pages = 5,
		.out = (uintptr_t)status,
		.out_len = 5,
	};
	struct pagenode *pn;

	reset_device();
	pn = open_device(0);
	CHECK_EQ(pagenode_pages(pn, 5, list, status), 0);
	check_asked(PAGENODE_IOC_PAGES, &want);
	pagenode_close(pn);
}

static void does_not_bother_the_device(void)
{
	struct pagenode_counts c = { .nr_enoent = 1, .nr_efault = 1 };
	const void *next = NULL;
	struct pagenode *pn;

	reset_device();
	pn = open_device(0);
	CHECK_EQ(pagenode_extents(pn, (void *)(BASE + 5), 0, NULL, 0, &next),
		 0);
	CHECK_EQ((uintptr_t)next, BASE);
	CHECK_EQ(pagenode_counts(pn, (void *)BASE, 0, &c), 0);
	CHECK_EQ(c.nr_enoent + c.nr_efault, 0);
	CHECK_EQ(pagenode_pages(pn, 0, NULL, NULL), 0);
	errno = 0;
	CHECK_EQ(pagenode_extents(pn, (void *)UINTPTR_MAX, 2, NULL, 0, &next),
		 -1);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(dev.queries + dev.other_calls, 0);
	pagenode_close(pn);
}

static void passes_errors_on(void)
{
	static const int errs[] = {
		EFAULT, ENOMEM, EINTR, EINVAL, ESRCH, EPERM
	};
	struct pagenode_extent ext;
	const void *next = &ext;
	void *page = &ext;
	struct pagenode *pn;
	int status;
	size_t i;

	reset_device();
	pn = open_device(0);
	dev.answer.out_count = 1;
	for (i = 0; i < ARRAY_SIZE(errs); i++) {
		dev.query_errno = errs[i];
		errno = 0;
		CHECK_EQ(pagenode_extents(pn, &ext, 1, &ext, 1, &next), -1);
		CHECK_EQ(errno, errs[i]);
		CHECK(next == &ext);
		errno = 0;
		CHECK_EQ(pagenode_pages(pn, 1, &page, &status), -1);
		CHECK_EQ(errno, errs[i]);
	}
	pagenode_close(pn);
}

static const struct test tests[] = {
	TEST(extents),
	TEST(many_extents),
	TEST(counts),
	TEST(short_counts_are_enospc),
	TEST(pages),
	TEST(does_not_bother_the_device),
	TEST(passes_errors_on),
};

int main(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	return run_tests(tests, ARRAY_SIZE(tests));
}
