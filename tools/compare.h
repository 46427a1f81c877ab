/* SPDX-License-Identifier: GPL-2.0-only */
/* A table that compares move_pages(2) with pagenode, row by row */
#ifndef PN_COMPARE_H
#define PN_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct comparison - a row
 * @name: of the memory
 * @pages: how many base pages it has
 * @theirs: nanoseconds that move_pages takes for them
 * @ours: and pagenode
 * @equal: the answers were
 * @on: how many lie on each of the nodes that have a column
 */
struct comparison {
	const char *name;
	size_t pages;
	double theirs;
	double ours;
	bool equal;
	const uint64_t *on;
};

void compare_heading(const int *nodes, size_t nr);
void compare_row(const struct comparison *row, size_t nr);

/* Three digits of a number of any size */
const char *number_text(char text[16], double number);

#endif /* PN_COMPARE_H */
