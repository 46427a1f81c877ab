// SPDX-License-Identifier: GPL-2.0-only
/*
 * PAGENODE_IOC_STATUS: runs become an array of one __s32 a page in the caller's
 * memory. A run is stored there directly, without an array in the kernel to copy
 * from.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "query.h"

/* Elements stored between two looks at signals and the scheduler */
#define PN_FILL_PIECE	(SZ_1M / sizeof(s32))

/* Statuses in one round of pn_fill()'s loop */
#define PN_FILL_UNROLL	16

/*
 * Store @nr elements, two at a time while that works, and one at a time to find
 * where it stops working. Returns how many were stored.
 */
static u64 pn_fill(s32 __user *out, u64 nr, s32 status)
{
	u64 pair = (u32)status * 0x100000001ULL, left = nr;

	if (!user_write_access_begin(out, nr * sizeof(*out)))
		return 0;
	if (left && !IS_ALIGNED((unsigned long)out, sizeof(pair))) {
		unsafe_put_user(status, out, done);
		out++;
		left--;
	}
	while (left >= PN_FILL_UNROLL) {
		u64 __user *pairs = (u64 __user *)out;

		unsafe_put_user(pair, pairs, single);
		unsafe_put_user(pair, pairs + 1, single);
		unsafe_put_user(pair, pairs + 2, single);
		unsafe_put_user(pair, pairs + 3, single);
		unsafe_put_user(pair, pairs + 4, single);
		unsafe_put_user(pair, pairs + 5, single);
		unsafe_put_user(pair, pairs + 6, single);
		unsafe_put_user(pair, pairs + 7, single);
		out += PN_FILL_UNROLL;
		left -= PN_FILL_UNROLL;
	}
single:
	while (left) {
		unsafe_put_user(status, out, done);
		out++;
		left--;
	}
done:
	user_write_access_end();
	return nr - left;
}

/* As pn_fill(), of PN_GROUP statuses over and over; @nr is a multiple of that. */
static u64 pn_fill_repeated(s32 __user *out, u64 nr, const s32 *statuses)
{
	u64 pair[PN_GROUP / 2], left = nr;

	memcpy(pair, statuses, sizeof(pair));
	if (!user_write_access_begin(out, nr * sizeof(*out)))
		return 0;
	for (; left; left -= PN_GROUP) {
		u64 __user *pairs = (u64 __user *)out;

		unsafe_put_user(pair[0], pairs, single);
		unsafe_put_user(pair[1], pairs + 1, single);
		unsafe_put_user(pair[2], pairs + 2, single);
		unsafe_put_user(pair[3], pairs + 3, single);
		out += PN_GROUP;
	}
single:
	while (left) {
		unsafe_put_user(statuses[(nr - left) % PN_GROUP], out, done);
		out++;
		left--;
	}
done:
	user_write_access_end();
	return nr - left;
}

static u64 pn_copy(s32 __user *out, u64 nr, const s32 *statuses)
{
	u64 size = nr * sizeof(*statuses);

	return (size - copy_to_user(out, statuses, size)) / sizeof(*statuses);
}

static void pn_advance(struct pagenode_query *q, u64 nr)
{
	q->out_count += nr;
	q->next += nr << PAGE_SHIFT;
}

static s32 __user *pn_status_out(const struct pagenode_query *q)
{
	return (s32 __user *)u64_to_user_ptr(q->out) + q->out_count;
}

static int pn_deliver_run(struct pagenode_query *q, const struct pn_run *run)
{
	u64 left = run->nr;

	for (;;) {
		u64 piece = min_t(u64, left, PN_FILL_PIECE);
		u64 done = pn_fill(pn_status_out(q), piece, run->status);

		pn_advance(q, done);
		left -= done;
		if (done < piece)
			return -EFAULT;
		if (!left)
			return 0;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
}

static int pn_deliver_mixed(struct pagenode_query *q, const struct pn_run *run,
			    const s32 *mixed)
{
	u64 done = run->kind == PN_RUN_MIXED ?
		pn_copy(pn_status_out(q), run->nr, mixed) :
		pn_fill_repeated(pn_status_out(q), run->nr, mixed);

	pn_advance(q, done);
	return done < run->nr ? -EFAULT : 0;
}

static int pn_status_deliver(struct pn_answer *answer, const struct pn_walk *w)
{
	const s32 *mixed = w->mixed;
	unsigned int i;
	int err = 0;

	for (i = 0; i < w->nr_runs && !err; i++) {
		const struct pn_run *run = w->runs + i;

		if (run->kind == PN_RUN_SAME)
			err = pn_deliver_run(answer->q, run);
		else
			err = pn_deliver_mixed(answer->q, run, mixed);
		mixed += pn_run_mixed(run);
	}
	return err;
}

int pn_status(struct pagenode_query *q, struct mm_struct *mm)
{
	struct pn_answer answer = { .q = q, .deliver = pn_status_deliver };
	int err = pn_query_check_range(q, 0);

	if (err)
		return err;
	if (q->out_len < q->nr_pages)
		return -ENOSPC;
	return pn_query_run(&answer, mm);
}
