/* SPDX-License-Identifier: GPL-2.0-only */
/* Walking page tables, one chunk of a range at a time */
#ifndef PN_WALK_H
#define PN_WALK_H

#include <linux/mm_types.h>
#include <linux/types.h>

#include "arch.h"
#include "decode.h"

/**
 * enum pn_run_kind - where the statuses of a run are
 * @PN_RUN_SAME: all pages have the one of the run
 * @PN_RUN_MIXED: each page has its own, the next pn_run.nr of pn_walk.mixed
 * @PN_RUN_REPEATED: the next PN_GROUP of pn_walk.mixed come again and again
 *
 * Those in pn_walk.mixed are node ids of base pages that are mapped, or -ENOENT.
 */
enum pn_run_kind {
	PN_RUN_SAME,
	PN_RUN_MIXED,
	PN_RUN_REPEATED,
};

/**
 * struct pn_run - neighbouring pages
 * @nr: how many base pages; of a PN_RUN_REPEATED a multiple of PN_GROUP
 * @status: their status, of a PN_RUN_SAME
 * @shift: log2 of the size of the mappings; 0 where nothing is mapped
 * @kind: enum pn_run_kind
 */
struct pn_run {
	u64 nr;
	s32 status;
	u8 shift;
	u8 kind;
};

/**
 * struct pn_walk - a range on its way to become runs
 * @mm: whose memory
 * @addr: the first page that is not walked yet
 * @nr: how many pages are not walked yet
 * @runs: the chunk's result
 * @mixed: statuses of runs that have several
 * @max_runs: capacity of @runs
 * @max_mixed: capacity of @mixed, at least 2 * PN_GROUP
 * @nr_runs: how many of @runs are used
 * @nr_mixed: how many of @mixed are used
 * @budget: how many more page tables and VMAs this chunk may look at; the chunk
 *	ends where it is used up
 * @cramped: the chunk ended because a buffer is full
 * @vma: the mapping that was walked last under this hold of the mmap lock, or
 *	NULL
 * @pmds: the PMD table that a page on its own was found in last under this hold,
 *	or NULL
 * @pmds_start: the first address that @pmds maps
 * @map: the node map; valid in the current RCU read section only
 */
struct pn_walk {
	struct mm_struct *mm;
	unsigned long addr;
	u64 nr;
	struct pn_run *runs;
	s32 *mixed;
	unsigned int max_runs;
	unsigned int max_mixed;
	unsigned int nr_runs;
	unsigned int nr_mixed;
	int budget;
	bool cramped;
	struct vm_area_struct *vma;
	pmd_t *pmds;
	unsigned long pmds_start;
	const struct pn_nodemap *map;
};

/* How many of pn_walk.mixed are the run's? */
static inline u64 pn_run_mixed(const struct pn_run *run)
{
	if (run->kind == PN_RUN_SAME)
		return 0;
	return run->kind == PN_RUN_MIXED ? run->nr : PN_GROUP;
}

/**
 * pn_walk_locked() - turn the next part of the range into runs
 * @w: @mm, @addr, @nr, @budget, the buffers and their capacities are set, and
 *	@vma and @pmds are NULL or from an earlier call under the same hold of the lock
 *
 * Ends where a buffer is full, the budget is used up, or a writer waits for the
 * mmap lock; the budget is 0 or less then. Moves @addr and @nr on, unless an
 * entry changes while it is looked at: call again until @nr is 0.
 *
 * Context: the caller holds the mmap lock for reading, and a reference on
 * mm_users unless the mm is its own. May sleep.
 */
void pn_walk_locked(struct pn_walk *w);

/**
 * pn_walk_chunk() - as pn_walk_locked(), under the mmap lock
 * @w: as there, but for @budget, @vma and @pmds, which it sets
 *
 * Return: 0, or -EINTR on a fatal signal with nothing walked.
 */
int pn_walk_chunk(struct pn_walk *w);

#endif /* PN_WALK_H */
