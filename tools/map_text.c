// SPDX-License-Identifier: GPL-2.0-only
/* A placement as a table, or in lines of their own where that is too wide */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "bar.h"
#include "map.h"

#define CELL		7
#define SIZES		9
#define NAME_WIDTH	20

/* The longest first line, of two that would otherwise be one */
#define HEADING		70

/**
 * struct table - how to print
 * @p: what
 * @pages: numbers of pages, and not sizes
 * @colour: in colour
 * @width: of the terminal, or 0
 * @cell: the width of a number
 * @node: the nodes that get a column
 * @nr_nodes: how many they are
 */
struct table {
	const struct placement *p;
	bool pages;
	bool colour;
	unsigned int width;
	int cell;
	size_t *node;
	size_t nr_nodes;
};

static const char *amount(const struct table *t, char text[SIZE_TEXT], uint64_t pages)
{
	if (!pages)
		return "-";
	if (t->pages)
		digits_text(text, pages);
	else
		size_text(text, pages * t->p->page_size);
	return text;
}

/*
 * A table may have very many rows, and printf() would take most of the time
 * that it takes to print them.
 */
static void put(const char *text)
{
	fputs_unlocked(text, stdout);
}

static void put_blanks(size_t nr)
{
	while (nr--)
		putc_unlocked(' ', stdout);
}

static void put_hex(uint64_t number)
{
	static const char digits[] = "0123456789abcdef";
	char text[17];
	size_t at = sizeof(text) - 1;

	text[at] = '\0';
	for (; number || at > sizeof(text) - 1 - 12; number >>= 4)
		text[--at] = digits[number & 15];
	put(text + at);
}

static void cell(const struct table *t, uint64_t pages)
{
	char room[SIZE_TEXT];
	const char *text = amount(t, room, pages);
	size_t len = strlen(text);

	put_blanks(len < (size_t)t->cell ? (size_t)t->cell + 1 - len : 1);
	put(text);
}

/* "4K+2M", the sizes by which the pages are mapped */
static void put_sizes(const struct tally *tally)
{
	char text[SIZE_TEXT];
	size_t shift, len = 0;

	put("  ");
	for (shift = 0; shift < PAGE_SHIFTS; shift++)
		if (tally->shift[shift]) {
			if (len)
				putc_unlocked('+', stdout);
			put(size_text(text, 1ULL << shift));
			len += (len > 0) + strlen(text);
		}
	if (!len)
		putc_unlocked('-', stdout);
	len += !len;
	put_blanks(len < SIZES ? SIZES + 1 - len : 1);
}

static void bar(const struct table *t, const struct tally *tally)
{
	char cells[BAR_CELLS + 1];

	bar_cells(cells, t->p, tally);
	bar_print(cells, t->colour);
}

static void print_row(const struct table *t, const struct tally *tally)
{
	size_t i;

	for (i = 0; i < t->nr_nodes; i++)
		cell(t, tally->node[t->node[i]]);
	cell(t, tally->zero);
	cell(t, tally->absent);
	put_sizes(tally);
	bar(t, tally);
}

/* What the terminal's width leaves for a name: its end says most. */
static void print_name(const char *name, size_t room, bool bounded)
{
	size_t len = strlen(name);

	if (!bounded || len <= room) {
		put(name);
	} else if (room > 3) {
		name += len - (room - 2);
		/* Not in the middle of a letter of UTF-8 */
		while (((unsigned char)*name & 0xc0) == 0x80)
			name++;
		printf("..%s", name);
	}
}

static void print_range(const struct mapping *m)
{
	put_hex(m->range.start);
	putc_unlocked('-', stdout);
	put_hex(m->range.end);
	putc_unlocked(' ', stdout);
	put(m->perms);
}

/* Two blanks, perms and range, and the widths of print_row() and the size */
static unsigned int row_width(const struct table *t)
{
	return 30 + (unsigned int)(t->nr_nodes + 3) * (unsigned int)(t->cell + 1) +
	       SIZES + 3 + BAR_CELLS + 1;
}

static void print_mapping(const struct table *t, size_t i)
{
	const struct mapping *m = &t->p->maps.list[i];
	const struct tally *tally = &t->p->tally[i];
	unsigned int used = row_width(t);

	print_range(m);
	cell(t, tally_pages(t->p, tally));
	print_row(t, tally);
	if (*m->name) {
		putchar(' ');
		print_name(m->name, t->width - used, t->width);
	}
	putchar('\n');
}

static void print_heading(const struct table *t)
{
	char name[32];
	size_t i;

	printf("%-25s perm %*s", "address range", t->cell, "size");
	for (i = 0; i < t->nr_nodes; i++) {
		snprintf(name, sizeof(name), "node%zu", t->node[i]);
		printf(" %*s", t->cell, name);
	}
	printf(" %*s %*s  %-*s %-*s mapping\n", t->cell, "zero", t->cell,
	       "absent", SIZES, "mapped by", BAR_CELLS, "share of nodes");
}

static void print_table(const struct table *t)
{
	const struct placement *p = t->p;
	size_t i;

	print_heading(t);
	for (i = 0; i < p->maps.nr; i++)
		print_mapping(t, i);
	printf("%-30s", "total");
	cell(t, tally_pages(p, &p->total));
	print_row(t, &p->total);
	putchar('\n');
}

/* An item of a line that goes on in the next where the terminal ends */
static void item(const struct table *t, unsigned int *column, const char *name,
		 uint64_t pages)
{
	char number[SIZE_TEXT], text[64];
	unsigned int len;

	if (!pages)
		return;
	len = (unsigned int)snprintf(text, sizeof(text), "%s %s", name,
				     amount(t, number, pages));
	if (*column && *column + 2 + len > t->width) {
		putchar('\n');
		*column = 0;
	}
	printf("  %s", text);
	*column += 2 + len;
}

static void print_items(const struct table *t, const struct tally *tally)
{
	unsigned int column = 0;
	char name[32], size[SIZE_TEXT];
	size_t i;

	item(t, &column, "size", tally_pages(t->p, tally));
	for (i = 0; i < t->nr_nodes; i++) {
		snprintf(name, sizeof(name), "node%zu", t->node[i]);
		item(t, &column, name, tally->node[t->node[i]]);
	}
	item(t, &column, "zero", tally->zero);
	item(t, &column, "absent", tally->absent);
	for (i = 0; i < PAGE_SHIFTS; i++) {
		snprintf(name, sizeof(name), "by %s",
			 size_text(size, 1ULL << i));
		item(t, &column, name, tally->shift[i]);
	}
	putchar('\n');
	if (tally_placed(t->p, tally)) {
		fputs("  ", stdout);
		bar(t, tally);
		putchar('\n');
	}
}

static void print_stacked(const struct table *t)
{
	const struct placement *p = t->p;
	size_t i;

	for (i = 0; i < p->maps.nr; i++) {
		print_range(&p->maps.list[i]);
		if (*p->maps.list[i].name) {
			putchar(' ');
			print_name(p->maps.list[i].name,
				   t->width > 31 ? t->width - 31 : 0, true);
		}
		putchar('\n');
		print_items(t, &p->tally[i]);
	}
	puts("total");
	print_items(t, &p->total);
}

/* What the totals of a row can't say */
static void print_sizes(const struct table *t)
{
	const struct tally *total = &t->p->total;
	char size[SIZE_TEXT], text[SIZE_TEXT];
	size_t i;

	for (i = 0; i < PAGE_SHIFTS; i++)
		if (total->shift[i])
			printf("mapped by %-4s %*s\n",
			       size_text(size, 1ULL << i), t->cell,
			       amount(t, text, total->shift[i]));
}

static void choose_nodes(struct table *t)
{
	size_t i;

	t->node = calloc(t->p->nr_nodes, sizeof(*t->node));
	for (i = 0; t->node && i < t->p->nr_nodes; i++)
		if (t->p->total.node[i])
			t->node[t->nr_nodes++] = i;
}

void map_text(const struct placement *p, bool pages, bool colour,
	      unsigned int width)
{
	struct table t = {
		.p = p,
		.pages = pages,
		.colour = colour,
		.width = width,
		.cell = pages ? 11 : CELL - 1,
	};

	choose_nodes(&t);
	printf("%s, process %d:%c%zu mappings, as %s says\n", p->comm,
	       (int)p->pid, width && width < HEADING ? '\n' : ' ', p->maps.nr,
	       p->fast ? "pagenode" : "move_pages(2)");
	if (width && row_width(&t) + NAME_WIDTH > width) {
		print_stacked(&t);
	} else {
		print_table(&t);
		print_sizes(&t);
	}
	free(t.node);
}
