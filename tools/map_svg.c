// SPDX-License-Identifier: GPL-2.0-only
/*
 * A placement as a picture: the address space is a strip, coloured by node and
 * broken into rows as text is.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"
#include "strip.h"

#define ROW_WIDTH	960
#define ROWS		(STRIP_COLUMNS / ROW_WIDTH)
#define ROW_HEIGHT	22U
#define ROW_PITCH	48U
#define LEFT		100U
#define RIGHT		20
#define TOP		74U

/* The width of a letter, and how many a label has at most */
#define LETTER		6
#define LABEL		28

/* Mappings that are narrower get no border. */
#define BORDER_EVERY	6

#define BACKGROUND	"#ffffff"
#define INK		"#333333"
#define ABSENT		"#d9d9d9"
#define ZERO		"#000000"

/**
 * struct drawing - a strip on its way into a file
 * @p: what is drawn
 * @file: where to
 * @strip: its columns
 */
struct drawing {
	const struct placement *p;
	FILE *file;
	struct strip strip;
};

static const char *fill_colour(int shows)
{
	if (shows >= 0)
		return node_hex(shows);
	return shows == SHOWS_ABSENT ? ABSENT : ZERO;
}

static unsigned int x_of(size_t column)
{
	return LEFT + (unsigned int)(column % ROW_WIDTH);
}

static unsigned int y_of(size_t column)
{
	return TOP + (unsigned int)(column / ROW_WIDTH) * ROW_PITCH;
}

/* Columns beside each other that show the same are one rectangle. */
static void draw_columns(const struct drawing *d)
{
	const int *shows = d->strip.shows;
	size_t i, from = 0;

	for (i = 1; i <= STRIP_COLUMNS; i++) {
		if (i < STRIP_COLUMNS && i % ROW_WIDTH &&
		    shows[i] == shows[from])
			continue;
		if (shows[from] != SHOWS_NOTHING)
			fprintf(d->file,
				"<rect x=\"%u\" y=\"%u\" width=\"%zu\" height=\"%u\" fill=\"%s\"/>\n",
				x_of(from), y_of(from), i - from, ROW_HEIGHT,
				fill_colour(shows[from]));
		from = i;
	}
}

static void put_text(const struct drawing *d, const char *text, size_t len)
{
	for (; *text && len; text++, len--)
		switch (*text) {
		case '&':
			fputs("&amp;", d->file);
			break;
		case '<':
			fputs("&lt;", d->file);
			break;
		default:
			fputc(*text, d->file);
		}
}

/* A file is called by the last part of its name. Returns the columns it takes. */
static size_t draw_name(const struct drawing *d, size_t column,
			const char *name)
{
	const char *slash = *name == '/' ? strrchr(name, '/') : NULL;
	size_t room = (ROW_WIDTH - column % ROW_WIDTH) / LETTER;
	size_t len;

	name = slash ? slash + 1 : name;
	len = strlen(name) < LABEL ? strlen(name) : LABEL;
	/* Not in the middle of a letter of UTF-8 */
	while (len && ((unsigned char)name[len] & 0xc0) == 0x80)
		len--;
	if (!len || len > room)
		return 0;
	fprintf(d->file, "<text x=\"%u\" y=\"%u\">", x_of(column),
		y_of(column) + ROW_HEIGHT + 11);
	put_text(d, name, len);
	fputs("</text>\n", d->file);
	return (len + 1) * LETTER;
}

static void draw_border(const struct drawing *d, size_t column)
{
	fprintf(d->file,
		"<path d=\"M%u %uv%u\" stroke=\"" BACKGROUND "\"/>\n",
		x_of(column), y_of(column), ROW_HEIGHT);
}

/* At the left of each row that begins in this piece, the address there */
static void draw_addresses(const struct drawing *d, const struct piece *piece,
			   double from, double to)
{
	double bytes = (double)piece->extent.nr_pages *
		       (double)d->p->page_size;
	size_t row = (size_t)(from / ROW_WIDTH);

	for (; row < ROWS && (double)(row * ROW_WIDTH) < to; row++) {
		double part = ((double)(row * ROW_WIDTH) - from) / (to - from);
		uint64_t pages = (uint64_t)(part * bytes) / d->p->page_size;

		if (part < 0)
			continue;
		fprintf(d->file,
			"<text x=\"%u\" y=\"%u\" text-anchor=\"end\">%012llx</text>\n",
			LEFT - 8, y_of(row * ROW_WIDTH) + 15,
			piece->extent.start + pages * d->p->page_size);
	}
}

/* Borders and names of mappings, where there is room */
static void draw_mappings(const struct drawing *d)
{
	size_t last = SIZE_MAX, border = 0, room = 0, column, i;
	double at = 0, next;

	for (i = 0; i < d->p->nr_pieces; i++, at = next) {
		const struct piece *piece = &d->p->piece[i];

		next = at + strip_columns(&d->strip, piece);
		draw_addresses(d, piece, at, next);
		column = (size_t)at;
		if (piece->mapping == last || column >= STRIP_COLUMNS)
			continue;
		last = piece->mapping;
		if (column >= border) {
			draw_border(d, column);
			border = column + BORDER_EVERY;
		}
		if (column >= room)
			room = column + draw_name(d, column,
						  d->p->maps.list[last].name);
	}
}

/* Returns where the next one goes. */
static unsigned int draw_key(const struct drawing *d, unsigned int x,
			     const char *colour, const char *name,
			     uint64_t pages)
{
	char size[SIZE_TEXT];

	if (!pages)
		return x;
	size_text(size, pages * d->p->page_size);
	fprintf(d->file,
		"<rect x=\"%u\" y=\"40\" width=\"12\" height=\"12\" fill=\"%s\"/>\n"
		"<text x=\"%u\" y=\"50\">%s %s</text>\n", x, colour, x + 17,
		name, size);
	return x + 17 + (unsigned int)(strlen(name) + strlen(size) + 4) * LETTER;
}

static void draw_heading(const struct drawing *d)
{
	const struct tally *total = &d->p->total;
	unsigned int x = LEFT;
	char name[32];
	size_t i;

	fprintf(d->file, "<text x=\"%u\" y=\"26\" font-size=\"14\">", LEFT);
	put_text(d, d->p->comm, sizeof(d->p->comm));
	fprintf(d->file, ", process %d: %zu mappings</text>\n", (int)d->p->pid,
		d->p->maps.nr);
	for (i = 0; i < d->p->nr_nodes; i++) {
		snprintf(name, sizeof(name), "node %zu", i);
		x = draw_key(d, x, node_hex((int)i), name, total->node[i]);
	}
	x = draw_key(d, x, ZERO, "zero page", total->zero);
	draw_key(d, x, ABSENT, "absent (shortened)", total->absent);
}

void map_svg(const struct placement *p, FILE *file)
{
	struct drawing *d = calloc(1, sizeof(*d));
	unsigned int width = LEFT + ROW_WIDTH + RIGHT;
	unsigned int height = TOP + ROWS * ROW_PITCH;

	if (!d)
		err(EXIT_FAILURE, "the picture");
	d->p = p;
	d->file = file;
	strip_fill(&d->strip, p);
	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" font-family=\"monospace\" font-size=\"10\" fill=\"" INK "\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"" BACKGROUND "\"/>\n",
		width, height, width, height);
	draw_heading(d);
	if (d->strip.column_bytes > 0) {
		draw_columns(d);
		draw_mappings(d);
	}
	fputs("</svg>\n", file);
	free(d);
}
