// SPDX-License-Identifier: GPL-2.0-only
/* The tracepoints, read through tracefs as perf and bpftrace find them. */
#include "case.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "query.h"

#define TRACEFS		"/sys/kernel/tracing"
#define INSTANCE	TRACEFS "/instances/pagenode-cases"
#define EVENTS		INSTANCE "/events/pagenode/"
#define NR_PAGES	100

struct event {
	char name[16];
	char ioctl[16];
	unsigned long long start;
	unsigned long long nr_pages;
	int mm_fd;
	unsigned long long done;
	int result;
	unsigned long long ns;
};

static void clear(void)
{
	close(must(open(INSTANCE "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC)));
}

/* A buffer of our own, that nobody else's events come to. */
static void begin_tracing(void)
{
	if (!have_path(TRACEFS "/events/pagenode"))
		skip("this kernel has no tracepoints in modules");
	if (mkdir(INSTANCE, 0700) && errno != EEXIST)
		fail("mkdir " INSTANCE ": %s", strerror(errno));
	clear();
	write_file(EVENTS "enable", "1");
}

static void end_tracing(void)
{
	write_file(EVENTS "enable", "0");
	must(rmdir(INSTANCE));
}

static bool parse(const char *line, struct event *e)
{
	const char *name = strstr(line, ": query_");
	int nr;

	memset(e, 0, sizeof(*e));
	if (!name)
		return false;
	nr = sscanf(name,
		    ": %15[^:]: ioctl=%15s start=%llx nr_pages=%llu mm_fd=%d done=%llu result=%d ns=%llu",
		    e->name, e->ioctl, &e->start, &e->nr_pages, &e->mm_fd,
		    &e->done, &e->result, &e->ns);
	if (nr != (strcmp(e->name, "query_begin") ? 8 : 5))
		fail("in the trace: %s", line);
	return true;
}

/* Takes the events out of the buffer. */
static size_t take_events(struct event *e, size_t max)
{
	FILE *file = fopen(INSTANCE "/trace", "r");
	char line[512];
	size_t nr = 0;

	if (!file)
		fail("opening " INSTANCE "/trace: %s", strerror(errno));
	while (nr < max && fgets(line, sizeof(line), file))
		nr += parse(line, e + nr);
	fclose(file);
	clear();
	return nr;
}

static void want(const struct event *e, const char *name, const char *ioctl,
		 const struct pagenode_query *q)
{
	bool mm_fd = q->flags & PAGENODE_F_MM_FD;

	if (strcmp(e->name, name) || strcmp(e->ioctl, ioctl) ||
	    e->start != q->start || e->nr_pages != q->nr_pages ||
	    e->mm_fd != mm_fd)
		fail("%s of %s: %s of %s, %llu pages from %#llx, mm_fd=%d",
		     name, ioctl, e->name, e->ioctl, e->nr_pages, e->start,
		     e->mm_fd);
}

/* Asks, and expects the two events that show it; @done is of a success. */
static void trace(const char *ioctl, unsigned long request,
		  struct pagenode_query q, unsigned long long done)
{
	struct event e[3];
	struct pagenode_query asked = q;
	int result = ask(request, &q);
	size_t nr = take_events(e, 3);

	if (nr != 2)
		fail("%s: %zu events, not 2", ioctl, nr);
	want(e, "query_begin", ioctl, &asked);
	want(e + 1, "query_end", ioctl, &asked);
	if (e[1].result != result || e[1].done != (result ? 0 : done) ||
	    !e[1].ns)
		fail("%s: result=%d done=%llu ns=%llu, not result=%d done=%llu",
		     ioctl, e[1].result, e[1].done, e[1].ns, result,
		     result ? 0 : done);
}

static void trace_errors(char *p, int *status)
{
	struct pagenode_query q = question(p, NR_PAGES, status);
	struct event e;

	q.flags = 1U << 31;
	trace("STATUS", PAGENODE_IOC_STATUS, q, 0);
	q.flags = PAGENODE_F_MM_FD;
	q.mm_fd = must(open("/proc/self/pagemap", O_RDONLY));
	trace("STATUS", PAGENODE_IOC_STATUS, q, NR_PAGES);
	close(q.mm_fd);
	if (ask(PAGENODE_IOC_STATUS, NULL) != -EFAULT || take_events(&e, 1))
		fail("a query whose arguments can't be read is traced");
}

/* What perf and trace-cmd print by is read by a parser that knows no sizeof(). */
static void trace_formats(void)
{
	static const char *const formats[] = {
		TRACEFS "/events/pagenode/query_begin/format",
		TRACEFS "/events/pagenode/query_end/format",
	};
	char text[8192];
	size_t i;

	if (!have_path(formats[0]))
		skip("this kernel has no tracepoints in modules");
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		read_file(formats[i], text, sizeof(text));
		if (!strstr(text, "print fmt: ") || strstr(text, "sizeof"))
			fail("%s: %s", formats[i], text);
	}
}

static void trace_queries(void)
{
	struct pagenode_extent extents[2];
	uint64_t counts[1024];
	uint64_t list[NR_PAGES] = { 0 };
	int *status = new_statuses(NR_PAGES);
	char *p = map_anon(NR_PAGES * PAGE);
	struct pagenode_query q = question(p, NR_PAGES, status);
	struct event e;

	touch(p, NR_PAGES * PAGE / 2);
	begin_tracing();
	trace("STATUS", PAGENODE_IOC_STATUS, q, NR_PAGES);
	q = question(p, NR_PAGES, (int *)extents);
	q.out_len = 2;
	trace("EXTENTS", PAGENODE_IOC_EXTENTS, q, NR_PAGES);
	q.out_len = 1;
	trace("EXTENTS", PAGENODE_IOC_EXTENTS, q, NR_PAGES / 2);
	q = question(p, NR_PAGES, (int *)counts);
	q.out_len = 1024;
	trace("COUNTS", PAGENODE_IOC_COUNTS, q, NR_PAGES);
	q = question(list, NR_PAGES, status);
	trace("PAGES", PAGENODE_IOC_PAGES, q, NR_PAGES);
	trace_errors(p, status);
	write_file(EVENTS "enable", "0");
	module_status(p, NR_PAGES, status);
	if (take_events(&e, 1))
		fail("there are events though they are off");
	end_tracing();
}

const struct test_case trace_cases[] = {
	{ "trace-queries", trace_queries },
	{ "trace-formats", trace_formats },
	{ NULL, NULL },
};
