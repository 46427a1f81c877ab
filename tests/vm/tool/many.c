// SPDX-License-Identifier: GPL-2.0-only
/* A process with tens of thousands of mappings and much that is absent. */
#include "tool.h"

#include <sys/resource.h>
#include <time.h>

#include <pagenode.h>

#define MAPPINGS	50000UL
#define ROOM		(2 * HUGE)
#define ABSENT		(100UL << 30)

/* Each holds 2 MiB, of which a page is there; then a hole as large. */
static void make_many(void)
{
	char *p = quiet_room(MAPPINGS * ROOM);
	size_t i;

	for (i = 0; i < MAPPINGS; i++) {
		must((long)mmap(p + i * ROOM, HUGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				MAP_FIXED_NOREPLACE, -1, 0));
		no_thp(p + i * ROOM, HUGE);
		p[i * ROOM + (i % HUGE_PAGES) * PAGE] = 1;
	}
	map_anon(ABSENT);
}

static uint64_t extents_calls(void)
{
	json_t *stats = tool_json(0, "stats --json");
	json_t *extents = element(member(stats, "ioctls"), "ioctl", "EXTENTS");
	uint64_t calls = number(extents, "calls");

	json_decref(stats);
	return calls;
}

static double now(void)
{
	struct timespec t;

	must(clock_gettime(CLOCK_MONOTONIC, &t));
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* The number of questions grows with the answer, and not with the mappings. */
static void map_many(void)
{
	uint64_t before, calls;
	struct rusage used;
	double seconds;
	json_t *total;
	char out[64];

	make_many();
	before = extents_calls();
	seconds = now();
	if (tool(out, sizeof(out), "map %d >/tmp/map", getpid()))
		fail("pagenode map failed");
	seconds = now() - seconds;
	must(getrusage(RUSAGE_CHILDREN, &used));
	calls = extents_calls() - before;
	if (!calls || calls > MAPPINGS / 1000)
		fail("%llu calls for %lu mappings", (unsigned long long)calls,
		     MAPPINGS);
	total = member(tool_json(0, "map --json %d", getpid()), "total");
	if (number(total, "absent") < ABSENT / PAGE)
		fail("less is absent than was mapped");
	if (on_node(total, node_a()) + on_node(total, node_b()) < MAPPINGS)
		fail("less is present than was touched");
	note("%lu mappings, 200 GiB: %llu calls, %.2f s, %ld.%03ld s of it the kernel",
	     MAPPINGS, (unsigned long long)calls, seconds,
	     used.ru_stime.tv_sec, used.ru_stime.tv_usec / 1000);
}

const struct test_case tool_many_cases[] = {
	{ "tool-map-many", map_many },
	{ NULL, NULL },
};
