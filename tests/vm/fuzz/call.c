// SPDX-License-Identifier: GPL-2.0-only
/* Makes an ioctl, and has it judged. */
#include "fuzz.h"

#include <sys/ioctl.h>

/* A word of the argument, and another value that writes to a board only */
static void start_race(struct input *in, const struct call *call)
{
	size_t word = take_below(in, call->known / sizeof(uint64_t));
	uint64_t other = take_below(in, 2) ? take64(in) : take(in, 2);

	if (word == offsetof(struct pagenode_query, out) / sizeof(uint64_t))
		other = choose_place(in, &outs, PAGE);
	racer_start(board_at(&args, call->arg) + word * sizeof(uint64_t),
		    other);
}

/* Did the module get as far as to know the argument? */
static bool was_read(const struct call *call)
{
	uint64_t beyond = call->q.size - call->known;

	return can_read(call->arg, call->known) &&
	       call->q.size >= call->known && call->q.size <= PAGE &&
	       (call->q.size == call->known ||
		(!call->beyond &&
		 can_read(call->arg + call->known, beyond)));
}

/* What it may write where that does not follow from what it says */
static void allow_all(const struct call *call)
{
	boards_allow(call->arg, call->known);
	boards_allow((uintptr_t)outs.view, outs.size);
	boards_allow((uintptr_t)lists.view, lists.size);
	if (on_board(&args, call->q.out, 0))
		boards_allow((uintptr_t)args.view, args.size);
}

static void judge(const struct call *call, int err)
{
	struct pagenode_query after;

	judge_error(call, err);
	if (call->raced) {
		allow_all(call);
	} else if (was_read(call) && call->command == INFO) {
		boards_allow(call->arg, call->known);
	} else if (was_read(call) && call->command != NO_IOCTL) {
		boards_allow(call->arg + QUERY_RESULTS,
			     QUERY_SIZE - QUERY_RESULTS);
		board_get(&args, call->arg, &after, sizeof(after));
		if (can_write(call->arg, sizeof(after)))
			judge_answer(call, &after, err);
		else
			allow_all(call);
	}
	boards_check();
}

void fuzz_ioctl(struct input *in)
{
	struct call call;
	int err;

	choose_call(in, &call);
	call.raced = call.raced && call.command != NO_IOCTL &&
		     can_read(call.arg, call.known);
	boards_save();
	if (call.raced)
		start_race(in, &call);
	cover_begin();
	err = ioctl(device(), call.request, (void *)call.arg) ? -errno : 0;
	if (call.raced)
		racer_stop();
	tally(call.command, err);
	judge(&call, err);
}
