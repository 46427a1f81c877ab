/* SPDX-License-Identifier: GPL-2.0-only */
/* Walking page tables, one chunk of a range at a time */
#ifndef PN_WALK_H
#define PN_WALK_H

#include <linux/mm_types.h>
#include <linux/types.h>

/**
 * struct pn_run - neighbouring pages of one status
 * @nr: how many base pages
 * @status: their status, where @mixed is not set
 * @shift: log2 of the size of the mappings; 0 where nothing is mapped
 * @mixed: each page has a status of its own, the next @nr of pn_walk.mixed: a
 *	node id for a base page that is mapped, else -ENOENT
 */
struct pn_run {
	u64 nr;
	s32 status;
	u8 shift;
	bool mixed;
};

/**
 * struct pn_walk - a range on its way to become runs
 * @mm: whose memory
 * @addr: the first page that is not walked yet
 * @nr: how many pages are not walked yet
 * @runs: the chunk's result
 * @mixed: statuses of pages that do not form runs
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
 * @w: as there, but for @budget and @vma, which it sets
 *
 * Return: 0, or -EINTR on a fatal signal with nothing walked.
 */
int pn_walk_chunk(struct pn_walk *w);

#endif /* PN_WALK_H */
