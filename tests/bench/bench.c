// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pagenode costs and what the kernel's own calls cost, for the same memory
 * in the same run. Runs in the guest, with the module loaded.
 *
 *	bench demo	1 GiB of 4K pages and of huge pages, half on each node
 *	bench table	every target that is a ratio of times
 *	bench icount	every target in instructions, for a guest whose clock
 *			counts them
 *	bench gate	those of them that are test cases
 *	bench threads	what a second thread gains
 *	bench waits	how long another thread waits for the mmap lock
 *	bench holds	how long that lock is held, and RCU is read
 *	bench holds-icount	the same in instructions
 *	bench sizes	the cost of a call by the size of its range
 *	bench folios	the cost of a page by the size of its folio
 *
 * --machine and --cpu say what the guest runs on. --json is for programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "buffer.h"
#include "curves.h"
#include "file.h"
#include "holds.h"
#include "tools/measure.h"
#include "question.h"
#include "report.h"
#include "threads.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/**
 * struct row - a comparison
 * @question: what to ask
 * @about: of which memory
 * @their_question: what to compare with
 * @their_about: of which memory, where not of the same
 * @rule: what to reach
 */
struct row {
	const struct question *question;
	const struct pattern *about;
	const struct question *their_question;
	const struct pattern *their_about;
	struct rule rule;
};

static const struct row table_rows[] = {
	{ &status, &small_halves, &move_pages, NULL, FASTER(100) },
	{ &status, &huge_halves, &move_pages, NULL, FASTER(200) },
	{ &status, &small_halves, &mincore_range, NULL, FASTER(1) },
	{ &status, &huge_halves, &mincore_range, NULL, NO_RULE },
	{ &status, &one_page, &move_pages, NULL, FASTER(1) },
	{ &status, &one_page, &mincore_range, NULL, NO_RULE },
	{ &status, &small_random, &status, &small_node, WITHIN(2) },
	{ &status, &small_interleaved, &status, &small_node, WITHIN(2) },
	{ &status, &small_sparse, &status, &small_node, WITHIN(2) },
	{ &status, &folios_64k, &status, &small_node, WITHIN(1.1) },
	{ &status, &folios_256k, &status, &folios_64k, WITHIN(1.1) },
	{ &status, &folios_1m, &status, &folios_256k, WITHIN(1.1) },
	{ &status, &folios_2m, &status, &folios_1m, WITHIN(1.1) },
	{ &extents, &small_halves, &move_pages, NULL, FASTER(200) },
	{ &extents, &huge_halves, &move_pages, NULL, FASTER(5000) },
	{ &extents, &huge_halves, &pagemap_scan, NULL, FASTER(1) },
	{ &extents, &small_halves, &pagemap_scan, NULL, NO_RULE },
	{ &extents, &hole_around, &extents, &hole_none, WITHIN(2) },
	{ &counts, &small_halves, &move_pages, NULL, NO_RULE },
	{ &counts, &huge_halves, &move_pages, NULL, FASTER(5000) },
	{ &counts, &hole_around, &counts, &hole_none, WITHIN(2) },
	{ &pages, &small_list, &move_pages, NULL, FASTER(50) },
	{ &pages, &shuffled_list, &move_pages, NULL, FASTER(3) },
};

/* Limits that a change must not break */
static const struct row gate_rows[] = {
	{ &status, &small_halves, &move_pages, NULL, AT_MOST(6) },
	{ &status, &huge_halves, &move_pages, NULL, AT_MOST(1) },
	{ &extents, &small_halves, &move_pages, NULL, AT_MOST(4) },
	{ &extents, &huge_halves, &move_pages, NULL, AT_MOST(0.2) },
};

static const struct row icount_rows[] = {
	{ &status, &one_page, &move_pages, NULL, FASTER(1) },
	{ &status, &small_random, &status, &small_node, WITHIN(2) },
	{ &status, &small_interleaved, &status, &small_node, WITHIN(2) },
	{ &status, &small_sparse, &status, &small_node, WITHIN(2) },
	{ &status, &folios_64k, &status, &small_node, WITHIN(1.01) },
	{ &status, &folios_256k, &status, &folios_64k, WITHIN(1.01) },
	{ &status, &folios_1m, &status, &folios_256k, WITHIN(1.01) },
	{ &status, &folios_2m, &status, &folios_1m, WITHIN(1.01) },
	{ &extents, &hole_around, &extents, &hole_none, WITHIN(2) },
	{ &counts, &hole_around, &counts, &hole_none, WITHIN(2) },
};

/* So small that the timer tick misses some of the repetitions */
#define ICOUNT_SIZE	(64 * MIB)

/* Why the comparison can't be made, or NULL */
static const char *missing(const struct row *row, const struct buffer *ours,
			   const struct buffer *theirs)
{
	if (!question_works(row->question))
		return "this module has no such ioctl";
	if (!question_works(row->their_question))
		return "this kernel has no PAGEMAP_SCAN";
	if (!ours || !theirs)
		return "this kernel has no such folios";
	return NULL;
}

/* What the row is compared with, by what sets it apart */
static const char *against(const struct row *row)
{
	return row->their_about ? row->their_about->name :
				  row->their_question->name;
}

static void report_row(struct report *report, const struct row *row,
		       size_t limit)
{
	struct buffer *ours = buffer_of(row->about, limit);
	struct buffer *theirs = row->their_about ?
		buffer_of(row->their_about, limit) : ours;
	struct figure figure = {
		.question = row->question->name,
		.subject = row->about->name,
		.against = against(row),
		.rule = row->rule,
		.missing = missing(row, ours, theirs),
	};
	struct call our_call = { row->question->ask, ours, 0 };
	struct call their_call = { row->their_question->ask, theirs, 0 };

	if (!figure.missing) {
		figure.wrong = !question_asked_right(row->question, ours) ||
			       !question_asked_right(row->their_question,
						     theirs);
		measure(&our_call, &their_call);
		figure.ours = our_call.ns / ours->pages;
		figure.theirs = their_call.ns / theirs->pages;
		figure.ratio = their_call.ns / our_call.ns;
	}
	report_figure(report, &figure);
}

static void report_rows(struct report *report, const struct row *rows, size_t nr,
			size_t limit)
{
	size_t i;

	for (i = 0; i < nr; i++)
		report_row(report, rows + i, limit);
}

static int table(struct report *report)
{
	report->unit = "ns a page";
	report->method =
		"Nanoseconds a page of 4 KiB, the shortest of many calls";
	report_begin(report);
	report_rows(report, table_rows, ARRAY_SIZE(table_rows), SIZE_MAX);
	return report_end(report);
}

/*
 * The clock counts instructions, and only ours are meant: the kernel tests its
 * cryptography in the background for a while after boot. With more than one CPU
 * this clock is not exact enough.
 */
static void count_instructions(struct report *report)
{
	measure_clock = CLOCK_THREAD_CPUTIME_ID;
	report->unit = "instructions a page";
	report->method =
		"Instructions a page of 4 KiB, the fewest of many calls";
}

static int icount(struct report *report)
{
	count_instructions(report);
	report_begin(report);
	report_rows(report, gate_rows, ARRAY_SIZE(gate_rows), ICOUNT_SIZE);
	report_rows(report, icount_rows, ARRAY_SIZE(icount_rows), ICOUNT_SIZE);
	return report_end(report);
}

static int gate(struct report *report)
{
	count_instructions(report);
	report->name = "icount";
	report->format = REPORT_VERDICTS;
	report_begin(report);
	report_rows(report, gate_rows, ARRAY_SIZE(gate_rows), ICOUNT_SIZE);
	return report_end(report);
}

static size_t count(const struct buffer *b, int nid)
{
	size_t i, n = 0;

	for (i = 0; i < b->pages; i++)
		n += b->status[i] == nid;
	return n;
}

/* Returns whether the statuses were equal. */
static bool demo_row(const struct pattern *pattern)
{
	struct buffer *b = buffer_of(pattern, SIZE_MAX);
	struct call ours = { status.ask, b, 0 };
	struct call theirs = { move_pages.ask, b, 0 };
	struct comparison row = { .name = pattern->name };
	uint64_t on[NODES];
	int nid;

	if (!b)
		return false;
	measure(&ours, &theirs);
	status.ask(b);
	for (nid = 0; nid < NODES; nid++)
		on[nid] = count(b, nid);
	row.pages = b->pages;
	row.theirs = theirs.ns;
	row.ours = ours.ns;
	row.equal = !memcmp(b->status, b->truth,
			    b->pages * sizeof(*b->status));
	row.on = on;
	compare_row(&row, NODES);
	return row.equal;
}

static int demo(struct report *report)
{
	static const int nodes[NODES] = { 0, 1 };
	bool equal;

	report_heading(report);
	printf("On which node is each page of a buffer of 1 GiB?\n\n");
	compare_heading(nodes, NODES);
	equal = demo_row(&small_halves);
	equal &= demo_row(&huge_halves);
	return !equal;
}

static const char *kernel_name(void)
{
	static struct utsname name;
	static char text[sizeof(name.release) + 6];

	if (uname(&name))
		die("uname");
	snprintf(text, sizeof(text), "Linux %s", name.release);
	return text;
}

static int time_threads(struct report *report)
{
	report->unit = "ns a page";
	report->method =
		"Nanoseconds a page of 4 KiB, of 1 GiB split over two threads";
	return threads(report);
}

static int time_waits(struct report *report)
{
	report->unit = "us";
	report->method =
		"Microseconds that mmap and munmap of one page take while another thread asks.\n"
		"longest: in the calmest of 10 rounds of 1000 pairs; ever: in all of them;\n"
		"a hold: the longest hold of the lock in the calmest of 10 of the questions";
	return waits(report);
}

#define HOLDS \
	" from the kernel's tracers, of 256 MiB, and of lists of 8 MiB.\n" \
	"longest: in the calmest of 10 calls; ever: in all of them"

static int time_holds(struct report *report)
{
	report->unit = "us";
	report->method = "Microseconds" HOLDS;
	return holds(report);
}

static int count_holds(struct report *report)
{
	report->unit = "thousand instructions";
	report->method = "Thousands of instructions" HOLDS;
	return holds(report);
}

static int time_sizes(struct report *report)
{
	report->unit = "us a call";
	report->method =
		"Microseconds a call, 4K pages; above 1 GiB the same pages again";
	return sizes(report);
}

static int time_folios(struct report *report)
{
	report->unit = "ns a page";
	report->method = "Nanoseconds a page of 4 KiB, by KiB a folio; 256 MiB";
	return folios(report);
}

static const struct command {
	const char *name;
	int (*run)(struct report *report);
} commands[] = {
	{ "demo", demo },
	{ "table", table },
	{ "icount", icount },
	{ "gate", gate },
	{ "threads", time_threads },
	{ "waits", time_waits },
	{ "holds", time_holds },
	{ "holds-icount", count_holds },
	{ "sizes", time_sizes },
	{ "folios", time_folios },
};

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			return commands + i;
	return NULL;
}

static int usage(void)
{
	size_t i;

	fputs("usage: bench [--json] [--machine TEXT] [--cpu TEXT] COMMAND\n"
	      "commands:", stderr);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(stderr, " %s", commands[i].name);
	fputc('\n', stderr);
	return 2;
}

int main(int argc, char **argv)
{
	struct report report = {
		.kernel = kernel_name(),
		.machine = "on an unknown machine",
		.cpu = "an unknown CPU",
	};
	const struct command *command;
	int i;

	for (i = 1; i < argc - 1; i++) {
		if (!strcmp(argv[i], "--json"))
			report.format = REPORT_JSON;
		else if (!strcmp(argv[i], "--machine"))
			report.machine = argv[++i];
		else if (!strcmp(argv[i], "--cpu"))
			report.cpu = argv[++i];
		else
			return usage();
	}
	command = i == argc - 1 ? find_command(argv[i]) : NULL;
	if (!command)
		return usage();
	report.name = command->name;
	question_init();
	buffer_use_up_fragments();
	return command->run(&report);
}
