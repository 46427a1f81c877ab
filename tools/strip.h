/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A placement as a strip of columns, each of which shows one thing. Holes
 * between mappings are left out, and what is absent is shortened, so that it
 * leaves room for what is not.
 */
#ifndef PN_STRIP_H
#define PN_STRIP_H

#include "placement.h"

#define STRIP_COLUMNS	9600

/* What a column shows, if not a node */
#define SHOWS_NOTHING	(-1)
#define SHOWS_ABSENT	(-2)
#define SHOWS_ZERO	(-3)

/**
 * struct strip - the columns
 * @p: what they show; its pieces were kept
 * @cap: pages that are on no node take no more bytes in a run
 * @column_bytes: how many bytes a column stands for; 0 if there are none
 * @shows: for each column what it shows
 * @most: for each column how much of it that is
 */
struct strip {
	const struct placement *p;
	double cap;
	double column_bytes;
	int shows[STRIP_COLUMNS];
	double most[STRIP_COLUMNS];
};

void strip_fill(struct strip *strip, const struct placement *placement);

/* How many columns, whole and in part, a piece takes */
double strip_columns(const struct strip *strip, const struct piece *piece);

#endif /* PN_STRIP_H */
