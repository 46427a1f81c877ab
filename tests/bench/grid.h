/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of any columns, for people and for JSON */
#ifndef PN_GRID_H
#define PN_GRID_H

#include <stddef.h>

#include "report.h"

/**
 * struct column - one of them
 * @name: its heading, and its key in JSON
 * @width: in characters; less than 0 for words, which begin at the left
 */
struct column {
	const char *name;
	int width;
};

/**
 * struct grid - a table that is printed cell by cell
 * @report: who speaks, and in which format
 * @columns: the columns
 * @nr: how many of them
 * @cells: how many were printed
 */
struct grid {
	struct report *report;
	const struct column *columns;
	size_t nr;
	size_t cells;
};

void grid_begin(struct grid *grid);
void grid_text(struct grid *grid, const char *text);
void grid_number(struct grid *grid, double number);

/* Leaves the rest of the row empty. */
void grid_missing(struct grid *grid);

/* Returns the exit status: 1 if the report knows of a wrong answer. */
int grid_end(struct grid *grid);

#endif /* PN_GRID_H */
