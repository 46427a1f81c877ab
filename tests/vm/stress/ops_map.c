// SPDX-License-Identifier: GPL-2.0-only
/* Mappings made, changed and taken away, and the pages in them. */
#include "ops.h"

#include <fcntl.h>

bool op_map(struct actor *a)
{
	struct area r = small_area(a);

	if (map_at(r, MAP_PRIVATE | MAP_ANONYMOUS, -1) == MAP_FAILED)
		return false;
	if (one_in(&a->dice, 2))
		advise(r, MADV_NOHUGEPAGE);
	return one_in(&a->dice, 4) || write_area(a, r);
}

bool op_map_file(struct actor *a)
{
	struct area r = one_in(&a->dice, 4) ? huge_area(a) : small_area(a);
	int flags = one_in(&a->dice, 4) ? MAP_PRIVATE : MAP_SHARED;

	if (map_at(r, flags, file_of(a)) == MAP_FAILED)
		return false;
	if (one_in(&a->dice, 2))
		advise(r, MADV_HUGEPAGE);
	return one_in(&a->dice, 4) ? read_area(r) : write_area(a, r);
}

/* Without a reservation: who finds the pool empty gets SIGBUS. */
bool op_map_hugetlb(struct actor *a)
{
	struct area r = huge_area(a);
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB;

	if (map_at(r, flags, -1) == MAP_FAILED)
		return false;
	r.nr_pages = 1;
	return write_area(a, r);
}

bool op_unmap(struct actor *a)
{
	struct area r = small_area(a);

	return !munmap(r.start, r.nr_pages * PAGE);
}

/* Page by page, or by whole tables. The two may not overlap. */
bool op_remap(struct actor *a)
{
	bool huge = one_in(&a->dice, 4);
	struct area from = huge ? huge_area(a) : small_area(a);
	struct area to = huge ? huge_area(a) : small_area(a);
	int flags = MREMAP_MAYMOVE | MREMAP_FIXED;
	size_t len = PAGE * (from.nr_pages < to.nr_pages ? from.nr_pages :
							   to.nr_pages);

	if (one_in(&a->dice, 4))
		flags |= MREMAP_DONTUNMAP;
	return mremap(from.start, len, len, flags, to.start) != MAP_FAILED;
}

bool op_protect(struct actor *a)
{
	static const int prot[] = {
		PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE,
		PROT_READ | PROT_WRITE,
	};
	struct area r = small_area(a);

	return !mprotect(r.start, r.nr_pages * PAGE, prot[roll(&a->dice, 4)]);
}

bool op_read(struct actor *a)
{
	return read_area(small_area(a));
}

bool op_write(struct actor *a)
{
	return write_area(a, small_area(a));
}

bool op_drop(struct actor *a)
{
	bool huge = one_in(&a->dice, 4);

	return advise(huge ? huge_area(a) : small_area(a), MADV_DONTNEED);
}

bool op_free(struct actor *a)
{
	return advise(small_area(a), MADV_FREE);
}

bool op_remove(struct actor *a)
{
	struct area r = small_area(a);

	return map_at(r, MAP_SHARED, file_of(a)) != MAP_FAILED &&
	       write_area(a, r) && advise(r, MADV_REMOVE);
}

bool op_punch(struct actor *a)
{
	off_t at = roll(&a->dice, FILE_SIZE / PAGE) * PAGE;
	off_t len = (1 + roll(&a->dice, HUGE_PAGES)) * PAGE;
	int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;

	return !fallocate(file_of(a), mode, at, len);
}

/* Down and up again, somewhere in a page too */
bool op_truncate(struct actor *a)
{
	bool done = !ftruncate(file_of(a), roll(&a->dice, FILE_SIZE));

	return !ftruncate(file_of(a), FILE_SIZE) && done;
}

bool op_guard(struct actor *a)
{
	struct area r = small_area(a);
	bool done = advise(r, MADV_GUARD_INSTALL);

	if (one_in(&a->dice, 2))
		advise(r, MADV_GUARD_REMOVE);
	return done;
}
