// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "bar.h"
#include "term.h"

/*
 * By how much @cells is less than what a node with that many pages deserves, in
 * units of 1 / @placed of a cell.
 */
static int64_t lack(uint64_t pages, uint64_t placed, int cells)
{
	return (int64_t)(pages * BAR_CELLS) - (int64_t)placed * cells;
}

/* The node that deserves one more cell most, or that deserves its last least */
static size_t most_wrong(const uint64_t *pages, uint64_t placed, size_t nr,
			 const int *cells, int sign)
{
	size_t found = 0, i;
	int64_t most = INT64_MIN;

	for (i = 0; i < nr; i++) {
		int64_t wrong = sign * lack(pages[i], placed, cells[i]);

		/* One that has pages keeps its last cell. */
		if (!pages[i] || (sign < 0 && cells[i] == 1))
			continue;
		if (wrong > most) {
			most = wrong;
			found = i;
		}
	}
	return found;
}

/* Nodes beyond the first sixteen that have pages go without. */
static void share_cells(int *cells, const uint64_t *pages, size_t nr,
			uint64_t placed)
{
	int given = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		cells[i] = (int)(pages[i] * BAR_CELLS / placed);
		if (pages[i] && !cells[i])
			cells[i] = 1;
		given += cells[i];
	}
	for (; given < BAR_CELLS; given++)
		cells[most_wrong(pages, placed, nr, cells, 1)]++;
	for (; given > BAR_CELLS; given--) {
		i = most_wrong(pages, placed, nr, cells, -1);
		if (cells[i] <= 1)
			break;
		cells[i]--;
	}
}

void bar_cells(char cells[BAR_CELLS + 1], const struct placement *p,
	       const struct tally *tally)
{
	uint64_t placed = tally_placed(p, tally);
	int shares[p->nr_nodes];
	size_t used = 0, i;

	memset(cells, ' ', BAR_CELLS);
	cells[BAR_CELLS] = '\0';
	if (!placed)
		return;
	share_cells(shares, tally->node, p->nr_nodes, placed);
	for (i = 0; i < p->nr_nodes; i++)
		for (; shares[i] && used < BAR_CELLS; shares[i]--)
			cells[used++] = node_letter((int)i);
}

/* Letters as they are; a colour per node, where the node's number is known */
void bar_print(const char *cells, bool colour)
{
	const char *c;
	char last = ' ';

	for (c = cells; *c; c++) {
		if (colour && *c != last && *c != ' ')
			printf(COLOUR_BEGIN, node_ink(letter_node(*c)),
			       node_colour(letter_node(*c)));
		last = *c;
		putc_unlocked(*c, stdout);
	}
	if (colour && last != ' ')
		fputs(COLOUR_END, stdout);
}
