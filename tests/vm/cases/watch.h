/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A range that threads ask about with all four ioctls, over and over, while
 * something happens to it or near it.
 */
#ifndef WATCH_H
#define WATCH_H

#include "query.h"

/* What a page may be answered as, if not one status: */
#define MOVES	10000	/* any node, or absent */
#define CHANGES	10001	/* anything that the contract has */
#define MAY_GO	20000	/* plus a node: that one, or absent */

/* @want: an element a page. What follows it is room for answers. */
struct watch {
	const char *start;
	size_t nr_pages;
	int *want;
	int *status;
	uint64_t *page;
	uint64_t *node;
	struct pagenode_extent *extent;
};

struct watch *new_watch(const void *start, size_t nr_pages);
/* What the pages from the @first one on must be answered as. */
void watch_want(struct watch *w, size_t first, size_t nr_pages, int want);

/* Asks with each ioctl once. Fails the case at the first wrong answer. */
void watch_once(const struct watch *w);

/* The same in threads until watch_stop(). The others return how many rounds. */
void watch_start(const struct watch *w);
unsigned long watch_count(void);
unsigned long watch_stop(void);

#endif /* WATCH_H */
