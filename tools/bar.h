/* SPDX-License-Identifier: GPL-2.0-only */
/* A bar that shows which part of some memory lies on which node */
#ifndef PN_BAR_H
#define PN_BAR_H

#include "placement.h"

#define BAR_CELLS	16

/*
 * A letter of a node for each cell, or blanks where no page lies on a node. A
 * node with any page has at least one cell, as long as there are cells.
 */
void bar_cells(char cells[BAR_CELLS + 1], const struct placement *placement,
	       const struct tally *tally);

/* Pads to the full width. */
void bar_print(const char *cells, bool colour);

#endif /* PN_BAR_H */
