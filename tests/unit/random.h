/* SPDX-License-Identifier: GPL-2.0-only */
/* The same numbers in every run, so that a failure comes again. */
#ifndef PN_RANDOM_H
#define PN_RANDOM_H

#include <stdint.h>

/* xorshift64 */
static inline uint64_t random64(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

#endif /* PN_RANDOM_H */
