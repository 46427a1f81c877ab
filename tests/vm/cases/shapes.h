/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The answers in other shapes than one status a page of a range: extents,
 * counts, and statuses of a list of addresses.
 */
#ifndef SHAPES_H
#define SHAPES_H

#include "query.h"

/* A question whose result is no array of statuses. */
struct pagenode_query shape_question(const void *start, uint64_t nr_pages,
				     void *out, uint64_t out_len);
/* An array of @nr extents with a page after it that nobody may touch. */
struct pagenode_extent *new_extents(size_t nr);
void free_extents(struct pagenode_extent *extent, size_t nr);

/* Fails the case unless the request ends with @want, a negative number or 0. */
void want_answer(const char *what, unsigned long request,
		 struct pagenode_query *q, int want);

/*
 * Extents of a whole range in one call. Returns how many; fails unless all of
 * the range is answered.
 */
size_t module_extents(const void *start, uint64_t nr_pages, uint32_t flags,
		      struct pagenode_extent *extent, size_t room);
/* Counts of a whole range into @node, which has an element for every node. */
struct pagenode_query module_counts(const void *start, uint64_t nr_pages,
				    uint64_t *node, size_t nr_nodes);
/* Statuses of a list of addresses. */
void module_pages(const uint64_t *page, uint64_t nr_pages, int *status);

/*
 * Fail the case unless the answer agrees with what STATUS said of each page. By
 * the kernel's own word on mappings it also judges extents' page_shift.
 */
void check_extents(const void *start, size_t nr_pages, const int *status);
void check_counts(const void *start, size_t nr_pages, const int *status);
void check_pages(const void *start, size_t nr_pages, const int *status);
void check_shapes(const void *start, size_t nr_pages, const int *status);
/* Equal, or two moments of a page that may move. */
bool statuses_agree(int a, int b);

/*
 * mapsize.c: log2 of the size of each page's mapping, by the kernel's own word;
 * 0 where nothing is mapped.
 */
#define SIZE_UNKNOWN	1	/* mapped, but this kernel doesn't say how */
void mapping_sizes(const void *start, size_t nr_pages, uint8_t *shift);

#endif /* SHAPES_H */
