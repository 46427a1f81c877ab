/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers that a seed fixes: what somebody does in a step of its own. */
#ifndef DICE_H
#define DICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dice {
	uint64_t state;
};

/* splitmix64 */
static inline uint64_t throw_dice(struct dice *d)
{
	uint64_t z = d->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* 0 to @sides - 1 */
static inline size_t roll(struct dice *d, size_t sides)
{
	return throw_dice(d) % sides;
}

static inline bool one_in(struct dice *d, size_t sides)
{
	return !roll(d, sides);
}

/*
 * Of one of those that share a seed. What was thrown in one step does not change
 * the next one, so it depends on nothing that happens meanwhile.
 */
static inline struct dice dice_of(uint64_t seed, uint64_t who, uint64_t step)
{
	struct dice d = { .state = seed };

	d.state = throw_dice(&d) + who;
	d.state = throw_dice(&d) + step;
	return d;
}

#endif /* DICE_H */
