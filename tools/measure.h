/* SPDX-License-Identifier: GPL-2.0-only */
/* How long a call takes */
#ifndef PN_MEASURE_H
#define PN_MEASURE_H

#include <time.h>

/* What is measured: time, unless somebody sets another. */
extern clockid_t measure_clock;

/* The clock, in nanoseconds */
double measure_now(void);

struct call {
	void (*run)(void *arg);
	void *arg;
	double ns;		/* what measure() found */
};

/**
 * measure() - time two calls side by side
 * @ours: one of them
 * @theirs: the other
 *
 * They take turns, so that whatever else the machine does meets both. Of each
 * the shortest time counts, since a disturbance only ever adds to it.
 */
void measure(struct call *ours, struct call *theirs);

#endif /* PN_MEASURE_H */
