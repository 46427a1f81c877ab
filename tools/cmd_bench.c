// SPDX-License-Identifier: GPL-2.0-only
/* pagenode bench: what this machine gains */
#include <err.h>
#include <errno.h>
#include <pagenode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "buffer.h"
#include "compare.h"
#include "json.h"
#include "measure.h"
#include "nodes.h"
#include "progress.h"
#include "size.h"
#include "tool.h"

static const char help[] =
	"usage: pagenode bench [OPTION]...\n"
	"\n"
	"Asks pagenode and move_pages(2) on which node each page of a buffer is, over\n"
	"and over, and shows the shortest times.\n"
	"\n"
	"      --size=SIZE  of the buffer; 256M unless said otherwise\n"
	"      --json       for programs\n"
	"  -h, --help       this text\n"
	"  -V, --version    the version\n";

#define DEFAULT_SIZE	(256UL << 20)
#define UNIT		(2UL << 20)
#define NODES		64

/**
 * struct bench - what is measured, and with what
 * @pn: the module
 * @buffer: the memory
 * @pages: how many base pages it has
 * @list: their addresses, for move_pages
 * @theirs: what move_pages says
 * @ours: what the module says
 * @node: the nodes with memory
 * @nr_nodes: how many they are
 */
struct bench {
	struct pagenode *pn;
	struct buffer buffer;
	size_t pages;
	void **list;
	int *theirs;
	int *ours;
	int node[NODES];
	size_t nr_nodes;
};

static void ask_module(void *arg)
{
	struct bench *b = arg;

	if (pagenode_status(b->pn, b->buffer.start, b->buffer.size, b->ours,
			    b->pages))
		err(EXIT_FAILURE, "pagenode");
}

static void ask_kernel(void *arg)
{
	struct bench *b = arg;

	if (syscall(SYS_move_pages, 0, b->pages, b->list, NULL, b->theirs, 0))
		err(EXIT_FAILURE, "move_pages");
}

/* Does the kernel use huge pages here? Of all that it was asked for? */
static bool is_huge(const struct bench *b)
{
	struct pagenode_extent extent[NODES];
	ssize_t nr = pagenode_extents_by_size(b->pn, b->buffer.start,
					      b->buffer.size, extent, NODES,
					      NULL);
	uint64_t pages = 0;
	ssize_t i;

	for (i = 0; i < nr; i++)
		if (1ULL << extent[i].page_shift >= UNIT)
			pages += extent[i].nr_pages;
	return pages == b->pages;
}

static void list_pages(struct bench *b)
{
	size_t page = b->buffer.size / b->pages, i;

	for (i = 0; i < b->pages; i++)
		b->list[i] = b->buffer.start + i * page;
}

static void count(const struct bench *b, uint64_t *on)
{
	size_t i, node;

	memset(on, 0, NODES * sizeof(*on));
	for (i = 0; i < b->pages; i++)
		for (node = 0; node < b->nr_nodes; node++)
			on[node] += b->ours[i] == b->node[node];
}

/* False where there is no such memory. */
static bool compare(struct bench *b, struct comparison *row, uint64_t *on,
		    bool huge)
{
	struct call ours = { ask_module, b, 0 };
	struct call theirs = { ask_kernel, b, 0 };
	bool possible;

	*row = (struct comparison) {
		.name = huge ? "THP" : "4K", .pages = b->pages, .on = on,
	};
	if (buffer_make(&b->buffer, b->buffer.size, huge))
		err(EXIT_FAILURE, "the buffer");
	list_pages(b);
	possible = !huge || is_huge(b);
	if (possible) {
		measure(&ours, &theirs);
		row->ours = ours.ns;
		row->theirs = theirs.ns;
		row->equal = !memcmp(b->ours, b->theirs,
				     b->pages * sizeof(*b->ours));
		count(b, on);
	}
	buffer_free(&b->buffer);
	return possible;
}

static json_t *json_row(const struct bench *b, const struct comparison *row)
{
	json_t *nodes = json_object();
	char key[24];
	size_t i;

	for (i = 0; i < b->nr_nodes; i++) {
		snprintf(key, sizeof(key), "%d", b->node[i]);
		json_object_set_new(nodes, key, json_number(row->on[i]));
	}
	return json_pack("{s:s, s:o, s:f, s:f, s:b, s:o}", "memory", row->name,
			 "pages", json_number(row->pages), "move_pages_ns",
			 row->theirs, "pagenode_ns", row->ours, "equal",
			 row->equal, "nodes", nodes);
}

/* Returns whether all answers were equal. */
static bool print_rows(struct bench *b, struct json_out *out)
{
	struct progress progress;
	struct comparison row;
	uint64_t on[NODES];
	bool equal = true;
	int huge;

	progress_begin(&progress, 2);
	for (huge = 0; huge < 2; huge++) {
		bool possible = compare(b, &row, on, huge);

		progress_end(&progress);
		if (!possible)
			warnx("no row for huge pages: this kernel gives none, or has too few");
		else if (out)
			json_out_element(out, json_row(b, &row));
		else
			compare_row(&row, b->nr_nodes);
		fflush(stdout);
		equal &= !possible || row.equal;
		progress_at(&progress, 1);
	}
	progress_end(&progress);
	return equal;
}

static bool print_table(struct bench *b, const char *release)
{
	char size[SIZE_TEXT];

	printf("Linux %s\nOn which node is each page of a buffer of %s?\n\n",
	       release, size_text(size, b->buffer.size));
	compare_heading(b->node, b->nr_nodes);
	return print_rows(b, NULL);
}

static bool print_json(struct bench *b, const char *release)
{
	struct json_out out = { false };
	bool equal;

	json_out_member(&out, "kernel", json_string(release));
	json_out_member(&out, "size", json_number(b->buffer.size));
	json_out_list_begin(&out, "rows");
	equal = print_rows(b, &out);
	json_out_list_end();
	json_out_end(&out);
	return equal;
}

/* Every page of the results is touched, so that no fault is timed. */
static void prepare(struct bench *b, size_t size)
{
	b->buffer.size = size;
	b->pages = size / (size_t)sysconf(_SC_PAGESIZE);
	b->list = calloc(b->pages, sizeof(*b->list));
	b->theirs = malloc(b->pages * sizeof(*b->theirs));
	b->ours = malloc(b->pages * sizeof(*b->ours));
	if (!b->list || !b->theirs || !b->ours)
		err(EXIT_FAILURE, "the results");
	memset(b->theirs, 0xff, b->pages * sizeof(*b->theirs));
	memset(b->ours, 0xff, b->pages * sizeof(*b->ours));
	b->nr_nodes = nodes_with_memory(b->node, NODES);
	if (b->nr_nodes > NODES)
		b->nr_nodes = NODES;
	b->pn = pagenode_open(0);
	if (!b->pn)
		err(EXIT_FAILURE, "pagenode");
	if (pagenode_backend(b->pn) != PAGENODE_BACKEND_DEVICE)
		errx(EXIT_FAILURE, "nothing to compare: %s. \"pagenode doctor\" says more",
		     pagenode_describe(b->pn));
}

static size_t size_argument(const char *text)
{
	uint64_t size;

	if (size_parse(text, &size) || size < UNIT || size > SIZE_MAX / 2)
		usage_error("\"%s\" is no size of %lu bytes or more", text,
			    UNIT);
	return size / UNIT * UNIT;
}

int cmd_bench(int argc, char **argv)
{
	static const struct option options[] = {
		{ "size", required_argument, NULL, 's' },
		{ "json", no_argument, NULL, 'j' },
		OPTION_HELP, OPTION_VERSION, OPTION_END
	};
	bool (*print)(struct bench *b, const char *release) = print_table;
	size_t size = DEFAULT_SIZE;
	struct utsname name;
	struct bench b = { 0 };
	bool equal;
	int option;

	while ((option = getopt_long(argc, argv, "hV", options, NULL)) != -1)
		if (option == 's')
			size = size_argument(optarg);
		else if (option == 'j')
			print = print_json;
		else
			common_option(option, help);
	no_more_arguments(argc, argv);

	prepare(&b, size);
	uname(&name);
	equal = print(&b, name.release);
	if (!equal)
		warnx("the answers differ: pages moved meanwhile, or one is wrong");
	pagenode_close(b.pn);
	free(b.list);
	free(b.theirs);
	free(b.ours);
	return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
