// SPDX-License-Identifier: GPL-2.0-only
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "arch.h"
#include "decode.h"
#include "query.h"

/*
 * Buffers for one chunk. Those on the stack do for a few pages, and for any
 * range of few runs. A chunk that outgrows them makes the next one use larger
 * ones: 256 runs (4 KiB) and 3072 single statuses (12 KiB).
 */
#define PN_FEW_RUNS	4
#define PN_FEW_MIXED	(2 * PN_GROUP)
#define PN_MANY_RUNS	256
#define PN_MANY_MIXED	3072

/* Sleeps of 10 to 50 us while a writer waits */
#define PN_PAUSE_TRIES	20

struct pn_many {
	struct pn_run runs[PN_MANY_RUNS];
	s32 mixed[PN_MANY_MIXED];
};

int pn_query_check(const struct pagenode_query *q, u32 flags)
{
	if (q->flags & ~(flags | PAGENODE_F_MM_FD))
		return -EINVAL;
	if (q->reserved || (q->mm_fd && !(q->flags & PAGENODE_F_MM_FD)))
		return -EINVAL;
	return 0;
}

int pn_query_check_range(const struct pagenode_query *q, u32 flags)
{
	if (!PAGE_ALIGNED(q->start))
		return -EINVAL;
	/* The range may end at 2^64, not beyond: pages, so no overflow here. */
	if (q->nr_pages > (1ULL << (64 - PAGE_SHIFT)) -
			  (q->start >> PAGE_SHIFT))
		return -EINVAL;
	return pn_query_check(q, flags);
}

/*
 * The kernel's semaphore lets a reader that comes back at once in before the
 * writer that it has just woken, for up to 4 ms. So stay away while somebody
 * waits, but not for much longer than a writer takes to wake up.
 */
int pn_query_pause(struct mm_struct *mm)
{
	int tries = PN_PAUSE_TRIES;

	cond_resched();
	while (rwsem_is_contended(&mm->mmap_lock) && tries-- &&
	       !fatal_signal_pending(current))
		usleep_range(10, 50);
	return fatal_signal_pending(current) ? -EINTR : 0;
}

static int pn_query_chunk(struct pn_answer *answer, struct pn_walk *w)
{
	int err = pn_walk_chunk(w);

	if (err)
		return err;
	err = answer->deliver(answer, w);
	if (err || !w->nr)
		return err;
	return pn_query_pause(w->mm);
}

/*
 * Goes on with larger buffers, charged to the caller's memory cgroup. To go on
 * with the small ones is slow and not wrong, so nothing is tried hard here.
 */
static int pn_query_many(struct pn_answer *answer, struct pn_walk *w)
{
	struct pn_many *many = kmalloc(sizeof(*many), GFP_KERNEL_ACCOUNT |
				       __GFP_NORETRY | __GFP_NOWARN);
	int err = 0;

	if (many) {
		w->runs = many->runs;
		w->max_runs = PN_MANY_RUNS;
		w->mixed = many->mixed;
		w->max_mixed = PN_MANY_MIXED;
	}
	while (w->nr && !err)
		err = pn_query_chunk(answer, w);
	kfree(many);
	return err;
}

int pn_query_run(struct pn_answer *answer, struct mm_struct *mm)
{
	struct pn_run runs[PN_FEW_RUNS] __pn_uninitialized;
	s32 mixed[PN_FEW_MIXED] __pn_uninitialized;
	struct pn_walk w = {
		.mm = mm,
		.addr = answer->q->start,
		.nr = answer->q->nr_pages,
		.runs = runs,
		.max_runs = PN_FEW_RUNS,
		.mixed = mixed,
		.max_mixed = PN_FEW_MIXED,
	};
	int err = 0;

	while (w.nr && !w.cramped && !err)
		err = pn_query_chunk(answer, &w);
	if (w.nr && !err)
		err = pn_query_many(answer, &w);
	return err;
}
