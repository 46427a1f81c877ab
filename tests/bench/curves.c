// SPDX-License-Identifier: GPL-2.0-only
#include "curves.h"
#include "grid.h"
#include "tools/measure.h"
#include "question.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Measured in pairs, which take turns */
static const struct question *const questions[] = {
	&move_pages, &status, &extents, &counts,
};

static void measure_row(struct grid *grid, struct buffer *b, double unit)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(questions); i += 2) {
		struct call one = { questions[i]->ask, b, 0 };
		struct call other = { questions[i + 1]->ask, b, 0 };

		grid->report->wrong += !question_asked_right(questions[i], b) +
			!question_asked_right(questions[i + 1], b);
		measure(&one, &other);
		grid_number(grid, one.ns / unit);
		grid_number(grid, other.ns / unit);
	}
}

int sizes(struct report *report)
{
	static const struct column columns[] = {
		{ "KiB", 10 }, { "move_pages", 14 }, { "STATUS", 12 },
		{ "EXTENTS", 12 }, { "COUNTS", 12 },
	};
	struct grid grid = { report, columns, ARRAY_SIZE(columns), 0 };
	struct buffer *b = buffer_of(&small_repeated, SIZE_MAX);
	size_t nr;

	grid_begin(&grid);
	for (nr = 1; nr <= b->pages; nr *= 4) {
		struct buffer part = buffer_part(b, 0, nr);

		grid_number(&grid, nr * PAGE / 1024.);
		measure_row(&grid, &part, 1e3);
	}
	return grid_end(&grid);
}

int folios(struct report *report)
{
	static const struct column columns[] = {
		{ "KiB", 10 }, { "move_pages", 14 }, { "STATUS", 12 },
		{ "EXTENTS", 12 }, { "COUNTS", 12 },
	};
	static const struct pattern *const patterns[] = {
		&small_node, &folios_64k, &folios_256k, &folios_1m, &folios_2m,
	};
	struct grid grid = { report, columns, ARRAY_SIZE(columns), 0 };
	size_t i;

	grid_begin(&grid);
	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		struct buffer *b = buffer_of(patterns[i], SIZE_MAX);
		unsigned int kb = patterns[i]->folio_kb;

		grid_number(&grid, kb ? kb : PAGE / 1024.);
		if (b)
			measure_row(&grid, b, b->pages);
		grid_missing(&grid);
	}
	return grid_end(&grid);
}
