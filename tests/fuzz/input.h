/* SPDX-License-Identifier: GPL-2.0-only */
/* The fuzzer's bytes, as numbers. Where they end, all is 0. */
#ifndef PN_INPUT_H
#define PN_INPUT_H

#include <stddef.h>
#include <stdint.h>

struct input {
	const uint8_t *byte;
	size_t left;
};

static inline uint32_t take(struct input *in, size_t nr_bytes)
{
	uint32_t n = 0;

	for (; nr_bytes && in->left; nr_bytes--, in->left--)
		n = n << 8 | *in->byte++;
	return n;
}

static inline uint64_t take64(struct input *in)
{
	uint64_t high = take(in, 4);

	return high << 32 | take(in, 4);
}

/* A number below @limit, which takes as few bytes as it can. */
static inline uint32_t take_below(struct input *in, uint32_t limit)
{
	return take(in, limit <= 256 ? 1 : limit <= 65536 ? 2 : 4) % limit;
}

#define TAKE_FROM(in, array) \
	((array)[take_below(in, sizeof(array) / sizeof((array)[0]))])

#endif /* PN_INPUT_H */
