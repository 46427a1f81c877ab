// SPDX-License-Identifier: GPL-2.0-only
/* CASES 5: pages that NUMA balancing has marked. */
#include "case.h"

#include <sched.h>

#include "query.h"

#define MAX_SPINS 1000000

static void need_two_nodes(void)
{
	if (nr_nodes() < 2)
		skip("one node has memory: nothing to balance");
}

void run_on_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	must(sched_setaffinity(0, sizeof(set), &set));
}

void run_on(int node)
{
	char path[80];
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/node/node%d/cpu%d", node, cpu);
		if (have_path(path))
			break;
	}
	if (cpu == CPU_SETSIZE)
		skip("node %d has no CPU", node);
	run_on_cpu(cpu);
}

/*
 * Marks are made while this process runs, on its way back from a tick, and
 * taken off when it touches the page: so it runs, and touches nothing.
 */
static void wait_for_marks(const char *counter, unsigned long start,
			   unsigned long wanted)
{
	long i;

	for (i = 0; vmstat(counter) - start < wanted; i++)
		if (i == MAX_SPINS)
			fail("%s grew by %lu only", counter,
			     vmstat(counter) - start);
}

/*
 * Counted from before the touch, since the first pages may be marked when the
 * last ones are not there yet. The pages lie on the node that this process does
 * not run on, for those that are local to the only thread are not marked. That
 * they were marked when they were asked about, the hinting faults of the next
 * touch show.
 */
static void marked_pages(char *p, size_t len, const char *counter,
			 unsigned long wanted, unsigned long wanted_faults)
{
	unsigned long start;
	unsigned long faults;

	pages_may_move = true;
	set_numa_balancing(true);
	run_on(node_a());
	start = vmstat(counter);
	touch_on(node_b(), p, len);
	wait_for_marks(counter, start, wanted);
	expect("marked", p, len / PAGE, NORMAL, node_b());
	set_numa_balancing(false);
	faults = vmstat("numa_hint_faults");
	read_touch(p, len);
	faults = vmstat("numa_hint_faults") - faults;
	if (faults < wanted_faults)
		fail("%lu of the pages were marked, not %lu", faults,
		     wanted_faults);
	expect("no more marked", p, len / PAGE, NORMAL, node_b());
	note("%s grew by %lu, %lu hinting faults afterwards", counter,
	     vmstat(counter) - start, faults);
}

static void case05_hinted(void)
{
	const size_t len = 1024 * PAGE;

	need_two_nodes();
	marked_pages(map_anon(len), len, "numa_pte_updates", 1000, 512);
}

static void case05_hinted_thp(void)
{
	const size_t len = 4 * HUGE;
	char *p;

	need_two_nodes();
	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	p = map_thp(len);
	marked_pages(p, len, "numa_huge_pte_updates", 4, 2);
}

const struct test_case numa_cases[] = {
	{ "case05-hinted", case05_hinted },
	{ "case05-hinted-thp", case05_hinted_thp },
	{ NULL, NULL },
};
