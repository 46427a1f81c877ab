// SPDX-License-Identifier: GPL-2.0-only
/* The example programs, which lie beside this one, asked about placed memory. */
#include "case.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

#define SEGMENT		"/dev/shm/segment"
/* More than the segment finder takes at a time, and no multiple of that. */
#define NR_RUNS		40
#define RUN_PAGES	3
#define NR_PAGES	(NR_RUNS * RUN_PAGES)

static int node_of_run(int i)
{
	return i % 2 ? node_b() : node_a();
}

/* Runs on the two nodes by turns, and as many pages more that are a hole. */
static void make_segment(void)
{
	char *p;
	int fd, i;

	if (node_a() == node_b())
		skip("only one node has memory");
	fd = must(open(SEGMENT, O_RDWR | O_CREAT | O_TRUNC, 0600));
	must(ftruncate(fd, 2 * NR_PAGES * PAGE));
	p = mmap(NULL, NR_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 0);
	must((long)p);
	for (i = 0; i < NR_RUNS; i++)
		touch_on(node_of_run(i), p + i * RUN_PAGES * PAGE,
			 RUN_PAGES * PAGE);
	must(munmap(p, NR_PAGES * PAGE));
	close(fd);
}

static FILE *start(const char *command)
{
	FILE *output = popen(command, "r");

	if (!output)
		fail("running %s: %s", command, strerror(errno));
	return output;
}

__attribute__((format(printf, 2, 3)))
static void expect_line(FILE *output, const char *fmt, ...)
{
	char want[256], got[256] = "";
	va_list args;

	va_start(args, fmt);
	vsnprintf(want, sizeof(want), fmt, args);
	va_end(args);
	if (!fgets(got, sizeof(got), output))
		fail("it ends where '%s' is due", want);
	got[strcspn(got, "\n")] = '\0';
	if (strcmp(got, want))
		fail("'%s', not '%s'", got, want);
}

static void expect_end(FILE *output)
{
	char line[256];

	if (fgets(line, sizeof(line), output))
		fail("a line too much: %s", line);
	if (pclose(output))
		fail("it ended with an error");
}

static void example_query(void)
{
	FILE *output;
	int i;

	bind_task(node_b());
	output = start("/query");
	for (i = 0; i < 4; i++)
		expect_line(output, "page %d: %d", i, node_b());
	expect_end(output);
}

/* Returns where the region ends. */
static unsigned long expect_region(FILE *output, int i, int want)
{
	unsigned long addr, len;
	int node;

	if (fscanf(output, "%lx: %lu bytes on node %d\n", &addr, &len,
		   &node) != 3)
		fail("no region where the %d. is due", i);
	if (node != want || len != RUN_PAGES * PAGE)
		fail("region %d: %lu bytes on node %d, not %lu on %d", i, len,
		     node, RUN_PAGES * PAGE, want);
	return addr + len;
}

static void example_segments(void)
{
	unsigned long end;
	FILE *output;
	int i;

	make_segment();
	must(truncate(SEGMENT, NR_PAGES * PAGE));
	output = start("/segments " SEGMENT);
	expect_line(output, "asked /dev/pagenode");
	end = expect_region(output, 0, node_a());
	for (i = 1; i < NR_RUNS; i++) {
		end += RUN_PAGES * PAGE;
		if (expect_region(output, i, node_of_run(i)) != end)
			fail("region %d doesn't go on from the one before", i);
	}
	expect_end(output);
	must(unlink(SEGMENT));
}

static void example_shm_histogram(void)
{
	struct stat before, after;
	FILE *output;

	make_segment();
	must(stat(SEGMENT, &before));
	output = start("/shm-histogram " SEGMENT);
	expect_line(output, "node %d: %d pages", node_a(), NR_PAGES / 2);
	expect_line(output, "node %d: %d pages", node_b(), NR_PAGES / 2);
	expect_line(output, "not in memory: %d pages", NR_PAGES);
	expect_end(output);
	must(stat(SEGMENT, &after));
	if (after.st_blocks != before.st_blocks)
		fail("it filled a hole of the segment");
	must(unlink(SEGMENT));
}

const struct test_case example_cases[] = {
	{ "example-query", example_query },
	{ "example-segments", example_segments },
	{ "example-shm-histogram", example_shm_histogram },
	{ NULL, NULL },
};
