// SPDX-License-Identifier: GPL-2.0-only
/*
 * PAGENODE_IOC_PAGES: statuses of a list of addresses, in any order. Neighbours
 * in the list that are neighbours in memory are walked together.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "arch.h"
#include "decode.h"
#include "query.h"

/* Addresses of one hold of the mmap lock; a few of them fit on the stack. */
#define PN_FEW_PAGES	16
#define PN_MANY_PAGES	256

#define PN_PAGES_RUNS	4
#define PN_PAGES_MIXED	(2 * PN_GROUP)

struct pn_many_pages {
	u64 addrs[PN_MANY_PAGES];
	s32 statuses[PN_MANY_PAGES];
};

/**
 * struct pn_batch - a part of the list
 * @addrs: the addresses, rounded down
 * @statuses: their statuses
 * @max: the capacity of both
 * @nr: how many are used
 */
struct pn_batch {
	u64 *addrs;
	s32 *statuses;
	unsigned int max;
	unsigned int nr;
};

/* The first page is not the neighbour of the last one. */
static unsigned int pn_neighbours(const u64 *addrs, unsigned int nr)
{
	unsigned int i = 1;

	while (i < nr && addrs[i] && addrs[i] == addrs[i - 1] + PAGE_SIZE)
		i++;
	return i;
}

static s32 *pn_expand(const struct pn_walk *w, s32 *out)
{
	const s32 *mixed = w->mixed;
	unsigned int i;
	u64 j;

	for (i = 0; i < w->nr_runs; i++) {
		const struct pn_run *run = w->runs + i;

		for (j = 0; j < run->nr; j++)
			*out++ = run->mixed ? *mixed++ : run->status;
	}
	return out;
}

/* The whole batch under one hold of the mmap lock */
static int pn_batch_walk(struct pn_batch *batch, struct pn_walk *w)
{
	s32 *out = batch->statuses;
	unsigned int i, run;

	if (mmap_read_lock_killable(w->mm))
		return -EINTR;
	w->vma = NULL;
	for (i = 0; i < batch->nr; i += run) {
		run = pn_neighbours(batch->addrs + i, batch->nr - i);
		w->addr = batch->addrs[i];
		w->nr = run;
		while (w->nr) {
			pn_walk_locked(w);
			out = pn_expand(w, out);
		}
	}
	mmap_read_unlock(w->mm);
	return 0;
}

static int pn_batch_get(struct pn_batch *batch, const struct pagenode_query *q)
{
	const u64 __user *list = u64_to_user_ptr(q->next);
	unsigned int i;

	batch->nr = min_t(u64, batch->max, q->nr_pages - q->out_count);
	if (copy_from_user(batch->addrs, list, batch->nr * sizeof(u64)))
		return -EFAULT;
	for (i = 0; i < batch->nr; i++)
		batch->addrs[i] &= PAGE_MASK;
	return 0;
}

static int pn_batch_put(const struct pn_batch *batch, struct pagenode_query *q)
{
	s32 __user *out = u64_to_user_ptr(q->out);
	size_t size = batch->nr * sizeof(s32);
	size_t left = copy_to_user(out + q->out_count, batch->statuses, size);
	u64 done = (size - left) / sizeof(s32);

	q->out_count += done;
	q->next += done * sizeof(u64);
	return left ? -EFAULT : 0;
}

static int pn_pages_batch(struct pn_batch *batch, struct pn_walk *w,
			  struct pagenode_query *q)
{
	int err = pn_batch_get(batch, q);

	if (!err)
		err = pn_batch_walk(batch, w);
	if (!err)
		err = pn_batch_put(batch, q);
	if (err)
		return err;
	if (fatal_signal_pending(current))
		return -EINTR;
	cond_resched();
	return 0;
}

static int pn_pages_run(struct pagenode_query *q, struct pn_batch *batch)
{
	struct pn_run runs[PN_PAGES_RUNS] __pn_uninitialized;
	s32 mixed[PN_PAGES_MIXED] __pn_uninitialized;
	struct pn_walk w = {
		.mm = current->mm,
		.runs = runs,
		.max_runs = PN_PAGES_RUNS,
		.mixed = mixed,
		.max_mixed = PN_PAGES_MIXED,
	};
	int err = 0;

	if (!w.mm)
		return -EINVAL;
	while (q->out_count < q->nr_pages && !err)
		err = pn_pages_batch(batch, &w, q);
	return err;
}

static int pn_pages_few(struct pagenode_query *q)
{
	u64 addrs[PN_FEW_PAGES] __pn_uninitialized;
	s32 statuses[PN_FEW_PAGES] __pn_uninitialized;
	struct pn_batch batch = {
		.addrs = addrs,
		.statuses = statuses,
		.max = PN_FEW_PAGES,
	};

	return pn_pages_run(q, &batch);
}

static int pn_pages_many(struct pagenode_query *q)
{
	struct pn_many_pages *many = kmalloc(sizeof(*many), GFP_KERNEL_ACCOUNT);
	struct pn_batch batch;
	int err;

	if (!many)
		return -ENOMEM;
	batch = (struct pn_batch) {
		.addrs = many->addrs,
		.statuses = many->statuses,
		.max = PN_MANY_PAGES,
	};
	err = pn_pages_run(q, &batch);
	kfree(many);
	return err;
}

/* The list may end at 2^64, not beyond. */
static bool pn_list_fits(const struct pagenode_query *q)
{
	u64 last_start = U64_MAX - sizeof(u64) + 1;

	return !q->nr_pages ||
	       (q->start <= last_start &&
		q->nr_pages - 1 <= (last_start - q->start) / sizeof(u64));
}

int pn_pages(struct pagenode_query *q)
{
	int err = pn_query_check(q, 0);

	if (err)
		return err;
	if (!pn_list_fits(q))
		return -EINVAL;
	if (q->out_len < q->nr_pages)
		return -ENOSPC;
	return q->nr_pages <= PN_FEW_PAGES ? pn_pages_few(q) :
					     pn_pages_many(q);
}
