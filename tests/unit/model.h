/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers in every shape, made slowly from one status a page, and the library's
 * answers held against them.
 */
#ifndef PN_MODEL_H
#define PN_MODEL_H

#include "memory.h"
#include "pagenode.h"

/* Pages that have these statuses, and any bytes that lie in all of them. */
struct model {
	const int *status;
	size_t nr_pages;
	const char *addr;
	size_t len;
};

static inline uint64_t model_start(const struct model *m)
{
	return (uintptr_t)m->addr / page_size * page_size;
}

/* The statuses are between guards, and so are the other answers below. */
static inline void check_status(struct pagenode *pn, const struct model *m)
{
	int got[NR_PAGES + 2];
	size_t i;

	got[0] = GUARD;
	got[m->nr_pages + 1] = GUARD;
	CHECK_EQ(pagenode_status(pn, m->addr, m->len, got + 1, m->nr_pages), 0);
	for (i = 0; i < m->nr_pages; i++)
		if (got[i + 1] != m->status[i])
			FAIL("page %zu of %zu is %d, not %d", i, m->nr_pages,
			     got[i + 1], m->status[i]);
	CHECK_EQ(got[0], GUARD);
	CHECK_EQ(got[m->nr_pages + 1], GUARD);
}

/* How many pages from page @i on share its status. */
static inline size_t model_run(const struct model *m, size_t i)
{
	size_t end = i;

	while (end < m->nr_pages && m->status[end] == m->status[i])
		end++;
	return end - i;
}

/* One call, from page @first on: the page that comes after its answer. */
static inline size_t check_extents_from(struct pagenode *pn,
					const struct model *m, size_t first,
					size_t nr_ext)
{
	uint64_t skipped = first ? model_start(m) + first * page_size -
				   (uintptr_t)m->addr : 0;
	struct pagenode_extent ext[NR_PAGES + 1];
	const void *next = NULL;
	size_t i, page = first;
	ssize_t used;

	memset(ext, 0x5a, (nr_ext + 1) * sizeof(*ext));
	used = pagenode_extents(pn, m->addr + skipped, m->len - skipped, ext,
				nr_ext, &next);
	for (i = 0; i < nr_ext && page < m->nr_pages; i++) {
		CHECK_EQ(ext[i].start, model_start(m) + page * page_size);
		CHECK_EQ(ext[i].nr_pages, model_run(m, page));
		CHECK_EQ(ext[i].status, m->status[page]);
		CHECK_EQ(ext[i].page_shift, 0);
		page += model_run(m, page);
	}
	CHECK_EQ(used, i);
	CHECK_EQ((uintptr_t)next, model_start(m) + page * page_size);
	for (; i <= nr_ext; i++)
		CHECK_EQ(ext[i].status, GUARD);
	return page;
}

/* As many calls as it takes. */
static inline void check_extents(struct pagenode *pn, const struct model *m,
				 size_t nr_ext)
{
	size_t page = 0;

	while (page < m->nr_pages)
		page = check_extents_from(pn, m, page, nr_ext);
}

static inline size_t model_count(const struct model *m, int status)
{
	size_t i, nr = 0;

	for (i = 0; i < m->nr_pages; i++)
		nr += m->status[i] == status;
	return nr;
}

/* How long an array of counts has to be. */
static inline size_t model_nodes(const struct model *m)
{
	size_t i, nr = 0;

	for (i = 0; i < m->nr_pages; i++)
		if (m->status[i] >= 0 && (size_t)m->status[i] >= nr)
			nr = (size_t)m->status[i] + 1;
	return nr;
}

/* An array of @nr_nodes, up to 8 */
static inline void check_counts(struct pagenode *pn, const struct model *m,
				size_t nr_nodes)
{
	uint64_t node[9];
	struct pagenode_counts counts = {
		.node = node, .nr_nodes = nr_nodes,
		.nr_enoent = GUARD, .nr_efault = GUARD,
	};
	size_t i;
	int ret;

	memset(node, 0x5a, sizeof(node));
	errno = 0;
	ret = pagenode_counts(pn, m->addr, m->len, &counts);
	CHECK_EQ((uint32_t)node[nr_nodes], GUARD);
	if (nr_nodes < model_nodes(m)) {
		CHECK_EQ(ret, -1);
		CHECK_EQ(errno, ENOSPC);
		CHECK_EQ(counts.nr_nodes, model_nodes(m));
		return;
	}
	CHECK_EQ(ret, 0);
	CHECK_EQ(counts.nr_nodes, nr_nodes);
	CHECK_EQ(counts.nr_enoent, model_count(m, -ENOENT));
	CHECK_EQ(counts.nr_efault, model_count(m, -EFAULT));
	for (i = 0; i < nr_nodes; i++)
		CHECK_EQ(node[i], model_count(m, (int)i));
}

/* Page @order(i) of the model is the i-th of the list. */
static inline void check_pages(struct pagenode *pn, const struct model *m,
			       size_t nr,
			       size_t (*order)(size_t i, size_t nr_pages))
{
	static void *list[NR_PAGES];
	static int got[NR_PAGES + 1];
	size_t i;

	for (i = 0; i < nr; i++)
		list[i] = (char *)(uintptr_t)model_start(m) +
			  order(i, m->nr_pages) * page_size + i % page_size;
	got[nr] = GUARD;
	CHECK_EQ(pagenode_pages(pn, nr, list, got), 0);
	for (i = 0; i < nr; i++)
		CHECK_EQ(got[i], m->status[order(i, m->nr_pages)]);
	CHECK_EQ(got[nr], GUARD);
}

#endif /* PN_MODEL_H */
