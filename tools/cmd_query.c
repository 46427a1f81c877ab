// SPDX-License-Identifier: GPL-2.0-only
/* pagenode query: a range of addresses, as extents, pages or counts */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "nodes.h"
#include "size.h"
#include "source.h"
#include "tool.h"

static const char help[] =
	"usage: pagenode query [OPTION]... START-END\n"
	"       pagenode query [OPTION]... START+SIZE\n"
	"       pagenode query [OPTION]... START SIZE\n"
	"\n"
	"On which nodes do the pages of a range of addresses lie? Addresses are\n"
	"hexadecimal, as in /proc/PID/maps; sizes are like 4096, 0x1000, 64K, 1.5G.\n"
	"\n"
	"  -p, --pid=PID  of that process; else of this command itself\n"
	"      --pages    a line a page, and not one for each run of like pages\n"
	"      --counts   how many pages are what\n"
	"      --json     for programs\n"
	"  -h, --help     this text\n"
	"  -V, --version  the version\n";

enum form { EXTENTS, PAGES, COUNTS };

/**
 * struct query - a question, and how to print its answer
 * @pid: the process, or 0
 * @range: the addresses, of whole pages
 * @form: the form of the answer
 * @json: for programs
 * @source: what answers
 * @out: the output for programs
 * @last: the extent that may go on with the next one
 * @page_size: the base page size
 */
struct query {
	pid_t pid;
	struct range range;
	enum form form;
	bool json;
	struct source source;
	struct json_out out;
	struct pagenode_extent last;
	size_t page_size;
};

static const char *status_name(int status)
{
	if (status >= 0)
		return "on a node";
	return status == -ENOENT ? "absent" : "zero or unmapped";
}

static json_t *json_extent(const struct query *q,
			   const struct pagenode_extent *extent)
{
	json_t *json = json_object();

	json_object_set_new(json, "start", json_address(extent->start));
	if (q->form == EXTENTS) {
		json_object_set_new(json, "pages",
				    json_number(extent->nr_pages));
		json_object_set_new(json, "mapped_by", extent->page_shift ?
				    json_number(1ULL << extent->page_shift) :
				    json_null());
	}
	json_object_set_new(json, "status",
			    json_string(status_name(extent->status)));
	json_object_set_new(json, "node", extent->status < 0 ? json_null() :
			    json_integer(extent->status));
	return json;
}

static const char *status_text(char text[24], int status)
{
	if (status >= 0)
		snprintf(text, 24, "node %d", status);
	else
		snprintf(text, 24, "%s", status_name(status));
	return text;
}

static void print_text(const struct query *q,
		       const struct pagenode_extent *extent)
{
	uint64_t bytes = extent->nr_pages * q->page_size;
	char size[SIZE_TEXT], page[SIZE_TEXT], status[24];

	status_text(status, extent->status);
	if (q->form == PAGES)
		printf("%012llx  %s\n", extent->start, status);
	else
		printf("%012llx-%012llx  %5s  %-16s  %s\n",
		       extent->start, extent->start + bytes,
		       size_text(size, bytes), status, extent->page_shift ?
		       size_text(page, 1ULL << extent->page_shift) : "-");
}

static void print_extent(struct query *q, const struct pagenode_extent *extent)
{
	if (q->json)
		json_out_element(&q->out, json_extent(q, extent));
	else
		print_text(q, extent);
}

static int print_pages(void *arg, const struct pagenode_extent *extent)
{
	struct pagenode_extent page = *extent;
	struct query *q = arg;
	uint64_t i;

	page.nr_pages = 1;
	for (i = 0; i < extent->nr_pages; i++) {
		print_extent(q, &page);
		page.start += q->page_size;
	}
	return ferror(stdout);
}

/* The answers to two questions in turn may be halves of one extent. */
static int print_joined(void *arg, const struct pagenode_extent *extent)
{
	struct query *q = arg;
	struct pagenode_extent *last = &q->last;

	if (last->nr_pages && last->status == extent->status &&
	    last->page_shift == extent->page_shift) {
		last->nr_pages += extent->nr_pages;
		return 0;
	}
	if (last->nr_pages)
		print_extent(q, last);
	*last = *extent;
	return ferror(stdout);
}

static void print_extents(struct query *q)
{
	const char *list = q->form == PAGES ? "pages" : "extents";

	if (q->json)
		json_out_list_begin(&q->out, list);
	if (source_each(&q->source, &q->range,
			q->form == PAGES ? print_pages : print_joined, q) < 0)
		source_refused(q->pid ? q->pid : getpid());
	if (q->last.nr_pages)
		print_extent(q, &q->last);
	if (q->json)
		json_out_list_end();
}

static void json_counts(struct query *q, const struct pagenode_counts *counts)
{
	json_t *nodes = json_object();
	char key[24];
	size_t i;

	for (i = 0; i < counts->nr_nodes; i++) {
		snprintf(key, sizeof(key), "%zu", i);
		if (counts->node[i])
			json_object_set_new(nodes, key,
					    json_number(counts->node[i]));
	}
	json_out_member(&q->out, "nodes", nodes);
	json_out_member(&q->out, "absent", json_number(counts->nr_enoent));
	json_out_member(&q->out, "zero_or_unmapped",
			json_number(counts->nr_efault));
}

static void text_count(const struct query *q, const char *name, uint64_t pages)
{
	char size[SIZE_TEXT];

	printf("%-18s%12" PRIu64 " pages  %5s\n", name, pages,
	       size_text(size, pages * q->page_size));
}

static void text_counts(const struct query *q,
			const struct pagenode_counts *counts)
{
	char name[24];
	size_t i;

	for (i = 0; i < counts->nr_nodes; i++)
		if (counts->node[i])
			text_count(q, status_text(name, (int)i),
				   counts->node[i]);
	text_count(q, "absent", counts->nr_enoent);
	text_count(q, "zero or unmapped", counts->nr_efault);
}

static void print_counts(struct query *q)
{
	struct pagenode_counts counts = { .nr_nodes = nodes_possible() };

	counts.node = calloc(counts.nr_nodes, sizeof(*counts.node));
	if (!counts.node ||
	    pagenode_counts(q->source.pn,
			    (const void *)(uintptr_t)q->range.start,
			    q->range.end - q->range.start, &counts))
		source_refused(q->pid ? q->pid : getpid());
	if (q->json)
		json_counts(q, &counts);
	else
		text_counts(q, &counts);
	free(counts.node);
}

static void ask(struct query *q)
{
	if (source_open(&q->source, q->pid))
		source_refused(q->pid);
	if (q->json) {
		json_out_member(&q->out, "pid",
				json_integer(q->pid ? q->pid : getpid()));
		json_out_member(&q->out, "module",
				json_boolean(source_is_fast(&q->source)));
		json_out_member(&q->out, "page_bytes",
				json_number(q->page_size));
	}
	if (q->form == COUNTS)
		print_counts(q);
	else
		print_extents(q);
	if (q->json)
		json_out_end(&q->out);
	source_close(&q->source);
}

/* The pages that the range touches */
static void round_outward(struct query *q)
{
	uint64_t mask = q->page_size - 1;

	if (q->range.end > UINT64_MAX - mask)
		usage_error("the range goes past the end of the address space");
	q->range.start &= ~mask;
	q->range.end = (q->range.end + mask) & ~mask;
}

static void parse_range(struct query *q, int argc, char **argv)
{
	int ret;

	if (optind >= argc)
		usage_error("which range?");
	if (optind + 1 < argc)
		ret = range_of(argv[optind], argv[optind + 1], &q->range);
	else
		ret = range_parse(argv[optind], &q->range);
	if (ret)
		usage_error("\"%s%s%s\": %s", argv[optind],
			    optind + 1 < argc ? " " : "",
			    optind + 1 < argc ? argv[optind + 1] : "",
			    errno == ERANGE ? "too large" : "not a range");
	optind += optind + 1 < argc ? 2 : 1;
	no_more_arguments(argc, argv);
	round_outward(q);
}

int cmd_query(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pid", required_argument, NULL, 'p' },
		{ "pages", no_argument, NULL, 'P' },
		{ "counts", no_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'j' },
		OPTION_HELP, OPTION_VERSION, OPTION_END
	};
	struct query q = { .page_size = (size_t)sysconf(_SC_PAGESIZE) };
	int option;

	while ((option = getopt_long(argc, argv, "p:hV", options, NULL)) != -1)
		if (option == 'p')
			q.pid = pid_argument(optarg);
		else if (option == 'P')
			q.form = PAGES;
		else if (option == 'c')
			q.form = COUNTS;
		else if (option == 'j')
			q.json = true;
		else
			common_option(option, help);
	parse_range(&q, argc, argv);
	ask(&q);
	return EXIT_SUCCESS;
}
