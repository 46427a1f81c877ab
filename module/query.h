/* SPDX-License-Identifier: GPL-2.0-only */
/* A query about a range, from its arguments to its last chunk */
#ifndef PN_QUERY_H
#define PN_QUERY_H

#include <linux/gfp.h>
#include <linux/types.h>

#include "compat.h"
#include "walk.h"

/*
 * For memory that an ioctl can't do without: charged to the caller's memory
 * cgroup. Where that one or the machine has no more, the caller is told, and
 * nobody is killed for it.
 */
#define PN_GFP_NEEDED	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* From pn_answer.deliver: the caller has no room for more, which is no error. */
#define PN_ENOUGH	1

/**
 * struct pn_answer - where the runs of a range go
 * @q: the query, whose results @deliver moves on
 * @deliver: takes the runs of a chunk. Returns 0 to go on, PN_ENOUGH, or the
 *	error that ends the query. No lock is held, it may fault.
 */
struct pn_answer {
	struct pagenode_query *q;
	int (*deliver)(struct pn_answer *answer, const struct pn_walk *w);
};

/**
 * pn_query_check() - the rules that all ioctls with a query share
 * @q: the arguments
 * @flags: the PAGENODE_F_* bits that the ioctl has a use for
 *
 * Return: 0 or -EINVAL.
 */
int pn_query_check(const struct pagenode_query *q, u32 flags);

/* As pn_query_check(), for ioctls whose start and nr_pages are a range. */
int pn_query_check_range(const struct pagenode_query *q, u32 flags);

/**
 * pn_query_run() - walk the range of a query chunk by chunk
 * @answer: whose query pn_query_check_range() has passed
 * @mm: whose memory the range is; the answer goes to the caller's own always
 *
 * Return: 0 at the end of the range, -EINTR on a fatal signal, or what the
 * answer ended with.
 */
int pn_query_run(struct pn_answer *answer, struct mm_struct *mm);

/**
 * pn_query_pause() - what is due between two holds of the mmap lock
 * @mm: whose lock it is
 *
 * Return: 0, or -EINTR on a fatal signal.
 */
int pn_query_pause(struct mm_struct *mm);

/*
 * What each ioctl does with its copy of the arguments, about @mm, whose mm_users
 * the caller holds.
 */
typedef int pn_query_fn(struct pagenode_query *q, struct mm_struct *mm);

pn_query_fn pn_status, pn_extents, pn_counts, pn_pages;

#endif /* PN_QUERY_H */
