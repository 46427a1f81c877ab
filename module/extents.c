// SPDX-License-Identifier: GPL-2.0-only
/* PAGENODE_IOC_EXTENTS: runs become an array of the longest possible runs. */
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "query.h"

/**
 * struct pn_extents - an extents query under way
 * @answer: the query
 * @last: the extent that later runs may still extend; none while it is empty
 * @split: another mapping size begins another extent
 */
struct pn_extents {
	struct pn_answer answer;
	struct pagenode_extent last;
	bool split;
};

static int pn_put_extent(struct pagenode_query *q,
			 const struct pagenode_extent *extent)
{
	struct pagenode_extent __user *out = u64_to_user_ptr(q->out);

	if (copy_to_user(out + q->out_count, extent, sizeof(*extent)))
		return -EFAULT;
	q->out_count++;
	q->next = extent->start + (extent->nr_pages << PAGE_SHIFT);
	return 0;
}

static bool pn_extends(const struct pn_extents *x, s32 status, u8 shift)
{
	return x->last.nr_pages && x->last.status == status &&
	       (!x->split || x->last.page_shift == shift);
}

static void pn_extend(struct pagenode_extent *extent, u64 nr, u8 shift)
{
	extent->nr_pages += nr;
	if (shift && (!extent->page_shift || shift < extent->page_shift))
		extent->page_shift = shift;
}

/*
 * An extent is put where the next one begins. The one that no room is left for
 * is not looked at to its end.
 */
static int pn_extents_add(struct pn_extents *x, u64 nr, s32 status, u8 shift)
{
	struct pagenode_query *q = x->answer.q;

	if (pn_extends(x, status, shift)) {
		pn_extend(&x->last, nr, shift);
		return 0;
	}
	if (x->last.nr_pages) {
		int err = pn_put_extent(q, &x->last);

		if (err)
			return err;
	}
	if (q->out_count == q->out_len)
		return PN_ENOUGH;
	x->last = (struct pagenode_extent) {
		.start = q->next,
		.nr_pages = nr,
		.status = status,
		.page_shift = shift,
	};
	return 0;
}

static int pn_extents_add_mixed(struct pn_extents *x, const struct pn_run *run,
				const s32 *mixed)
{
	u64 i;
	int ret = 0;

	for (i = 0; i < run->nr && !ret; i++) {
		u64 at = run->kind == PN_RUN_MIXED ? i : i % PN_GROUP;

		ret = pn_extents_add(x, 1, mixed[at],
				     mixed[at] < 0 ? 0 : PAGE_SHIFT);
	}
	return ret;
}

static int pn_extents_deliver(struct pn_answer *answer, const struct pn_walk *w)
{
	struct pn_extents *x = container_of(answer, struct pn_extents, answer);
	const s32 *mixed = w->mixed;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < w->nr_runs && !ret; i++) {
		const struct pn_run *run = w->runs + i;

		if (run->kind == PN_RUN_SAME)
			ret = pn_extents_add(x, run->nr, run->status,
					     run->shift);
		else
			ret = pn_extents_add_mixed(x, run, mixed);
		mixed += pn_run_mixed(run);
	}
	return ret;
}

int pn_extents(struct pagenode_query *q, struct mm_struct *mm)
{
	struct pn_extents x = {
		.answer = { .q = q, .deliver = pn_extents_deliver },
		.split = q->flags & PAGENODE_F_SPLIT_PAGE_SIZE,
	};
	int ret = pn_query_check_range(q, PAGENODE_F_SPLIT_PAGE_SIZE);

	if (ret)
		return ret;
	ret = pn_query_run(&x.answer, mm);
	if (ret == PN_ENOUGH)
		return 0;
	if (!ret && x.last.nr_pages)
		ret = pn_put_extent(q, &x.last);
	return ret;
}
