// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls, each with what its answer has to hold to. */
#include "asker.h"

static struct pagenode_query argument(const struct question *q, void *out,
				      uint64_t out_len)
{
	return (struct pagenode_query){
		.size = sizeof(struct pagenode_query),
		.flags = q->fd < 0 ? 0 : PAGENODE_F_MM_FD,
		.mm_fd = q->fd < 0 ? 0 : q->fd,
		.start = q->start,
		.nr_pages = q->nr_pages,
		.out = (uintptr_t)out,
		.out_len = out_len,
	};
}

/* Children come and go at any time, hosts at the end. */
static bool may_be_gone(const struct question *q)
{
	return q->subject == COPY || q->subject == PASSING ||
	       (q->fd >= 0 && stopped());
}

static void count_query(const struct question *q, uint64_t nr_pages)
{
	atomic_fetch_add(&shared->query[q->kind][q->subject], 1);
	atomic_fetch_add(&shared->pages, nr_pages);
}

/*
 * False if there was nobody to answer about. EINTR is for a signal that kills,
 * and whoever gets that one sees no answer.
 */
static bool answered(const struct question *q, int err)
{
	if (err == -ESRCH && may_be_gone(q)) {
		atomic_fetch_add(&shared->gone, 1);
		return false;
	}
	if (err)
		wrong(q, "%s", strerror(-err));
	return true;
}

static void want_all(const struct question *q, const struct pagenode_query *arg,
		     uint64_t count, uint64_t next)
{
	if (arg->out_count != count || arg->next != next)
		wrong(q, "out_count %llu, next %#llx",
		      (unsigned long long)arg->out_count,
		      (unsigned long long)arg->next);
}

/* @status may be noise itself, and then only how far it got is known. */
static void want_part(const struct question *q,
		      const struct pagenode_query *arg, int err, size_t size)
{
	if (err != -EFAULT)
		if (!answered(q, err))
			return;
	if (arg->out_count > q->nr_pages ||
	    (!err && arg->out_count != q->nr_pages) ||
	    arg->next != arg->start + arg->out_count * size)
		wrong(q, "into noise: %s, out_count %llu, next %#llx",
		      strerror(-err), (unsigned long long)arg->out_count,
		      (unsigned long long)arg->next);
	atomic_fetch_add(err ? &shared->into_nothing : &shared->into_noise, 1);
	count_query(q, arg->out_count);
}

static bool into_noise(struct asker *a, const struct question *q)
{
	return q->subject == OWN && q->nr_pages <= HUGE_PAGES &&
	       one_in(&a->dice, 4);
}

/* Room for them all, and never the same again. */
static int *noise_out(struct asker *a)
{
	size_t room = (STEADY - ANYWHERE - 1) * HUGE / sizeof(int);

	return (int *)part(ANYWHERE) + roll(&a->dice, room);
}

static void ask_status(struct asker *a, const struct question *q)
{
	int *status = a->status + MAX_ASKED - q->nr_pages;
	struct pagenode_query arg = argument(q, status, q->nr_pages);

	if (into_noise(a, q)) {
		arg.out = (uintptr_t)noise_out(a);
		want_part(q, &arg, ask(PAGENODE_IOC_STATUS, &arg), PAGE);
		return;
	}
	if (!answered(q, ask(PAGENODE_IOC_STATUS, &arg)))
		return;
	want_all(q, &arg, q->nr_pages, q->start + q->nr_pages * PAGE);
	judge_statuses(q, status, q->nr_pages);
	count_query(q, q->nr_pages);
}

static void judge_extent(const struct question *q,
			 const struct pagenode_extent *e, uint64_t next)
{
	bool by_size = q->kind == ASK_EXTENTS_BY_SIZE;
	uint64_t left = q->nr_pages - (next - q->start) / PAGE;

	if (e->start != next || !e->nr_pages || e->nr_pages > left)
		wrong(q, "%llu pages from %#llx on, where %#llx is next",
		      (unsigned long long)e->nr_pages,
		      (unsigned long long)e->start, (unsigned long long)next);
	if (e->page_shift && e->page_shift != 12 && e->page_shift != 21)
		wrong(q, "mapped by 1 << %u", e->page_shift);
	if (e->status >= 0 && !e->page_shift)
		wrong(q, "on node %d and not mapped", e->status);
	judge_run(q, e->start, e->nr_pages, e->status,
		  by_size ? (int)e->page_shift : ANY_SHIFT);
}

/* Runs are as long as can be. */
static void want_border(const struct question *q,
			const struct pagenode_extent *e)
{
	if (e[0].status == e[1].status &&
	    (q->kind == ASK_EXTENTS || e[0].page_shift == e[1].page_shift))
		wrong(q, "two extents with %s at %#llx", status_name(e->status),
		      (unsigned long long)e[1].start);
}

static uint64_t judge_extents(const struct question *q,
			      const struct pagenode_extent *extent, size_t nr,
			      uint64_t next)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		judge_extent(q, extent + i, next);
		if (i)
			want_border(q, extent + i - 1);
		next += extent[i].nr_pages * PAGE;
	}
	return next;
}

/* As many calls as it takes, with an array that is short now and then. */
static void ask_extents(struct asker *a, const struct question *q)
{
	size_t room = one_in(&a->dice, 4) ? 1 + roll(&a->dice, 8) : MAX_EXTENTS;
	struct pagenode_extent *extent = a->extent + MAX_EXTENTS - room;
	uint64_t end = q->start + q->nr_pages * PAGE;
	struct pagenode_query arg = argument(q, extent, room);

	if (q->kind == ASK_EXTENTS_BY_SIZE)
		arg.flags |= PAGENODE_F_SPLIT_PAGE_SIZE;
	while (arg.start < end) {
		uint64_t next;

		if (!answered(q, ask(PAGENODE_IOC_EXTENTS, &arg)))
			return;
		if (!arg.out_count || arg.out_count > room)
			wrong(q, "%llu extents",
			      (unsigned long long)arg.out_count);
		next = judge_extents(q, extent, arg.out_count, arg.start);
		if (arg.next != next || (next < end && arg.out_count < room))
			wrong(q, "%llu extents of %zu, next is %#llx, not %#llx",
			      (unsigned long long)arg.out_count, room,
			      (unsigned long long)arg.next,
			      (unsigned long long)next);
		count_query(q, (next - arg.start) / PAGE);
		arg.start = next;
		arg.nr_pages = (end - next) / PAGE;
	}
}

static void ask_counts(struct asker *a, const struct question *q)
{
	struct pagenode_query arg = argument(q, a->node, a->nr_ids);

	if (!answered(q, ask(PAGENODE_IOC_COUNTS, &arg)))
		return;
	want_all(q, &arg, a->nr_ids, q->start + q->nr_pages * PAGE);
	judge_counts(q, a->node, a->nr_ids, arg.nr_enoent, arg.nr_efault);
	count_query(q, q->nr_pages);
}

/* In order, in runs with gaps, or anywhere in the range */
static void make_list(struct asker *a, const struct question *q)
{
	size_t order = roll(&a->dice, 3);
	uint64_t at = 0;
	size_t i;

	for (i = 0; i < q->nr_pages; i++, at++) {
		if (order == 2 || (order == 1 && one_in(&a->dice, 16)))
			at = roll(&a->dice, q->nr_pages);
		at %= q->nr_pages;
		a->page[i] = q->start + at * PAGE + roll(&a->dice, 64);
	}
}

static void ask_pages(struct asker *a, const struct question *q)
{
	int *status = a->status + MAX_ASKED - q->nr_pages;
	struct pagenode_query arg = argument(q, status, q->nr_pages);
	size_t i;

	make_list(a, q);
	arg.start = (uintptr_t)a->page;
	if (into_noise(a, q)) {
		arg.out = (uintptr_t)noise_out(a);
		want_part(q, &arg, ask(PAGENODE_IOC_PAGES, &arg), 8);
		return;
	}
	if (!answered(q, ask(PAGENODE_IOC_PAGES, &arg)))
		return;
	want_all(q, &arg, q->nr_pages, (uintptr_t)(a->page + q->nr_pages));
	for (i = 0; i < q->nr_pages; i++)
		judge_run(q, a->page[i] & -PAGE, 1, status[i], ANY_SHIFT);
	count_query(q, q->nr_pages);
}

void ask_one(struct asker *a, struct question q)
{
	switch (q.kind) {
	case ASK_STATUS:
		return ask_status(a, &q);
	case ASK_COUNTS:
		return ask_counts(a, &q);
	case ASK_PAGES:
		return ask_pages(a, &q);
	default:
		return ask_extents(a, &q);
	}
}
