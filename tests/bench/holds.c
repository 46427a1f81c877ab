// SPDX-License-Identifier: GPL-2.0-only
#include "grid.h"
#include "holds.h"
#include "trace.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Some of them meet no tick, and no other work of the host. */
#define CALLS		10

/* To read what the tracers say of one event takes long. */
#define LIMIT		(256 * MIB)
#define LIMIT_OF_LIST	(8 * MIB)

static const struct row {
	const struct question *question;
	const struct pattern *about;
	size_t limit;
} rows[] = {
	{ &status, &small_halves, LIMIT },
	{ &status, &huge_halves, LIMIT },
	{ &status, &small_interleaved, LIMIT },
	{ &status, &small_sparse, LIMIT },
	{ &status, &many_mappings, LIMIT },
	{ &status, &hugetlb_shared, LIMIT },
	{ &extents, &small_halves, LIMIT },
	{ &extents, &small_interleaved, LIMIT },
	{ &extents, &many_mappings, LIMIT },
	{ &extents, &hole_around, LIMIT },
	{ &counts, &small_halves, LIMIT },
	{ &counts, &hole_around, LIMIT },
	{ &pages, &small_list, LIMIT_OF_LIST },
	{ &pages, &shuffled_list, LIMIT_OF_LIST },
	{ &move_pages, &small_list, LIMIT_OF_LIST },
	{ &mincore_range, &small_halves, LIMIT },
};

/**
 * struct longest - spans of several calls of the same
 * @nr: of one call
 * @ever: the longest of all
 * @calm: the longest of the call whose longest was the shortest
 */
struct longest {
	unsigned long nr;
	double ever;
	double calm;
};

static void add_spans(struct longest *l, const struct spans *spans)
{
	if (spans->longest > l->ever)
		l->ever = spans->longest;
	if (!l->nr || spans->longest < l->calm)
		l->calm = spans->longest;
	l->nr = spans->nr;
}

static struct longest measure_holds(const struct question *question,
				    struct buffer *b)
{
	struct longest l = { 0 };
	struct trace trace;
	int i;

	trace_holds();
	for (i = 0; i < CALLS; i++) {
		trace_call(&trace, question, b);
		add_spans(&l, &trace.holds);
	}
	return l;
}

static struct longest measure_sections(const struct question *question,
				       struct buffer *b, unsigned long *most)
{
	struct longest l = { 0 };
	struct trace trace;
	int i;

	trace_sections();
	for (i = 0; i < CALLS; i++) {
		trace_call(&trace, question, b);
		add_spans(&l, &trace.sections);
		*most = trace.most;
	}
	trace_holds();
	return l;
}

double longest_hold(const struct question *question, struct buffer *b)
{
	return measure_holds(question, b).calm;
}

static void print_longest(struct grid *grid, const struct longest *l)
{
	grid_number(grid, l->nr);
	grid_number(grid, l->calm / 1e3);
	grid_number(grid, l->ever / 1e3);
}

static void print_row(struct grid *grid, const struct row *row)
{
	struct buffer *b = buffer_of(row->about, row->limit);
	struct longest held, read;
	unsigned long most = 0;

	grid_text(grid, row->question->name);
	grid_text(grid, row->about->name);
	if (!b || !question_works(row->question)) {
		grid_missing(grid);
		return;
	}
	grid->report->wrong += !question_asked_right(row->question, b);
	held = measure_holds(row->question, b);
	print_longest(grid, &held);
	read = measure_sections(row->question, b, &most);
	if (read.nr) {
		print_longest(grid, &read);
		grid_number(grid, most);
	}
	grid_missing(grid);
}

int holds(struct report *report)
{
	static const struct column columns[] = {
		{ "question", -12 }, { "about", -18 },
		{ "holds", 7 }, { "longest", 9 }, { "ever", 9 },
		{ "sections", 10 }, { "longest section", 17 },
		{ "ever section", 14 }, { "in a hold", 11 },
	};
	struct grid grid = { report, columns, ARRAY_SIZE(columns), 0 };
	size_t i;

	trace_init();
	grid_begin(&grid);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		print_row(&grid, rows + i);
	return grid_end(&grid);
}
