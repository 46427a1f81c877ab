// SPDX-License-Identifier: GPL-2.0-only
/* Huge pages made, split, and made of small ones. */
#include "ops.h"

/* How often on end: of what is quick, for longer than a query stays */
#define NR_REFILLS	64
#define NR_COLLAPSES	8

static struct area map_thp_there(struct actor *a)
{
	struct area r = huge_area(a);

	if (map_at(r, MAP_PRIVATE | MAP_ANONYMOUS, -1) == MAP_FAILED)
		r.nr_pages = 0;
	else
		advise(r, MADV_HUGEPAGE);
	return r;
}

/* Reading gives the huge zero page. */
bool op_thp(struct actor *a)
{
	struct area r = map_thp_there(a);

	return r.nr_pages && (one_in(&a->dice, 4) ? read_area(r) :
						    write_area(a, r));
}

static struct area some_of(struct actor *a, struct area r)
{
	size_t nr = 1 + roll(&a->dice, r.nr_pages - 1);

	r.start += roll(&a->dice, r.nr_pages - nr + 1) * PAGE;
	r.nr_pages = nr;
	return r;
}

bool op_split(struct actor *a)
{
	struct area r = map_thp_there(a);
	struct area some;
	size_t len;

	if (!r.nr_pages || !write_area(a, r))
		return false;
	some = some_of(a, r);
	len = some.nr_pages * PAGE;
	switch (roll(&a->dice, 4)) {
	case 0:
		return !mprotect(some.start, len, PROT_READ);
	case 1:
		return !munmap(some.start, len);
	case 2:
		return advise(some, MADV_DONTNEED);
	default:
		return advise(some, MADV_NOHUGEPAGE) &&
		       advise(some, MADV_DONTNEED);
	}
}

/* Small pages, and then the wish for a huge one */
static struct area small_pages(struct actor *a)
{
	struct area r = huge_area(a);

	if (map_at(r, MAP_PRIVATE | MAP_ANONYMOUS, -1) == MAP_FAILED ||
	    !advise(r, MADV_NOHUGEPAGE) || !write_area(a, r) ||
	    !advise(r, MADV_HUGEPAGE))
		r.nr_pages = 0;
	return r;
}

bool op_collapse(struct actor *a)
{
	struct area r = small_pages(a);

	return r.nr_pages && advise(r, MADV_COLLAPSE);
}

/*
 * What a query has to expect in the middle of its walk: tables and huge pages
 * that take each other's place under the mmap lock for reading.
 */
bool op_refill(struct actor *a)
{
	struct area r = map_thp_there(a);
	struct area head = { r.start, 1 };
	bool done = r.nr_pages;
	int i;

	for (i = 0; i < NR_REFILLS && done; i++)
		done = write_area(a, head) &&
		       advise(some_of(a, r), MADV_DONTNEED) &&
		       advise(r, MADV_DONTNEED);
	return done && write_area(a, head);
}

/* The same of a file, which others change at will. Once is enough. */
bool op_collapse_file(struct actor *a)
{
	struct area r = huge_area(a);
	struct area head = { r.start, 1 };
	bool done = false;
	int i;

	if (map_at(r, MAP_SHARED, file_of(a)) == MAP_FAILED)
		return false;
	for (i = 0; i < NR_COLLAPSES && write_area(a, r); i++) {
		done |= advise(r, MADV_COLLAPSE);
		write_area(a, head);
		advise(r, MADV_REMOVE);
	}
	return done;
}

/* Whether it comes in time, the kernel counts. */
bool op_leave_to_khugepaged(struct actor *a)
{
	return small_pages(a).nr_pages;
}
