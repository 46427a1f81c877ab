// SPDX-License-Identifier: GPL-2.0-only
/* What a call has written: where, and whether it is right. */
#include "fuzz.h"

/* How many bytes of the result array may have been written? */
static uint64_t bytes_written(const struct call *call,
			      const struct pagenode_query *after, int err)
{
	static const uint64_t sizes[NR_COMMANDS] = {
		[STATUS] = 4, [EXTENTS] = 24, [COUNTS] = 8, [PAGES] = 4
	};
	uint64_t size = sizes[call->command];

	uint64_t room = call->q.out_len < nr_node_ids ? call->q.out_len :
							nr_node_ids;

	if (call->command == COUNTS && err == -EFAULT)
		return room * size;
	if (call->command == COUNTS && err)
		return 0;
	/* Of an element that did not fit a part may be there. */
	return after->out_count * size + (err == -EFAULT ? size - 1 : 0);
}

static bool status_ok(const struct call *call, int status, uint64_t addr)
{
	if (call->target.ours && region_status(addr) != ANY_STATUS)
		return status == region_status(addr);
	return status == -ENOENT || status == -EFAULT ||
	       (status >= 0 && (unsigned int)status < nr_node_ids);
}

static void check_statuses(const struct call *call, uint64_t nr)
{
	uint64_t step = 1 + nr / 4096;
	uint64_t i, addr;
	int status;

	for (i = 0; i < nr; i += step) {
		addr = call->command == PAGES ? call->list[i] :
						call->q.start + i * PAGE;
		memory_get(call->q.out + i * sizeof(status), &status,
			   sizeof(status));
		if (!status_ok(call, status, addr))
			wrong("status %llu of %#llx is %d, not %d",
			      (unsigned long long)i, (unsigned long long)addr,
			      status, region_status(addr));
	}
}

static void check_extent(const struct call *call,
			 const struct pagenode_extent *e)
{
	uint64_t page = e->start / PAGE;
	uint64_t first = (uintptr_t)region / PAGE;
	uint64_t end = page + e->nr_pages;

	if (!status_ok(call, e->status, e->start))
		wrong("the status of an extent is %d", e->status);
	if (e->status >= 0 && e->page_shift < 12)
		wrong("the page_shift of an extent is %u", e->page_shift);
	if (page < first)
		page = first;
	if (end > first + region_pages)
		end = first + region_pages;
	for (; page < end; page++)
		if (!status_ok(call, e->status, page * PAGE))
			wrong("page %#llx is in an extent of %d",
			      (unsigned long long)page, e->status);
}

static void check_extents(const struct call *call,
			  const struct pagenode_query *after, int err)
{
	bool split = call->q.flags & PAGENODE_F_SPLIT_PAGE_SIZE;
	struct pagenode_extent e, last = { .status = ANY_STATUS };
	uint64_t i, at = call->q.start, left = call->q.nr_pages;

	for (i = 0; i < after->out_count; i++, last = e) {
		memory_get(call->q.out + i * sizeof(e), &e, sizeof(e));
		if (e.start != at || !e.nr_pages ||
		    e.nr_pages > left)
			wrong("extent %llu is %llu pages at %#llx",
			      (unsigned long long)i,
			      (unsigned long long)e.nr_pages,
			      (unsigned long long)e.start);
		if (e.status == last.status &&
		    (!split || e.page_shift == last.page_shift))
			wrong("extent %llu goes on with the last one",
			      (unsigned long long)i);
		check_extent(call, &e);
		at += e.nr_pages * PAGE;
		left -= e.nr_pages;
	}
	if (after->next != at)
		wrong("next is not the end of the last extent");
	if (!err && after->out_count < call->q.out_len && left)
		wrong("the extents end before the range");
}

static void check_counts(const struct call *call,
			 const struct pagenode_query *after)
{
	uint64_t sum = after->nr_enoent + after->nr_efault;
	const struct region_answer *a = region_answer(call);
	uint64_t i, nr;

	for (i = 0; i < after->out_count; i++, sum += nr) {
		memory_get(call->q.out + i * sizeof(nr), &nr, sizeof(nr));
		if (a->known && nr != a->count[i])
			wrong("%llu pages on node %llu, not %llu",
			      (unsigned long long)nr, (unsigned long long)i,
			      (unsigned long long)a->count[i]);
	}
	if (sum != call->q.nr_pages)
		wrong("the counts add up to %llu", (unsigned long long)sum);
	if (a->known && after->nr_enoent != a->nr_enoent)
		wrong("nr_enoent is %llu",
		      (unsigned long long)after->nr_enoent);
}

/* The struct's own results */
static void check_results(const struct call *call,
			  const struct pagenode_query *after, int err)
{
	const struct pagenode_query *q = &call->q;
	uint64_t unit = call->command == PAGES ? sizeof(uint64_t) : PAGE;
	bool all = !err && call->command != EXTENTS;
	uint64_t want = q->nr_pages;

	if (call->command == COUNTS)
		want = q->out_len < nr_node_ids ? q->out_len : nr_node_ids;
	if (all && after->out_count != want)
		wrong("out_count is %llu", (unsigned long long)after->out_count);
	if (all && after->next != q->start + q->nr_pages * unit)
		wrong("next is not the end");
	if (err && call->command == COUNTS && after->next != q->start)
		wrong("next has moved, but nothing is answered");
	if (err && err != -EFAULT && call->command != COUNTS &&
	    (after->out_count || after->next != q->start))
		wrong("refused, but there are results");
	if ((call->command == STATUS || call->command == PAGES) &&
	    after->next != q->start + after->out_count * unit)
		wrong("next and out_count do not agree");
	if ((err || call->command != COUNTS) &&
	    (after->nr_enoent || after->nr_efault))
		wrong("counts that nobody asked for");
}

static void check_array(const struct call *call,
			const struct pagenode_query *after, int err)
{
	/* Its results, or its list, lie in its own array. */
	if (on_board(&args, call->q.out, 0))
		return;
	if (call->command == STATUS ||
	    (call->command == PAGES && call->list &&
	     !on_board(&lists, call->q.out, 0)))
		check_statuses(call, after->out_count);
	else if (call->command == EXTENTS)
		check_extents(call, after, err);
	else if (call->command == COUNTS && !err)
		check_counts(call, after);
}

void judge_answer(const struct call *call, const struct pagenode_query *after,
		  int err)
{
	uint64_t len = bytes_written(call, after, err);

	boards_allow(call->q.out, len);
	if (on_board(&args, call->q.out, 0))
		return;
	if (memcmp(after, &call->q, QUERY_RESULTS))
		wrong("what was asked has changed");
	check_results(call, after, err);
	tally_shape(call->command, call->q.nr_pages, after->out_count);
	check_array(call, after, err);
}
