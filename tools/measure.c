// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "measure.h"

/* A sample is long enough for the clock, whose reading takes time too. */
#define SAMPLE_NS	100e3

/* A call gets so much of each turn: most samples of a short one miss the tick. */
#define TURN_NS		1e6

/* What both calls together get, unless this few turns take longer. */
#define SPEND_NS	500e6
#define MIN_TURNS	10

clockid_t measure_clock = CLOCK_MONOTONIC;

double measure_now(void)
{
	struct timespec t;

	clock_gettime(measure_clock, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static double repeat(const struct call *call, unsigned int times)
{
	double start = measure_now();
	unsigned int i;

	for (i = 0; i < times; i++)
		call->run(call->arg);
	return measure_now() - start;
}

/* The first call also warms up what the others find warm. */
static unsigned int sample_size(const struct call *call)
{
	double ns;

	repeat(call, 1);
	ns = repeat(call, 1);
	return ns < SAMPLE_NS ? SAMPLE_NS / (ns + 1) + 1 : 1;
}

/* Takes samples, at least one, and says how long that took in all. */
static double turn(struct call *call, unsigned int size)
{
	double spent = 0;

	while (spent < TURN_NS) {
		double ns = repeat(call, size);

		if (!call->ns || ns / size < call->ns)
			call->ns = ns / size;
		spent += ns;
	}
	return spent;
}

void measure(struct call *ours, struct call *theirs)
{
	unsigned int our_size = sample_size(ours);
	unsigned int their_size = sample_size(theirs), turns;
	double spent = 0;

	ours->ns = 0;
	theirs->ns = 0;
	for (turns = 0; turns < MIN_TURNS || spent < SPEND_NS; turns++)
		spent += turn(ours, our_size) + turn(theirs, their_size);
}
