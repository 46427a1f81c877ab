// SPDX-License-Identifier: GPL-2.0-only
/* PAGENODE_IOC_COUNTS: runs are added up by node. */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "query.h"

/**
 * struct pn_counts - a counts query under way
 * @answer: the query
 * @node: pages by node id, pn_nr_node_ids() of them
 * @nr_enoent: pages with status -ENOENT
 * @nr_efault: pages with status -EFAULT
 */
struct pn_counts {
	struct pn_answer answer;
	u64 *node;
	u64 nr_enoent;
	u64 nr_efault;
};

static void pn_counts_add(struct pn_counts *c, u64 nr, s32 status)
{
	if (status >= 0)
		c->node[status] += nr;
	else if (status == -ENOENT)
		c->nr_enoent += nr;
	else
		c->nr_efault += nr;
}

static int pn_counts_deliver(struct pn_answer *answer, const struct pn_walk *w)
{
	struct pn_counts *c = container_of(answer, struct pn_counts, answer);
	const s32 *mixed = w->mixed;
	unsigned int i;

	for (i = 0; i < w->nr_runs; i++) {
		const struct pn_run *run = w->runs + i;
		const s32 *end = mixed + pn_run_mixed(run);
		u64 nr = run->kind == PN_RUN_MIXED ? 1 : run->nr / PN_GROUP;

		if (run->kind == PN_RUN_SAME)
			pn_counts_add(c, run->nr, run->status);
		while (mixed < end)
			pn_counts_add(c, nr, *mixed++);
	}
	return 0;
}

static u64 pn_counts_needed(const struct pn_counts *c)
{
	u64 needed = pn_nr_node_ids();

	while (needed && !c->node[needed - 1])
		needed--;
	return needed;
}

/* Nodes that can't exist on this machine are left out of a longer array. */
static int pn_counts_put(const struct pn_counts *c)
{
	struct pagenode_query *q = c->answer.q;
	u64 nr = min_t(u64, q->out_len, pn_nr_node_ids());
	u64 needed = pn_counts_needed(c);

	if (needed > q->out_len) {
		q->out_count = needed;
		return -ENOSPC;
	}
	if (copy_to_user(u64_to_user_ptr(q->out), c->node,
			 nr * sizeof(*c->node)))
		return -EFAULT;
	q->out_count = nr;
	q->next = q->start + (q->nr_pages << PAGE_SHIFT);
	q->nr_enoent = c->nr_enoent;
	q->nr_efault = c->nr_efault;
	return 0;
}

int pn_counts(struct pagenode_query *q, struct mm_struct *mm)
{
	struct pn_counts c = {
		.answer = { .q = q, .deliver = pn_counts_deliver },
	};
	int err = pn_query_check_range(q, 0);

	if (err)
		return err;
	c.node = kcalloc(pn_nr_node_ids(), sizeof(*c.node), PN_GFP_NEEDED);
	if (!c.node)
		return -ENOMEM;
	err = pn_query_run(&c.answer, mm);
	if (!err)
		err = pn_counts_put(&c);
	kfree(c.node);
	return err;
}
