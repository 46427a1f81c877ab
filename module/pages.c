// SPDX-License-Identifier: GPL-2.0-only
/*
 * PAGENODE_IOC_PAGES: statuses of a list of addresses, in any order. Neighbours
 * in the list that are neighbours in memory are walked together.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "arch.h"
#include "decode.h"
#include "query.h"

/* Addresses that are copied in together; a few of them fit on the stack. */
#define PN_FEW_PAGES	16
#define PN_MANY_PAGES	1024

/*
 * What bounds the hold of the mmap lock, in the units of pn_walk.budget: a page
 * on its own costs two.
 */
#define PN_PAGES_BUDGET	512

#define PN_PAGES_RUNS	16
#define PN_PAGES_MIXED	512

struct pn_many_pages {
	u64 addrs[PN_MANY_PAGES];
	s32 statuses[PN_MANY_PAGES];
	struct pn_run runs[PN_PAGES_RUNS];
	s32 mixed[PN_PAGES_MIXED];
};

/**
 * struct pn_batch - a part of the list
 * @addrs: the addresses
 * @statuses: their statuses
 * @max: the capacity of both
 * @nr: how many addresses there are
 * @nr_done: how many of them have their status
 */
struct pn_batch {
	u64 *addrs;
	s32 *statuses;
	unsigned int max;
	unsigned int nr;
	unsigned int nr_done;
};

/* Do four addresses go on from @addr page by page? */
static bool pn_go_on(const u64 *addrs, u64 addr)
{
	return !((addrs[0] ^ (addr + PAGE_SIZE)) |
		 (addrs[1] ^ (addr + 2 * PAGE_SIZE)) |
		 (addrs[2] ^ (addr + 3 * PAGE_SIZE)) |
		 (addrs[3] ^ (addr + 4 * PAGE_SIZE)));
}

/*
 * The walk's next range: an address and those after it that go on from it. The
 * first page does not go on from the last one.
 */
static void pn_batch_take(struct pn_batch *batch, struct pn_walk *w)
{
	const u64 *addrs = batch->addrs + batch->nr_done;
	unsigned int i = 1, nr = batch->nr - batch->nr_done;
	u64 first = addrs[0] >> PAGE_SHIFT;

	while (i < nr && addrs[i] >> PAGE_SHIFT == first + i) {
		i++;
		while (i + 4 <= nr && addrs[i + 3] > addrs[0] &&
		       pn_go_on(addrs + i, addrs[i - 1]))
			i += 4;
	}
	w->addr = first << PAGE_SHIFT;
	w->nr = i;
}

static void pn_store(s32 *out, s32 status, u64 nr)
{
	if (nr & 1)
		*out++ = status;
	if (nr > 1)
		memset64((u64 *)out, (u32)status * 0x100000001ULL, nr / 2);
}

static void pn_batch_expand(struct pn_batch *batch, const struct pn_walk *w)
{
	s32 *out = batch->statuses + batch->nr_done;
	const s32 *mixed = w->mixed;
	unsigned int i;
	u64 at;

	for (i = 0; i < w->nr_runs; i++) {
		const struct pn_run *run = w->runs + i;
		u64 nr = pn_run_mixed(run);

		if (run->kind == PN_RUN_SAME)
			pn_store(out, run->status, run->nr);
		else
			for (at = 0; at < run->nr; at += nr)
				memcpy(out + at, mixed, nr * sizeof(*out));
		mixed += nr;
		out += run->nr;
	}
	batch->nr_done = out - batch->statuses;
}

/* As much of the batch as one hold of the mmap lock may take */
static int pn_batch_walk(struct pn_batch *batch, struct pn_walk *w)
{
	if (mmap_read_lock_killable(w->mm))
		return -EINTR;
	w->vma = NULL;
	w->pmds = NULL;
	w->budget = PN_PAGES_BUDGET;
	while (batch->nr_done < batch->nr && w->budget > 0) {
		if (!w->nr)
			pn_batch_take(batch, w);
		pn_walk_locked(w);
		pn_batch_expand(batch, w);
	}
	mmap_read_unlock(w->mm);
	return 0;
}

/* -EFAULT if only a part of it can be read, which is to be answered first. */
static int pn_batch_get(struct pn_batch *batch, const struct pagenode_query *q)
{
	u64 nr = min_t(u64, batch->max, q->nr_pages - q->out_count);
	size_t left = copy_from_user(batch->addrs, u64_to_user_ptr(q->next),
				     nr * sizeof(u64));

	batch->nr = nr - DIV_ROUND_UP(left, sizeof(u64));
	batch->nr_done = 0;
	return left ? -EFAULT : 0;
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
	int get_err = pn_batch_get(batch, q), err;

	while (batch->nr_done < batch->nr) {
		err = pn_batch_walk(batch, w);
		if (!err && q->out_count + batch->nr_done < q->nr_pages)
			err = pn_query_pause(w->mm);
		if (err)
			return err;
	}
	err = pn_batch_put(batch, q);
	return err ? err : get_err;
}

static int pn_pages_run(struct pagenode_query *q, struct pn_batch *batch,
			struct pn_walk *w)
{
	int err = 0;

	while (q->out_count < q->nr_pages && !err)
		err = pn_pages_batch(batch, w, q);
	return err;
}

static int pn_pages_few(struct pagenode_query *q, struct mm_struct *mm)
{
	u64 addrs[PN_FEW_PAGES] __pn_uninitialized;
	s32 statuses[PN_FEW_PAGES] __pn_uninitialized;
	struct pn_run runs[PN_FEW_PAGES] __pn_uninitialized;
	s32 mixed[2 * PN_GROUP] __pn_uninitialized;
	struct pn_batch batch = {
		.addrs = addrs,
		.statuses = statuses,
		.max = PN_FEW_PAGES,
	};
	struct pn_walk w = {
		.mm = mm,
		.runs = runs,
		.max_runs = PN_FEW_PAGES,
		.mixed = mixed,
		.max_mixed = 2 * PN_GROUP,
	};

	return pn_pages_run(q, &batch, &w);
}

static int pn_pages_many(struct pagenode_query *q, struct mm_struct *mm)
{
	struct pn_many_pages *many = kmalloc(sizeof(*many), PN_GFP_NEEDED);
	struct pn_batch batch;
	struct pn_walk w;
	int err;

	if (!many)
		return -ENOMEM;
	batch = (struct pn_batch) {
		.addrs = many->addrs,
		.statuses = many->statuses,
		.max = PN_MANY_PAGES,
	};
	w = (struct pn_walk) {
		.mm = mm,
		.runs = many->runs,
		.max_runs = PN_PAGES_RUNS,
		.mixed = many->mixed,
		.max_mixed = PN_PAGES_MIXED,
	};
	err = pn_pages_run(q, &batch, &w);
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

int pn_pages(struct pagenode_query *q, struct mm_struct *mm)
{
	int err = pn_query_check(q, 0);

	if (err)
		return err;
	if (!pn_list_fits(q))
		return -EINVAL;
	if (q->out_len < q->nr_pages)
		return -ENOSPC;
	return q->nr_pages <= PN_FEW_PAGES ? pn_pages_few(q, mm) :
					     pn_pages_many(q, mm);
}
