// SPDX-License-Identifier: GPL-2.0-only
/* What was done. What should have happened and never did, is a failure. */
#include "ops.h"

static const char *const kinds[NR_QUERIES] = {
	[ASK_STATUS] = "STATUS",
	[ASK_EXTENTS] = "EXTENTS",
	[ASK_EXTENTS_BY_SIZE] = "EXTENTS by size",
	[ASK_COUNTS] = "COUNTS",
	[ASK_PAGES] = "PAGES",
};

static const char *const subjects[NR_SUBJECTS] = {
	[OWN] = "itself",
	[OWN_COPY] = "a copy of itself",
	[OWN_FD] = "itself by mm_fd",
	[OTHER_HOST] = "the other host",
	[PARENT] = "its parent",
	[COPY] = "a child",
	[PASSING] = "a child that passes",
};

/* What the kernel did, by its own counters. */
static struct event {
	const char *name;
	const char *counter;	/* of /proc/vmstat */
	bool (*there)(void);
	unsigned long before;
} events[] = {
	{ "huge pages faulted in", "thp_fault_alloc", have_thp, 0 },
	{ "huge mappings split", "thp_split_pmd", have_thp, 0 },
	{ "huge pages split", "thp_split_page", have_thp, 0 },
	{ "huge pages collapsed", "thp_collapse_alloc", have_thp, 0 },
	{ "pages migrated", "pgmigrate_success", NULL, 0 },
	{ "pages marked", "numa_pte_updates", have_numa_balancing, 0 },
	{ "hinting faults", "numa_hint_faults", have_numa_balancing, 0 },
	{ "pages balanced", "numa_pages_migrated", have_numa_balancing, 0 },
	{ "swapped out", "pswpout", NULL, 0 },
	{ "swapped in", "pswpin", NULL, 0 },
};

#define NR_EVENTS (sizeof(events) / sizeof(events[0]))

const char *kind_of(enum kind_of_query kind)
{
	return kinds[kind];
}

const char *subject_of(enum subject subject)
{
	return subjects[subject];
}

static bool is_there(const struct event *e)
{
	return !e->there || e->there();
}

void start_counting(void)
{
	size_t i;

	for (i = 0; i < NR_EVENTS; i++)
		if (is_there(events + i))
			events[i].before = vmstat(events[i].counter);
}

static bool say(const char *name, unsigned long nr)
{
	note("%-24s %8lu", name, nr);
	if (!nr)
		note("never happened: %s", name);
	return nr;
}

static bool report_events(void)
{
	bool all = true;
	size_t i;

	for (i = 0; i < NR_EVENTS; i++)
		if (is_there(events + i))
			all &= say(events[i].name, vmstat(events[i].counter) -
						   events[i].before);
	return all;
}

static bool report_kinds(unsigned long *sum)
{
	unsigned long nr;
	bool all = true;
	int i;
	int j;

	for (i = 0; i < NR_QUERIES; i++) {
		for (nr = 0, j = 0; j < NR_SUBJECTS; j++)
			nr += atomic_load(&shared->query[i][j]);
		all &= say(kinds[i], nr);
		*sum += nr;
	}
	return all;
}

static bool report_subjects(void)
{
	unsigned long nr;
	bool all = true;
	char name[64];
	int i;
	int j;

	for (j = 0; j < NR_SUBJECTS; j++) {
		for (nr = 0, i = 0; i < NR_QUERIES; i++)
			nr += atomic_load(&shared->query[i][j]);
		snprintf(name, sizeof(name), "about %s", subjects[j]);
		all &= say(name, nr);
	}
	return all;
}

void report(uint64_t seed, unsigned long seconds)
{
	unsigned long queries = 0;
	bool all = report_kinds(&queries);

	all &= report_subjects();
	all &= say("pages", atomic_load(&shared->pages));
	all &= say("signals in queries", atomic_load(&shared->signals));
	all &= say("processes gone", atomic_load(&shared->gone));
	all &= say("answers into noise", atomic_load(&shared->into_noise));
	all &= say("answers into nothing", atomic_load(&shared->into_nothing));
	all &= report_ops();
	all &= report_events();
	if (!all)
		fail("SEED=%llu: in %lu s something never happened, see above",
		     (unsigned long long)seed, seconds);
	note("SEED=%llu: %lu queries, %lu pages in %lu s",
	     (unsigned long long)seed, queries, atomic_load(&shared->pages),
	     seconds);
}
