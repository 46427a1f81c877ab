/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A range that is known page by page, and what each ioctl must say of it: all of
 * it, or as much as it says that it came to before an error.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "query.h"

/**
 * struct trial - a question about the range by one of the ioctls
 * @name: what messages call it
 * @request: the ioctl
 * @element: bytes of an element of its result
 * @nr: elements of the whole answer
 * @want: the whole answer
 */
struct trial {
	const char *name;
	unsigned long request;
	size_t element;
	size_t nr;
	void *want;
};

#define NR_TRIALS	4

/* The range's place, and what it will be: call it once, before all else. */
const struct trial *known_trials(void);
/* Makes it so, in the process that is asked about. @arg is not used. */
void known_fill(void *arg);

/* Room for the answer, and a page after it that nobody may touch. */
void *trial_room(const struct trial *t);
/* The question with its answer to @out, and the room there marked as unwritten. */
struct pagenode_query trial_question(const struct trial *t, void *out);
/*
 * Fails the case unless the query @q that ended with @err is answered as far as
 * it says, with nothing written beyond. All of it must be if @err is 0, and
 * nothing if that is -ENOMEM.
 */
void trial_check(const struct trial *t, const struct pagenode_query *q,
		 const void *out, int err);
/* Asks with nothing in the way. */
void trial_want_all(const struct trial *t, void *out);

#endif /* KNOWN_H */
