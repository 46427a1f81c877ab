// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "compare.h"

const char *number_text(char text[16], double number)
{
	int digits = 0;
	double scale;

	for (scale = number; scale < 100 && digits < 4; scale *= 10)
		digits++;
	snprintf(text, 16, "%.*f", digits, number);
	return text;
}

void compare_heading(const int *nodes, size_t nr)
{
	char name[24];
	size_t i;

	printf("%-4s%8s%16s%16s%8s%6s%*s\n", "", "", "move_pages(2)",
	       "pagenode", "times", "", (int)(nr * 9), "pages on");
	printf("%-4s%8s%8s%8s%8s%8s%8s%6s", "", "pages", "ms", "ns/page", "ms",
	       "ns/page", "faster", "equal");
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "node %d", nodes[i]);
		printf("%9s", name);
	}
	putchar('\n');
}

void compare_row(const struct comparison *c, size_t nr)
{
	double pages = (double)c->pages;
	char text[4][16];
	size_t i;

	printf("%-4s%8zu%8s%8s%8s%8s%7.0fx%6s", c->name, c->pages,
	       number_text(text[0], c->theirs / 1e6),
	       number_text(text[1], c->theirs / pages),
	       number_text(text[2], c->ours / 1e6),
	       number_text(text[3], c->ours / pages), c->theirs / c->ours,
	       c->equal ? "yes" : "NO");
	for (i = 0; i < nr; i++)
		printf("%9" PRIu64, c->on[i]);
	putchar('\n');
}
