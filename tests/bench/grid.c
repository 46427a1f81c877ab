// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "grid.h"

static bool is_json(const struct grid *g)
{
	return g->report->format == REPORT_JSON;
}

void grid_begin(struct grid *g)
{
	size_t i;

	report_heading(g->report);
	if (is_json(g))
		return;
	for (i = 0; i < g->nr; i++)
		printf("%*s", g->columns[i].width, g->columns[i].name);
	putchar('\n');
}

static void json_cell(struct grid *g, const char *quote, const char *text)
{
	size_t at = g->cells % g->nr;

	if (at)
		printf(", ");
	else
		printf("%s\n\t\t\t{ ", g->cells ? "," : "");
	printf("\"%s\": %s%s%s", g->columns[at].name, quote, text, quote);
	if (at == g->nr - 1)
		printf(" }");
}

static void text_cell(const struct grid *g, const char *text)
{
	size_t at = g->cells % g->nr;

	printf("%*s", g->columns[at].width, text);
	if (at == g->nr - 1)
		putchar('\n');
}

void grid_text(struct grid *g, const char *text)
{
	if (is_json(g))
		json_cell(g, "\"", text);
	else
		text_cell(g, text);
	g->cells++;
}

void grid_number(struct grid *g, double number)
{
	char text[16];

	number_text(text, number);
	if (is_json(g))
		json_cell(g, "", text);
	else
		text_cell(g, text);
	g->cells++;
}

void grid_missing(struct grid *g)
{
	while (g->cells % g->nr) {
		if (is_json(g))
			json_cell(g, "", "null");
		else
			text_cell(g, "-");
		g->cells++;
	}
}

int grid_end(struct grid *g)
{
	if (is_json(g))
		printf("\n\t\t]\n\t}\n");
	return g->report->wrong != 0;
}
