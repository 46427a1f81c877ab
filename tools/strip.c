// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "strip.h"

static int shows(const struct pagenode_extent *extent)
{
	if (extent->status >= 0)
		return extent->status;
	return extent->status == -ENOENT ? SHOWS_ABSENT : SHOWS_ZERO;
}

static double bytes_drawn(const struct strip *s, const struct piece *piece)
{
	double bytes = (double)piece->extent.nr_pages *
		       (double)s->p->page_size;

	return piece->extent.status < 0 && bytes > s->cap ? s->cap : bytes;
}

static double all_drawn(const struct strip *s)
{
	double bytes = 0;
	size_t i;

	for (i = 0; i < s->p->nr_pieces; i++)
		bytes += bytes_drawn(s, &s->p->piece[i]);
	return bytes;
}

/* Pages on nodes take two thirds of the strip, if there are any. */
static void scale(struct strip *s)
{
	double placed = (double)tally_placed(s->p, &s->p->total) *
			(double)s->p->page_size;

	s->cap = placed > 0 ? placed / 16 : (double)UINT64_MAX;
	while (placed > 0 && all_drawn(s) > 1.5 * placed &&
	       s->cap > (double)s->p->page_size / 2)
		s->cap /= 2;
	s->column_bytes = all_drawn(s) / STRIP_COLUMNS;
}

double strip_columns(const struct strip *s, const struct piece *piece)
{
	return bytes_drawn(s, piece) / s->column_bytes;
}

/* A column shows the piece that has most of it. */
static void show(struct strip *s, double from, double to, int what)
{
	size_t i = (size_t)from;

	for (; i < STRIP_COLUMNS && (double)i < to; i++) {
		double begin = (double)i > from ? (double)i : from;
		double end = (double)(i + 1) < to ? (double)(i + 1) : to;

		if (end - begin > s->most[i]) {
			s->most[i] = end - begin;
			s->shows[i] = what;
		}
	}
}

void strip_fill(struct strip *s, const struct placement *placement)
{
	double at = 0, next;
	size_t i;

	s->p = placement;
	for (i = 0; i < STRIP_COLUMNS; i++) {
		s->shows[i] = SHOWS_NOTHING;
		s->most[i] = 0;
	}
	scale(s);
	for (i = 0; s->column_bytes > 0 && i < placement->nr_pieces; i++) {
		const struct piece *piece = &placement->piece[i];

		next = at + strip_columns(s, piece);
		show(s, at, next, shows(&piece->extent));
		at = next;
	}
}
