// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#define MAX_PAGES	(1ULL << 52)
#define MAX_LIST	3000

static const uint64_t elements[NR_COMMANDS] = {
	[STATUS] = sizeof(int32_t),
	[EXTENTS] = sizeof(struct pagenode_extent),
	[COUNTS] = sizeof(uint64_t),
	[PAGES] = sizeof(int32_t),
};

/* One time in @n, and never where the bytes have ended */
static bool rarely(struct input *in, uint32_t n)
{
	return take_below(in, n) == 1;
}

/* An ioctl of ours, its size and direction of no meaning, or anything else */
static void choose_request(struct input *in, struct call *call)
{
	static const enum command known[] = {
		STATUS, EXTENTS, COUNTS, PAGES, STATUS, EXTENTS, COUNTS, PAGES,
		INFO,
	};
	unsigned int nr;

	call->command = TAKE_FROM(in, known);
	nr = call->command - INFO;
	call->request = _IOC(_IOC_READ | _IOC_WRITE, PAGENODE_IOC_TYPE, nr,
			     call->command == INFO ?
			     sizeof(struct pagenode_info) : QUERY_SIZE);
	if (rarely(in, 16))
		call->request = _IOC(take_below(in, 4), PAGENODE_IOC_TYPE, nr,
				     take_below(in, 1 << 14));
	if (!rarely(in, 32))
		return;
	call->request = rarely(in, 2) ? take(in, 4) :
		_IO(PAGENODE_IOC_TYPE, take_below(in, 256));
	nr = _IOC_NR(call->request);
	call->command = _IOC_TYPE(call->request) == PAGENODE_IOC_TYPE &&
			nr <= PAGES - INFO ? INFO + nr : NO_IOCTL;
}

static uint32_t choose_size(struct input *in, size_t known)
{
	static const int differences[] = { -1, 1, 8, 64, 1024 };
	static const uint32_t others[] = { 0, 1, 64, 80, 4096, 4097, -1U };

	switch (take_below(in, 8)) {
	case 1:
		return known + TAKE_FROM(in, differences);
	case 2:
		return rarely(in, 4) ? take(in, 4) : TAKE_FROM(in, others);
	default:
		return known;
	}
}

static uint64_t choose_range(struct input *in)
{
	uint64_t page = rarely(in, 2) ? take(in, 2) % region_pages :
			take_below(in, 7) * HUGE_PAGES - take_below(in, 4);
	uint64_t start = (uintptr_t)region + page * PAGE;

	switch (take_below(in, 8)) {
	case 1:
		start = choose_bad(in) & (rarely(in, 4) ? -1UL : -PAGE);
		break;
	case 2:
		start = (uintptr_t)outs.view +
			take_below(in, outs.size / PAGE) * PAGE;
		break;
	case 3:
		start += rarely(in, 4) ? take(in, 2) % PAGE : 0;
		break;
	}
	return start;
}

static uint64_t choose_nr_pages(struct input *in, uint64_t start)
{
	static const uint64_t large[] = {
		1 << 18, 1 << 20, 1UL << 32, 1UL << 40, MAX_PAGES,
	};
	uint64_t inside = (uintptr_t)region + region_pages * PAGE - start;
	uint64_t to_end = MAX_PAGES - start / PAGE;

	switch (take_below(in, 10)) {
	case 1:
		return TAKE_FROM(in, large);
	case 2:
		return to_end + take_below(in, 3) - 1;
	case 3:
		return rarely(in, 4) ? take64(in) : to_end;
	case 4:
	case 5:
	case 6:
		return take(in, 2) % (region_pages + 1);
	case 7:
		return inside / PAGE;
	default:
		return take_below(in, 64);
	}
}

/*
 * Where something is written, nothing but boards is in reach: each of them ends
 * in a page that is not writable.
 */
static void choose_out(struct input *in, struct call *call)
{
	struct pagenode_query *q = &call->q;
	uint64_t size = elements[call->command];
	uint32_t how = take_below(in, 16);

	q->out_len = q->nr_pages;
	if (call->command == EXTENTS || call->command == COUNTS || how == 1)
		q->out_len = rarely(in, 8) ? take64(in) :
			     rarely(in, 4) ? take(in, 2) : take_below(in, 80);
	else if (how == 2)
		q->out_len += take_below(in, 3) - 1;
	if (how == 6)
		q->out = choose_bad(in);
	else if (how == 7)
		q->out = on_board(&args, call->arg, 0) ?
			 call->arg + take_below(in, 96) - 8 : 0;
	else if (how == 8)
		q->out = big_place();
	else if (how == 9)
		q->out = choose_place(in, &lists, q->out_len * size);
	else
		q->out = choose_place(in, &outs, q->out_len * size);
}

static uint64_t choose_address(struct input *in)
{
	if (rarely(in, 8))
		return choose_bad(in);
	return (uintptr_t)region + take(in, 3) % (region_pages * PAGE);
}

/* Addresses with a step from one to the next, and a few others among them */
static void fill_list(struct input *in, uint64_t *list, size_t nr)
{
	static const uint64_t steps[] = { PAGE, PAGE, 0, 2 * PAGE, -PAGE, 8 };
	uint64_t addr = choose_address(in);
	uint64_t step = TAKE_FROM(in, steps);
	size_t i, others = take_below(in, 16);

	for (i = 0; i < nr; i++, addr += step)
		list[i] = addr;
	for (; nr && others; others--)
		list[take(in, 2) % nr] = choose_address(in);
}

/* What is read and what is written must not be the same for it to be known. */
static void choose_list(struct input *in, struct call *call)
{
	static uint64_t list[MAX_LIST];
	struct pagenode_query *q = &call->q;

	q->nr_pages = rarely(in, 4) ? take(in, 2) % MAX_LIST :
				      take_below(in, 40);
	fill_list(in, list, q->nr_pages);
	q->start = choose_place(in, &lists, q->nr_pages * sizeof(*list));
	board_put(&lists, q->start, list, q->nr_pages * sizeof(*list));
	call->list = list;
	if (!rarely(in, 8))
		return;
	call->list = NULL;
	q->start = rarely(in, 2) ? choose_bad(in) :
		   choose_place(in, &outs, q->nr_pages * sizeof(*list));
	if (rarely(in, 4))
		q->nr_pages = take64(in);
}

static void choose_flags(struct input *in, struct call *call)
{
	struct pagenode_query *q = &call->q;

	call->target = (struct target) { .ours = true };
	switch (take_below(in, 8)) {
	case 1:
		q->flags = rarely(in, 2) ? take(in, 4) :
					   1U << take_below(in, 32);
		break;
	case 2:
		q->mm_fd = take(in, 4);
		break;
	case 3:
		q->reserved = take(in, 4);
		break;
	case 4:
		q->flags = PAGENODE_F_SPLIT_PAGE_SIZE;
		break;
	case 5:
		q->flags = PAGENODE_F_MM_FD |
			   take_below(in, 2) * PAGENODE_F_SPLIT_PAGE_SIZE;
		break;
	}
	if (q->flags & PAGENODE_F_MM_FD) {
		call->target = choose_target(in);
		q->mm_fd = call->target.fd;
	}
}

static void put_argument(struct input *in, struct call *call)
{
	char filler = rarely(in, 8) ? take(in, 1) : 0;

	if (!on_board(&args, call->arg, 0))
		return;
	memset(board_at(&args, call->arg), filler,
	       args.alias + args.size - board_at(&args, call->arg));
	board_put(&args, call->arg, &call->q, call->known);
	call->beyond = filler;
}

void choose_call(struct input *in, struct call *call)
{
	struct pagenode_query *q = &call->q;

	*call = (struct call) { 0 };
	choose_request(in, call);
	call->known = call->command == INFO ? sizeof(struct pagenode_info) :
					      sizeof(*q);
	call->arg = rarely(in, 32) ? choose_bad(in) :
		    rarely(in, 4) ? choose_place(in, &args, call->known) :
				    (uintptr_t)args.view + PAGE;
	q->size = choose_size(in, call->known);
	choose_flags(in, call);
	if (call->command == PAGES) {
		choose_list(in, call);
	} else {
		q->start = choose_range(in);
		q->nr_pages = choose_nr_pages(in, q->start);
	}
	choose_out(in, call);
	q->out_count = take(in, 1);
	q->next = take(in, 1);
	put_argument(in, call);
	call->raced = rarely(in, 16);
}
