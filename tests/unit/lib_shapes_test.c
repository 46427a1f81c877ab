// SPDX-License-Identifier: GPL-2.0-only
/*
 * Extents, counts and lists through move_pages(2), against move_pages(2) itself
 * asked about one page at a time.
 */
#include "model.h"

static struct pagenode *pn;

static const size_t sizes[] = {
	1, 2, 15, 16, 17, 511, 512, 513, 1023, 1024, 1025, 1536, 1537, NR_PAGES
};

/* A zoo whose statuses are known. Its model is the whole of it. */
static char *new_zoo(struct model *m)
{
	static int status[NR_PAGES];
	char *p = map_zoo();

	/* Runs longer than a chunk, and one at the end */
	memset(p + 800 * page_size, 1, 600 * page_size);
	memset(p + (NR_PAGES - 9) * page_size, 1, 9 * page_size);
	raw_statuses(p, NR_PAGES, status);
	*m = (struct model){
		.status = status,
		.nr_pages = NR_PAGES,
		.addr = p,
		.len = NR_PAGES * page_size,
	};
	return p;
}

/* @nr pages of @m from its page @first on, and not all of their bytes */
static struct model part(const struct model *m, size_t first, size_t nr)
{
	return (struct model){
		.status = m->status + first,
		.nr_pages = nr,
		.addr = m->addr + first * page_size + 5,
		.len = nr * page_size - 11,
	};
}

static void on_parts_of_every_size(void (*fn)(const struct model *m))
{
	struct model m, of;
	char *p = new_zoo(&m);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		of = part(&m, 0, sizes[i]);
		fn(&of);
		of = part(&m, NR_PAGES - sizes[i], sizes[i]);
		fn(&of);
	}
	unmap(p, NR_PAGES);
}

static void one_big_array(const struct model *m)
{
	check_extents(pn, m, NR_PAGES);
}

static void extents_of_every_size(void)
{
	on_parts_of_every_size(one_big_array);
}

static void small_arrays(const struct model *m)
{
	check_extents(pn, m, 1);
	check_extents(pn, m, 2);
	check_extents(pn, m, 3);
	check_extents(pn, m, 100);
}

static void extents_go_on_from_next(void)
{
	on_parts_of_every_size(small_arrays);
}

static void extents_without_room(void)
{
	char *p = map(1);
	const void *next = NULL;

	CHECK_EQ(pagenode_extents(pn, p + 7, 1, NULL, 0, &next), 0);
	CHECK(next == p);
	unmap(p, 1);
}

static void extents_without_next(void)
{
	struct pagenode_extent ext;
	char *p = map(1);

	*p = 1;
	CHECK_EQ(pagenode_extents(pn, p, 1, &ext, 1, NULL), 1);
	CHECK_EQ(ext.status, raw_status((uintptr_t)p));
	unmap(p, 1);
}

static void extents_of_nothing(void)
{
	struct pagenode_extent ext = { .status = GUARD };
	const void *next = NULL;

	CHECK_EQ(pagenode_extents(pn, (void *)(5 * page_size), 0, &ext, 1,
				  &next), 0);
	CHECK_EQ((uintptr_t)next, 5 * page_size);
	CHECK_EQ(ext.status, GUARD);
}

static void extents_of_the_topmost_pages(void)
{
	char *last = (char *)-(3 * page_size) + 1;
	struct pagenode_extent ext;
	const void *next = &ext;

	CHECK_EQ(pagenode_extents(pn, last, 3 * page_size - 1, &ext, 1, &next),
		 1);
	CHECK_EQ(ext.start, -(3 * page_size));
	CHECK_EQ(ext.nr_pages, 3);
	CHECK_EQ(ext.status, -EFAULT);
	CHECK(!next);
}

/* move_pages(2) does not know them. */
static void extents_by_size_are_eopnotsupp(void)
{
	struct pagenode_extent ext = { .status = GUARD };
	const void *next = &ext;

	errno = 0;
	CHECK_EQ(pagenode_extents_by_size(pn, &ext, 1, &ext, 1, &next), -1);
	CHECK_EQ(errno, EOPNOTSUPP);
	CHECK_EQ(ext.status, GUARD);
	CHECK(next == &ext);
}

static void arrays_of_counts(const struct model *m)
{
	size_t nr_nodes;

	for (nr_nodes = 0; nr_nodes <= 8; nr_nodes++)
		check_counts(pn, m, nr_nodes);
}

static void counts_of_every_size(void)
{
	on_parts_of_every_size(arrays_of_counts);
}

/* No page is on a node, so no array is needed. */
static void counts_without_an_array(void)
{
	struct pagenode_counts counts = { .nr_enoent = GUARD };
	char *p = map(2);

	unmap(p, 2);
	CHECK_EQ(pagenode_counts(pn, p, 2 * page_size, &counts), 0);
	CHECK_EQ(counts.nr_enoent, 0);
	CHECK_EQ(counts.nr_efault, 2);
}

static void counts_of_nothing(void)
{
	uint64_t node[2] = { GUARD, GUARD };
	struct pagenode_counts counts = {
		.node = node, .nr_nodes = 2, .nr_enoent = 1, .nr_efault = 1,
	};

	CHECK_EQ(pagenode_counts(pn, NULL, 0, &counts), 0);
	CHECK_EQ(node[0] + node[1], 0);
	CHECK_EQ(counts.nr_enoent + counts.nr_efault, 0);
	CHECK_EQ(counts.nr_nodes, 2);
}

static void past_the_address_space_is_einval(void)
{
	const char *top = (const char *)-page_size;
	struct pagenode_extent ext = { .status = GUARD };
	uint64_t node = GUARD;
	struct pagenode_counts counts = { .node = &node, .nr_nodes = 1 };
	const void *next = &ext;

	errno = 0;
	CHECK_EQ(pagenode_extents(pn, top, page_size + 1, &ext, 1, &next), -1);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(ext.status, GUARD);
	CHECK(next == &ext);
	errno = 0;
	CHECK_EQ(pagenode_counts(pn, top, SIZE_MAX, &counts), -1);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(counts.nr_nodes, 1);
}

static size_t in_order(size_t i, size_t nr_pages)
{
	return i % nr_pages;
}

static size_t backwards(size_t i, size_t nr_pages)
{
	return nr_pages - 1 - i % nr_pages;
}

static size_t scattered(size_t i, size_t nr_pages)
{
	return i * 7919 % nr_pages;
}

static size_t always_the_same(size_t i, size_t nr_pages)
{
	(void)i;
	return nr_pages / 2;
}

static void lists_of_every_size(void)
{
	struct model m;
	char *p = new_zoo(&m);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		check_pages(pn, &m, sizes[i], in_order);
		check_pages(pn, &m, sizes[i], backwards);
		check_pages(pn, &m, sizes[i], scattered);
		check_pages(pn, &m, sizes[i], always_the_same);
	}
	unmap(p, NR_PAGES);
}

static void list_of_nothing(void)
{
	int status = GUARD;

	CHECK_EQ(pagenode_pages(pn, 0, NULL, NULL), 0);
	CHECK_EQ(pagenode_pages(pn, 0, NULL, &status), 0);
	CHECK_EQ(status, GUARD);
}

static void list_of_addresses_that_cannot_be(void)
{
	void *list[] = {
		NULL, (void *)UINTPTR_MAX, (void *)-page_size,
		(void *)(UINTPTR_MAX / 2 + 1), (void *)(UINTPTR_MAX / 2),
	};
	int status[ARRAY_SIZE(list)];
	size_t i;

	CHECK_EQ(pagenode_pages(pn, ARRAY_SIZE(list), list, status), 0);
	for (i = 0; i < ARRAY_SIZE(list); i++)
		CHECK_EQ(status[i], -EFAULT);
}

static void check_efault(size_t count, void *list, void *status)
{
	errno = 0;
	CHECK_EQ(pagenode_pages(pn, count, list, status), -1);
	CHECK_EQ(errno, EFAULT);
}

/* One of the two arrays is not there, or ends too early. */
static void bad_lists_are_efault(void)
{
	const size_t per_page = page_size / sizeof(void *);
	static int status[NR_PAGES];
	static void *list[NR_PAGES];
	char *p = map(2);

	CHECK(per_page < NR_PAGES);
	memset(p, 0, page_size);
	unmap(p + page_size, 1);

	check_efault(1, NULL, status);
	check_efault(1, p + page_size, status);
	check_efault(per_page + 1, p, status);
	check_efault(1, list, NULL);
	check_efault(100, list, p + page_size - 99 * sizeof(int));
	CHECK_EQ(mprotect(p, page_size, PROT_READ), 0);
	check_efault(1, list, p);
	CHECK_EQ(*(int *)p, 0);
	unmap(p, 1);
}

static const struct test tests[] = {
	TEST(extents_of_every_size),
	TEST(extents_go_on_from_next),
	TEST(extents_without_room),
	TEST(extents_without_next),
	TEST(extents_of_nothing),
	TEST(extents_of_the_topmost_pages),
	TEST(extents_by_size_are_eopnotsupp),
	TEST(counts_of_every_size),
	TEST(counts_without_an_array),
	TEST(counts_of_nothing),
	TEST(past_the_address_space_is_einval),
	TEST(lists_of_every_size),
	TEST(list_of_nothing),
	TEST(list_of_addresses_that_cannot_be),
	TEST(bad_lists_are_efault),
};

int main(void)
{
	int ret;

	pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	if (!pn) {
		printf("FAIL lib_shapes: pagenode_open: %s\n", strerror(errno));
		return 1;
	}
	ret = run_tests(tests, ARRAY_SIZE(tests));
	pagenode_close(pn);
	return ret;
}
