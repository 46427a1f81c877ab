// SPDX-License-Identifier: GPL-2.0-only
/* EXTENTS, COUNTS and PAGES asked, and compared with what STATUS said. */
#include "case.h"

#include "zoo.h"

#include "shapes.h"

struct pagenode_query shape_question(const void *start, uint64_t nr_pages,
				     void *out, uint64_t out_len)
{
	struct pagenode_query q = question(start, nr_pages, out);

	q.out_len = out_len;
	return q;
}

#define INTS_PER_EXTENT (sizeof(struct pagenode_extent) / sizeof(int))

struct pagenode_extent *new_extents(size_t nr)
{
	return (void *)new_statuses(nr * INTS_PER_EXTENT);
}

void free_extents(struct pagenode_extent *extent, size_t nr)
{
	free_statuses((int *)extent, nr * INTS_PER_EXTENT);
}

void want_answer(const char *what, unsigned long request,
		 struct pagenode_query *q, int want)
{
	int err = ask(request, q);

	if (err != want)
		fail("%s: %s, not %s", what, err ? strerror(-err) : "success",
		     want ? strerror(-want) : "success");
}

static void want_all(const char *what, unsigned long request,
		     struct pagenode_query *q, uint64_t end)
{
	want_answer(what, request, q, 0);
	if (q->next != end)
		fail("%s of %llu pages at %#llx: next is %#llx", what,
		     (unsigned long long)q->nr_pages,
		     (unsigned long long)q->start, (unsigned long long)q->next);
}

size_t module_extents(const void *start, uint64_t nr_pages, uint32_t flags,
		      struct pagenode_extent *extent, size_t room)
{
	struct pagenode_query q =
		shape_question(start, nr_pages, extent, room);

	q.flags |= flags;
	want_all("extents", PAGENODE_IOC_EXTENTS, &q,
		 q.start + nr_pages * PAGE);
	if (q.out_count > room)
		fail("%llu extents in an array of %zu",
		     (unsigned long long)q.out_count, room);
	return q.out_count;
}

struct pagenode_query module_counts(const void *start, uint64_t nr_pages,
				    uint64_t *node, size_t nr_nodes)
{
	struct pagenode_query q =
		shape_question(start, nr_pages, node, nr_nodes);
	size_t possible = module_info().nr_node_ids;
	uint64_t sum;
	size_t i;

	want_all("counts", PAGENODE_IOC_COUNTS, &q, q.start + nr_pages * PAGE);
	if (q.out_count != (nr_nodes < possible ? nr_nodes : possible))
		fail("counts of %zu nodes in an array of %zu: out_count %llu",
		     possible, nr_nodes, (unsigned long long)q.out_count);
	sum = q.nr_enoent + q.nr_efault;
	for (i = 0; i < q.out_count; i++)
		sum += node[i];
	if (sum != nr_pages)
		fail("counts of %llu pages are of %llu",
		     (unsigned long long)nr_pages, (unsigned long long)sum);
	return q;
}

void module_pages(const uint64_t *page, uint64_t nr_pages, int *status)
{
	struct pagenode_query q =
		shape_question(page, nr_pages, status, nr_pages);

	want_all("pages", PAGENODE_IOC_PAGES, &q,
		 q.start + nr_pages * sizeof(*page));
	if (q.out_count != nr_pages)
		fail("pages: out_count %llu of %llu",
		     (unsigned long long)q.out_count,
		     (unsigned long long)nr_pages);
}

bool statuses_agree(int a, int b)
{
	return a == b || (pages_may_move && a != -EFAULT && b != -EFAULT);
}

/* Extents as the kernel's answers to other questions say they must be. */
struct extents_check {
	const char *start;
	size_t nr_pages;
	const int *status;
	const uint8_t *shift;
	bool split;
};

static void wrong_extent(const struct extents_check *c,
			 const struct pagenode_extent *e, const char *why)
{
	fail("extents%s of %zu pages at %p: %llu pages at %#llx, %s, page_shift %u: %s",
	     c->split ? ", split," : "", c->nr_pages, c->start,
	     (unsigned long long)e->nr_pages, (unsigned long long)e->start,
	     status_name(e->status), e->page_shift, why);
}

/* The smallest mapping among @nr pages. */
static unsigned int smallest(const uint8_t *shift, size_t nr)
{
	unsigned int least = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		if (shift[i] && (!least || shift[i] < least))
			least = shift[i];
	return least;
}

static bool size_agrees(unsigned int ours, unsigned int kernels)
{
	return kernels == SIZE_UNKNOWN ? ours >= 12 : ours == kernels;
}

static void check_extent_size(const struct extents_check *c,
			      const struct pagenode_extent *e, size_t first)
{
	const uint8_t *shift = c->shift + first;
	size_t i;

	if (pages_may_move)
		return;
	if (!size_agrees(e->page_shift, smallest(shift, e->nr_pages)))
		wrong_extent(c, e, "not the smallest mapping in it");
	for (i = 0; c->split && i < e->nr_pages; i++)
		if (!size_agrees(e->page_shift, shift[i]))
			wrong_extent(c, e, "mappings of several sizes");
}

/* A run of pages of @first on, complete and as long as can be. */
static void check_extent(const struct extents_check *c,
			 const struct pagenode_extent *e, size_t first,
			 const struct pagenode_extent *before)
{
	size_t i;

	if (e->start != (uintptr_t)c->start + first * PAGE)
		wrong_extent(c, e, "does not start where it must");
	if (!e->nr_pages || e->nr_pages > c->nr_pages - first)
		wrong_extent(c, e, "of a length that can't be");
	if (before && before->status == e->status &&
	    (!c->split || before->page_shift == e->page_shift))
		wrong_extent(c, e, "more of the one before it");
	for (i = 0; i < e->nr_pages; i++)
		if (!statuses_agree(e->status, c->status[first + i]))
			wrong_extent(c, e, "holds a page of another status");
	check_extent_size(c, e, first);
}

static void check_extents_of(const struct extents_check *c)
{
	struct pagenode_extent *e = new_extents(c->nr_pages);
	size_t done = 0;
	size_t nr;
	size_t i;

	nr = module_extents(c->start, c->nr_pages,
			    c->split ? PAGENODE_F_SPLIT_PAGE_SIZE : 0, e,
			    c->nr_pages);
	for (i = 0; i < nr; i++) {
		check_extent(c, e + i, done, i ? e + i - 1 : NULL);
		done += e[i].nr_pages;
	}
	if (done != c->nr_pages)
		fail("extents of %zu pages at %p: they end after %zu",
		     c->nr_pages, c->start, done);
	free_extents(e, c->nr_pages);
}

void check_extents(const void *start, size_t nr_pages, const int *status)
{
	uint8_t *shift = malloc(nr_pages);
	struct extents_check c = { start, nr_pages, status, shift, false };

	if (!shift)
		fail("no memory for %zu mapping sizes", nr_pages);
	mapping_sizes(start, nr_pages, shift);
	check_extents_of(&c);
	c.split = true;
	check_extents_of(&c);
	free(shift);
}

#define MAX_NODES 1024

void check_counts(const void *start, size_t nr_pages, const int *status)
{
	static uint64_t want[MAX_NODES];
	static uint64_t node[MAX_NODES];
	struct pagenode_query q =
		module_counts(start, nr_pages, node, MAX_NODES);
	uint64_t enoent = 0;
	uint64_t efault = 0;
	size_t i;

	memset(want, 0, sizeof(want));
	for (i = 0; i < nr_pages; i++) {
		enoent += status[i] == -ENOENT;
		efault += status[i] == -EFAULT;
		if (status[i] >= 0)
			want[status[i]]++;
	}
	if (q.nr_efault != efault)
		fail("counts of %zu pages at %p: nr_efault %llu, not %llu",
		     nr_pages, start, (unsigned long long)q.nr_efault,
		     (unsigned long long)efault);
	if (pages_may_move)
		return;
	if (q.nr_enoent != enoent)
		fail("counts of %zu pages at %p: nr_enoent %llu, not %llu",
		     nr_pages, start, (unsigned long long)q.nr_enoent,
		     (unsigned long long)enoent);
	for (i = 0; i < q.out_count; i++)
		if (node[i] != want[i])
			fail("counts of %zu pages at %p: %llu on node %zu, not %llu",
			     nr_pages, start, (unsigned long long)node[i], i,
			     (unsigned long long)want[i]);
}

/* @order is a permutation, which the list is in. */
static void check_pages_in(const size_t *order, const char *start, size_t nr,
			   const int *status)
{
	uint64_t *page = malloc(nr * sizeof(*page));
	int *got = new_statuses(nr);
	size_t i;

	if (!page)
		fail("no memory for a list of %zu pages", nr);
	for (i = 0; i < nr; i++)
		page[i] = (uintptr_t)start + order[i] * PAGE + i % PAGE;
	module_pages(page, nr, got);
	for (i = 0; i < nr; i++)
		if (!statuses_agree(got[i], status[order[i]]))
			fail("pages: number %zu of %zu, %#llx: %s, but STATUS said %s",
			     i, nr, (unsigned long long)page[i],
			     status_name(got[i]),
			     status_name(status[order[i]]));
	free_statuses(got, nr);
	free(page);
}

void check_pages(const void *start, size_t nr_pages, const int *status)
{
	size_t *order = calloc(nr_pages, sizeof(*order));
	uint64_t state = 2;
	size_t other;
	size_t i;

	if (!order)
		fail("no memory for an order of %zu pages", nr_pages);
	for (i = 0; i < nr_pages; i++)
		order[i] = i;
	check_pages_in(order, start, nr_pages, status);
	for (i = 0; i < nr_pages; i++) {
		other = zoo_random(&state) % (i + 1);
		order[i] = order[other];
		order[other] = i;
	}
	check_pages_in(order, start, nr_pages, status);
	free(order);
}

void check_shapes(const void *start, size_t nr_pages, const int *status)
{
	if (kernel_alone)
		return;
	check_extents(start, nr_pages, status);
	check_counts(start, nr_pages, status);
	check_pages(start, nr_pages, status);
}
