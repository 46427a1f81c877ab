/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A query that stops in the middle: where it stores its first answers, until
 * somebody gives it the memory for that. By a userfaultfd, with no timing.
 */
#ifndef HELD_H
#define HELD_H

#include "query.h"

struct held {
	struct pagenode_query q;
	pthread_t thread;
	int device;
	int uffd;
	int err;
};

/*
 * Starts a STATUS query in a thread of its own, and returns when it has stopped
 * there. Of the arguments, out and out_len are set by this function.
 */
void hold_query(struct held *h, struct pagenode_query q);
/* Lets it go on to its end. Returns its statuses, or fails the case. */
const int *finish_query(struct held *h);

#endif /* HELD_H */
