// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages whose kinds repeat, as interleaving policies and sparse use make them,
 * and flaws in the pattern. A letter stands for a page.
 */
#include "case.h"

#include "zoo.h"

#include "shapes.h"

#define NR_PAGES	2048UL

struct pattern {
	const char *letters;
	unsigned int flaws;	/* one in so many pages is another one; or 0 */
};

static const struct pattern patterns[] = {
	{ "ab", 0 }, { "a-", 0 }, { "b-", 0 }, { "ab-b", 0 }, { "aab", 0 },
	{ "a0", 0 }, { "abbabaab", 0 }, { "a-b--ab-", 0 }, { "ab", 300 },
	{ "a-", 40 }, { "ab-", 100 }, { "ab--", 1000 }, { "a0b0", 200 },
};

static char letter(const struct pattern *t, size_t i)
{
	uint64_t state = i;

	if (t->flaws && zoo_random(&state) % t->flaws == 0)
		return "ab-0"[zoo_random(&state) % 4];
	return t->letters[i % strlen(t->letters)];
}

static struct run kind_of(const struct pattern *t, const char *range, size_t i)
{
	struct run run = { t->letters, range + i * PAGE, 1, NORMAL, node_a() };

	switch (letter(t, i)) {
	case 'b':
		run.node = node_b();
		break;
	case '-':
		run.kind = UNTOUCHED;
		break;
	case '0':
		run.kind = ZERO;
		break;
	}
	return run;
}

static char *patterned_range(const struct pattern *t)
{
	char *p = map_anon(NR_PAGES * PAGE);
	struct run run;
	size_t i;

	for (i = 0; i < NR_PAGES; i++) {
		run = kind_of(t, p, i);
		if (run.kind == NORMAL)
			touch_on(run.node, p + i * PAGE, PAGE);
		else if (run.kind == ZERO)
			read_touch(p + i * PAGE, PAGE);
	}
	return p;
}

static void check_part(const struct pattern *t, const char *range,
		       size_t first, size_t nr)
{
	int *ours = new_statuses(nr);
	int *kernels = new_statuses(nr);
	struct run run;
	size_t i;

	ask_both(range + first * PAGE, nr, ours, kernels);
	for (i = 0; i < nr; i++) {
		run = kind_of(t, range, first + i);
		settle(&run, 0, (struct answer){ ours[i], kernels[i] });
	}
	check_shapes(range + first * PAGE, nr, ours);
	free_statuses(kernels, nr);
	free_statuses(ours, nr);
}

static void repeats(void)
{
	uint64_t state = 7;
	size_t first;
	size_t i;

	for (i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		char *range = patterned_range(patterns + i);
		int round;

		check_part(patterns + i, range, 0, NR_PAGES);
		for (round = 0; round < 20; round++) {
			first = zoo_random(&state) % (NR_PAGES - 100);
			check_part(patterns + i, range, first,
				   1 + zoo_random(&state) % 100);
		}
		must(munmap(range, NR_PAGES * PAGE));
	}
}

/* An array that ends in the middle of a pattern is filled up to its end. */
static void repeats_out_unmapped(void)
{
	const struct pattern *t = patterns + 3;
	char *range = patterned_range(t);
	struct run run;
	size_t room;
	size_t i;

	for (room = 1; room < 40; room++) {
		int *status = new_statuses(room);
		struct pagenode_query q = question(range, NR_PAGES, status);

		want_answer("statuses", PAGENODE_IOC_STATUS, &q, -EFAULT);
		if (q.out_count != room ||
		    q.next != (uintptr_t)range + room * PAGE)
			fail("room for %zu: out_count %llu", room,
			     (unsigned long long)q.out_count);
		for (i = 0; i < room; i++) {
			struct answer same = { status[i], status[i] };

			run = kind_of(t, range, i);
			settle(&run, 0, same);
		}
		free_statuses(status, room);
	}
}

const struct test_case repeats_cases[] = {
	{ "repeats", repeats },
	{ "repeats-out-unmapped", repeats_out_unmapped },
	{}
};
