/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory to ask about, laid out and populated in one way or another */
#ifndef PN_BUFFER_H
#define PN_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE		4096UL
#define MIB		(1UL << 20)
#define GIB		(1UL << 30)
#define NODES		2

/**
 * struct pattern - a way to populate memory
 * @name: for the tables
 * @size: bytes
 * @around: bytes of untouched address space on each side
 * @folio_kb: in folios of this size; 0: whatever @fill gets
 * @shuffled: the list of its pages is in random order
 * @fill: touches what is to be populated
 */
struct pattern {
	const char *name;
	size_t size;
	size_t around;
	unsigned int folio_kb;
	bool shuffled;
	void (*fill)(char *addr, size_t size);
};

extern const struct pattern small_halves, huge_halves, small_node, small_random;
extern const struct pattern small_interleaved, small_sparse, one_page;
extern const struct pattern folios_64k, folios_256k, folios_1m, folios_2m;
extern const struct pattern small_list, shuffled_list, hole_none, hole_around;
extern const struct pattern many_mappings, hugetlb_shared, small_repeated;

struct pagenode_extent;

/**
 * struct buffer - memory of a pattern, and what was answered about it
 * @pattern: the pattern
 * @start: of the range to ask about
 * @range: its length in pages
 * @list: the pages of the populated part, as move_pages(2) wants them
 * @pages: how many those are
 * @truth: what move_pages says of them
 * @status: an answer, as is the rest
 */
struct buffer {
	const struct pattern *pattern;
	char *start;
	size_t range;
	void **list;
	size_t pages;
	int *truth;
	int *status;
	unsigned char *resident;
	struct pagenode_extent *extents;
	size_t nr_extents;
	uint64_t count[NODES];
	uint64_t absent;
};

/* No range is answered in more extents than this. */
#define MAX_EXTENTS	(1UL << 18)

/**
 * buffer_of() - the buffer of a pattern, made when first asked for
 * @pattern: the pattern
 * @limit: populate no more than so many bytes
 *
 * Return: the buffer, or NULL if the kernel has no folios of that size.
 */
struct buffer *buffer_of(const struct pattern *pattern, size_t limit);

/* Some pages of a buffer without untouched space around, as a buffer */
struct buffer buffer_part(const struct buffer *b, size_t first, size_t nr);

/* So that what follows gets frames in long runs, on each boot the same. */
void buffer_use_up_fragments(void);

#endif /* PN_BUFFER_H */
