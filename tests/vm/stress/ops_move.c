// SPDX-License-Identifier: GPL-2.0-only
/* Pages moved to other nodes, swapped out, merged, and taken out of use. */
#include "ops.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>

#define MAX_MOVED	256

/* Whatever is there, or pages that were just written */
static struct area some_pages(struct actor *a)
{
	struct area r = small_area(a);

	if (one_in(&a->dice, 2) &&
	    map_at(r, MAP_PRIVATE | MAP_ANONYMOUS, -1) != MAP_FAILED)
		write_area(a, r);
	return r;
}

static int some_node(struct actor *a)
{
	return one_in(&a->dice, 2) ? node_a() : node_b();
}

static bool any_on(const int *status, size_t nr, int node)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (status[i] == node)
			return true;
	return false;
}

bool op_move_pages(struct actor *a)
{
	struct area r = some_pages(a);
	int node = some_node(a);
	void *page[MAX_MOVED];
	int status[MAX_MOVED];
	int nodes[MAX_MOVED];
	size_t nr;
	size_t i;

	nr = r.nr_pages;
	if (nr > MAX_MOVED)
		nr = MAX_MOVED;
	for (i = 0; i < nr; i++) {
		page[i] = r.start + i * PAGE;
		nodes[i] = node;
		status[i] = -1;
	}
	syscall(SYS_move_pages, 0, nr, page, nodes, status, MPOL_MF_MOVE_ALL);
	return any_on(status, nr, node);
}

bool op_bind(struct actor *a)
{
	struct area r = some_pages(a);
	unsigned long mask = 1UL << some_node(a);
	int mode = one_in(&a->dice, 4) ? MPOL_DEFAULT : MPOL_BIND;

	if (mode == MPOL_DEFAULT)
		mask = 0;
	return !syscall(SYS_mbind, r.start, r.nr_pages * PAGE, mode, &mask, 64,
			MPOL_MF_MOVE);
}

/* Whether it is, the kernel's own word says. Half of it comes back soon. */
bool op_swap_out(struct actor *a)
{
	struct area r = small_area(a);
	uint64_t entry[HUGE_PAGES];
	bool done = false;
	size_t i;

	if (map_at(r, MAP_PRIVATE | MAP_ANONYMOUS, -1) == MAP_FAILED ||
	    !write_area(a, r) || !advise(r, MADV_PAGEOUT))
		return false;
	pagemap_entries(r.start, entry, r.nr_pages);
	for (i = 0; i < r.nr_pages && !done; i++)
		done = entry[i] & PF_SWAPPED;
	if (one_in(&a->dice, 2))
		read_area(r);
	return done;
}

/* All alike, so that KSM has something to do, or all zeroes */
bool op_merge(struct actor *a)
{
	struct area r = small_area(a);

	if (map_at(r, MAP_PRIVATE | MAP_ANONYMOUS, -1) == MAP_FAILED)
		return false;
	if (one_in(&a->dice, 2))
		advise(r, MADV_POPULATE_WRITE);
	else
		write_area(a, r);
	return advise(r, MADV_MERGEABLE);
}

bool op_unmerge(struct actor *a)
{
	return advise(small_area(a), MADV_UNMERGEABLE);
}

/* The machine loses each for good, so one a second is enough. */
bool op_soft_offline(struct actor *a)
{
	static atomic_ulong last;
	struct area r = some_pages(a);
	unsigned long now = atomic_load(&shared->seconds);

	if (atomic_load(&last) == now)
		return false;
	atomic_store(&last, now);
	r.nr_pages = 1;
	return write_area(a, r) && advise(r, MADV_SOFT_OFFLINE);
}
