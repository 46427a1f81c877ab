/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the memory of a process lies: its mappings, joined with extents */
#ifndef PN_PLACEMENT_H
#define PN_PLACEMENT_H

#include <stdbool.h>
#include <sys/types.h>

#include <pagenode.h>

#include "maps.h"

/* log2 of a page size is less. */
#define PAGE_SHIFTS	40

/**
 * struct tally - pages of the base size by what they are
 * @node: pages on each node, an array as long as the placement says
 * @absent: pages that are not present
 * @zero: pages that are the zero page
 * @shift: pages by log2 of the size that they are mapped by; without the module
 *	that is not known, and all are 0
 */
struct tally {
	uint64_t *node;
	uint64_t absent;
	uint64_t zero;
	uint64_t shift[PAGE_SHIFTS];
};

/**
 * struct piece - pages of one mapping that are alike
 * @mapping: its index in the list
 * @extent: the pages
 */
struct piece {
	size_t mapping;
	struct pagenode_extent extent;
};

/**
 * struct placement - a process
 * @pid: its id
 * @comm: its name
 * @fast: the module answered
 * @page_size: the base page size
 * @nr_nodes: the highest possible node id + 1
 * @maps: its mappings
 * @tally: one for each mapping
 * @total: their sum
 * @keep: keep the pieces too; set before placement_read()
 * @piece: the pieces, in order of address
 * @nr_pieces: how many there are
 */
struct placement {
	pid_t pid;
	char comm[COMM_TEXT];
	bool fast;
	size_t page_size;
	size_t nr_nodes;
	struct maps maps;
	struct tally *tally;
	struct tally total;
	bool keep;
	struct piece *piece;
	size_t nr_pieces;
};

/* Ends the program with a message where it can't. */
void placement_read(struct placement *placement, pid_t pid);
void placement_free(struct placement *placement);

/* All pages of a tally, and those that lie on a node */
uint64_t tally_pages(const struct placement *placement,
		     const struct tally *tally);
uint64_t tally_placed(const struct placement *placement,
		      const struct tally *tally);

#endif /* PN_PLACEMENT_H */
