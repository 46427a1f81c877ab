/* SPDX-License-Identifier: GPL-2.0-only */
/* The calls that are compared: pagenode's and the kernel's own */
#ifndef PN_QUESTION_H
#define PN_QUESTION_H

#include "buffer.h"

/**
 * struct question - a call about a buffer
 * @name: for the tables
 * @feature: the bit of pagenode_info.features that it takes, if any
 * @ask: asks, and leaves the answer in the buffer, which is the argument
 * @right: does the answer agree with what move_pages said?
 */
struct question {
	const char *name;
	uint64_t feature;
	void (*ask)(void *buffer);
	bool (*right)(const struct buffer *buffer);
};

extern const struct question status, extents, counts, pages;
extern const struct question move_pages, mincore_range, pagemap_scan;

/* Opens the device and asks what it can do. */
void question_init(void);

/* Can this kernel, with this module, be asked so? */
bool question_works(const struct question *question);

/* Asks it. Was the answer right? */
bool question_asked_right(const struct question *question, struct buffer *b);

#endif /* PN_QUESTION_H */
