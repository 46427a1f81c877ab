// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library without the module, on this machine and its own kernel, against
 * one plain call of move_pages(2) over all of the buffer. That call takes a list
 * of addresses, 8 bytes a page, which the library makes in small pieces: so the
 * list counts, and the call alone is shown for comparison.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "pagenode.h"
#include "report.h"
#include "tools/measure.h"

#define PAGE		4096UL
#define NR_PAGES	(1UL << 18)	/* 1 GiB */
#define FEW_PAGES	(1UL << 10)	/* 4 MiB */
#define NR_IDS		1024
#define STACK		(1UL << 20)

/* A buffer and the arrays that both sides write to, touched before. */
struct buffer {
	char *start;
	size_t nr_pages;
	void **list;
	int *status;
};

static struct pagenode *pn;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *new_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("fallback: mmap");
	return p;
}

static void make_list(const struct buffer *b, void **list)
{
	size_t i;

	for (i = 0; i < b->nr_pages; i++)
		list[i] = b->start + i * PAGE;
}

static void make_buffer(struct buffer *b, int advice)
{
	size_t len = NR_PAGES * PAGE;

	b->nr_pages = NR_PAGES;
	b->start = new_memory(len + (2UL << 20));
	b->start += -(uintptr_t)b->start % (2UL << 20);
	madvise(b->start, len, advice);
	memset(b->start, 1, len);
	b->list = new_memory(NR_PAGES * sizeof(*b->list));
	make_list(b, b->list);
	b->status = new_memory(NR_PAGES * sizeof(*b->status));
	memset(b->status, 1, NR_PAGES * sizeof(*b->status));
}

static void ask_kernel(const struct buffer *b, void **list)
{
	if (syscall(SYS_move_pages, 0, b->nr_pages, list, NULL, b->status, 0))
		die("fallback: move_pages");
}

static void plain(void *arg)
{
	const struct buffer *b = arg;

	ask_kernel(b, b->list);
}

/* As a program that has no list */
static void plain_with_list(void *arg)
{
	const struct buffer *b = arg;
	void **list = new_memory(b->nr_pages * sizeof(*list));

	make_list(b, list);
	ask_kernel(b, list);
	munmap(list, b->nr_pages * sizeof(*list));
}

static void status(void *arg)
{
	const struct buffer *b = arg;

	if (pagenode_status(pn, b->start, b->nr_pages * PAGE, b->status,
			    b->nr_pages))
		die("fallback: status");
}

static void pages(void *arg)
{
	const struct buffer *b = arg;

	if (pagenode_pages(pn, b->nr_pages, b->list, b->status))
		die("fallback: pages");
}

static void extents(void *arg)
{
	const struct buffer *b = arg;
	struct pagenode_extent ext[64];

	if (pagenode_extents(pn, b->start, b->nr_pages * PAGE, ext, 64,
			     NULL) < 0)
		die("fallback: extents");
}

static void counts(void *arg)
{
	const struct buffer *b = arg;
	uint64_t node[NR_IDS];
	struct pagenode_counts c = { .node = node, .nr_nodes = NR_IDS };

	if (pagenode_counts(pn, b->start, b->nr_pages * PAGE, &c))
		die("fallback: counts");
}

static bool right(struct buffer *b)
{
	int *want = malloc(NR_PAGES * sizeof(*want));
	bool same;

	if (!want)
		die("fallback");
	plain(b);
	memcpy(want, b->status, NR_PAGES * sizeof(*want));
	memset(b->status, 0x55, NR_PAGES * sizeof(*want));
	status(b);
	same = !memcmp(want, b->status, NR_PAGES * sizeof(*want));
	free(want);
	return same;
}

static const struct row {
	const char *question;
	void (*ours)(void *arg);
	const char *against;
	void (*theirs)(void *arg);
	struct rule rule;
} rows[] = {
	{ "STATUS", status, "list and call", plain_with_list, FASTER(1) },
	{ "STATUS", status, "call alone", plain, NO_RULE },
	{ "PAGES", pages, "call alone", plain, NO_RULE },
	{ "EXTENTS", extents, "call alone", plain, NO_RULE },
	{ "COUNTS", counts, "call alone", plain, NO_RULE },
};

static void report_row(struct report *report, const struct row *row,
		       struct buffer *b, const char *subject)
{
	struct call ours = { row->ours, b, 0 };
	struct call theirs = { row->theirs, b, 0 };
	struct figure figure = {
		.question = row->question,
		.subject = subject,
		.against = row->against,
		.rule = row->rule,
		.wrong = !right(b),
	};

	measure(&ours, &theirs);
	figure.ours = ours.ns / b->nr_pages;
	figure.theirs = theirs.ns / b->nr_pages;
	figure.ratio = theirs.ns / ours.ns;
	report_figure(report, &figure);
}

/* Pages that a thread touches for the first time, on a stack of its own. */
struct usage {
	void (*run)(void *arg);
	void *arg;
	long faults;
};

static void *count_faults(void *arg)
{
	struct usage *u = arg;
	struct rusage before, after;

	getrusage(RUSAGE_THREAD, &before);
	u->run(u->arg);
	getrusage(RUSAGE_THREAD, &after);
	u->faults = after.ru_minflt - before.ru_minflt;
	return NULL;
}

static double kib_used(void (*run)(void *arg), struct buffer *b)
{
	struct usage u = { run, b, 0 };
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, new_memory(STACK), STACK);
	if (pthread_create(&thread, &attr, count_faults, &u) ||
	    pthread_join(thread, NULL))
		die("fallback: a thread");
	return u.faults * PAGE / 1024.0;
}

static void report_memory(struct report *report, const struct buffer *buffer,
			  size_t nr_pages, const char *subject)
{
	struct buffer b = *buffer;
	struct figure figure = {
		.question = "STATUS",
		.subject = subject,
		.against = "list and call",
		.rule = AT_MOST(16),
	};

	b.nr_pages = nr_pages;
	figure.ours = kib_used(status, &b);
	figure.theirs = kib_used(plain_with_list, &b);
	figure.ratio = figure.theirs / figure.ours;
	report_figure(report, &figure);
}

static const char *kernel_name(void)
{
	static char name[96];
	struct utsname u;

	uname(&u);
	snprintf(name, sizeof(name), "Linux %s", u.release);
	return name;
}

static struct report new_report(int argc, char **argv)
{
	struct report report = {
		.name = "fallback",
		.kernel = kernel_name(),
		.machine = "native",
		.cpu = "an unknown CPU",
		.unit = "ns a page; KiB where memory is said",
		.method = "The library without the module. Nanoseconds of CPU a page, the\n"
			  "shortest of many calls over 1 GiB; memory: KiB that a call touches",
	};
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json"))
			report.format = REPORT_JSON;
		else
			report.cpu = argv[i];
	}
	return report;
}

int main(int argc, char **argv)
{
	struct report report = new_report(argc, argv);
	struct buffer small, huge;
	size_t i;

	/* Not the time that other programs take */
	measure_clock = CLOCK_THREAD_CPUTIME_ID;
	pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	if (!pn)
		die("fallback: open");
	make_buffer(&small, MADV_NOHUGEPAGE);
	make_buffer(&huge, MADV_HUGEPAGE);
	report_begin(&report);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		report_row(&report, &rows[i], &small, "4K pages");
	report_row(&report, &rows[0], &huge, "THP");
	report_memory(&report, &small, FEW_PAGES, "memory, 4 MiB");
	report_memory(&report, &small, NR_PAGES, "memory, 1 GiB");
	pagenode_close(pn);
	return report_end(&report);
}
