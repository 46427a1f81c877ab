// SPDX-License-Identifier: GPL-2.0-only
/* Each reason that a call has to fail, by the documentation of the ABI. */
#include "fuzz.h"

#define MAX_ERRNO	134

/* A call must fail for one of the first, and may for one of the others. */
static struct {
	bool must[MAX_ERRNO];
	bool may[MAX_ERRNO];
} reasons;

static void must_if(bool condition, int err)
{
	reasons.must[err] |= condition;
}

static void may_if(bool condition, int err)
{
	reasons.may[err] |= condition;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static bool out_fits(const struct call *call, uint64_t nr, uint64_t size)
{
	return can_write(call->q.out, times(nr, size));
}

static void argument(const struct call *call)
{
	uint64_t beyond = call->q.size - call->known;
	bool longer = call->q.size > call->known;

	must_if(!can_read(call->arg, call->known), EFAULT);
	must_if(call->q.size < call->known, EINVAL);
	must_if(call->q.size > PAGE, E2BIG);
	must_if(longer && call->beyond, E2BIG);
	must_if(longer && !can_read(call->arg + call->known, beyond), EFAULT);
	if (call->command == INFO)
		must_if(!can_write(call->arg, call->known), EFAULT);
	else
		must_if(!can_write(call->arg + QUERY_RESULTS,
				   QUERY_SIZE - QUERY_RESULTS), EFAULT);
}

static void rules(const struct call *call)
{
	const struct pagenode_query *q = &call->q;
	const uint64_t last = UINT64_MAX - sizeof(uint64_t) + 1;
	uint32_t flags = PAGENODE_F_MM_FD;

	if (call->command == EXTENTS)
		flags |= PAGENODE_F_SPLIT_PAGE_SIZE;
	must_if(q->flags & ~flags || q->reserved, EINVAL);
	must_if(q->mm_fd && !(q->flags & PAGENODE_F_MM_FD), EINVAL);
	if (call->target.err)
		must_if(true, -call->target.err);
	if (call->command == PAGES) {
		must_if(q->nr_pages && q->start > last, EINVAL);
		must_if(q->nr_pages && q->start <= last &&
			q->nr_pages - 1 > (last - q->start) / 8, EINVAL);
		must_if(!can_read(q->start, times(q->nr_pages, 8)), EFAULT);
	} else {
		must_if(q->start % PAGE, EINVAL);
		must_if(q->nr_pages > (1ULL << 52) - q->start / PAGE, EINVAL);
	}
}

static void result_array(const struct call *call)
{
	const struct pagenode_query *q = &call->q;
	const struct region_answer *a = region_answer(call);
	uint64_t nr = q->out_len;

	switch (call->command) {
	case STATUS:
	case PAGES:
		must_if(q->out_len < q->nr_pages, ENOSPC);
		must_if(!out_fits(call, q->nr_pages, 4), EFAULT);
		break;
	case EXTENTS:
		if (a->known && nr > a->nr_extents)
			nr = a->nr_extents;
		must_if(a->known && !out_fits(call, nr, 24), EFAULT);
		may_if(!a->known && !out_fits(call, nr, 24), EFAULT);
		break;
	default:
		must_if(a->known && a->nr_nodes > nr, ENOSPC);
		may_if(!a->known && nr < nr_node_ids, ENOSPC);
		if (nr > nr_node_ids)
			nr = nr_node_ids;
		must_if(!out_fits(call, nr, 8), EFAULT);
		break;
	}
}

void judge_error(const struct call *call, int err)
{
	bool fails = false;
	int e;

	if (call->command == NO_IOCTL || call->raced)
		return;
	memset(&reasons, 0, sizeof(reasons));
	argument(call);
	if (call->command != INFO) {
		rules(call);
		result_array(call);
		may_if(true, ENOMEM);
	}
	for (e = 0; e < MAX_ERRNO; e++)
		fails |= reasons.must[e];
	if (!err && fails)
		wrong("success, but it had to fail");
	if (err && !reasons.must[-err] && !reasons.may[-err])
		wrong("%s, but there is no reason for it", strerror(-err));
}
