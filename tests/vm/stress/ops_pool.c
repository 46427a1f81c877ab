// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hugetlb file that all hosts map where they can share its PMD table, which
 * goes when somebody unmaps, protects or punches.
 */
#include "ops.h"

#include <fcntl.h>

static struct area huge_of_pool(struct actor *a)
{
	return (struct area){ part(POOL + roll(&a->dice, WORLD_HUGE - POOL)),
			      HUGE_PAGES };
}

bool op_pool_write(struct actor *a)
{
	struct area r = huge_of_pool(a);

	r.nr_pages = 1;
	return write_area(a, r);
}

bool op_pool_punch(struct actor *a)
{
	off_t at = roll(&a->dice, WORLD_HUGE - POOL) * HUGE;

	return !fallocate(files.pool, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  at, HUGE);
}

/* For a moment, since it ends the sharing */
bool op_pool_protect(struct actor *a)
{
	struct area r = huge_of_pool(a);
	bool done = !mprotect(r.start, HUGE, PROT_NONE);

	return !mprotect(r.start, HUGE, PROT_READ | PROT_WRITE) && done;
}

/* All of it, and a new mapping that may share again */
bool op_pool_unmap(struct actor *a)
{
	struct area r = { part(POOL), POOL_SIZE / PAGE };

	if (one_in(&a->dice, 2))
		munmap(part(POOL + 1), HUGE);
	return map_at(r, MAP_SHARED, files.pool) != MAP_FAILED;
}
