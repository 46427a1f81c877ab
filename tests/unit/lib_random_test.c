// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hundred thousand random ranges, each asked about in a random shape: through
 * move_pages(2), against move_pages(2) asked about one page at a time.
 */
#include "model.h"

#define NR_RANGES 100000

/* The same numbers in every run, so that a failure comes again. */
static size_t below(size_t limit)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (size_t)(state >> 33) % limit;
}

/* Runs of all lengths, of each kind of page */
static char *map_random(int *status)
{
	char *p = map(NR_PAGES);
	size_t i, end, kind;

	for (i = 0; i < NR_PAGES; i = end) {
		end = i + 1 + below(below(8) ? 4 : 400);
		if (end > NR_PAGES)
			end = NR_PAGES;
		kind = below(4);
		if (kind == 1)
			unmap(p + i * page_size, end - i);
		for (; kind > 1 && i < end; i++) {
			if (kind == 2)
				p[i * page_size] = 1;
			else
				read_page(p + i * page_size);
		}
	}
	raw_statuses(p, NR_PAGES, status);
	return p;
}

/* Short ones, mostly; any byte of the first and the last page */
static struct model random_range(const char *p, const int *status)
{
	size_t first = below(NR_PAGES);
	size_t nr = 1 + below(below(10) ? 20 : NR_PAGES);
	size_t begin = below(page_size);
	size_t end = below(page_size - (nr == 1 ? begin : 0));

	if (nr > NR_PAGES - first)
		nr = 1;
	if (nr == 1)
		end = begin < page_size - end ? end : 0;
	return (struct model){
		.status = status + first,
		.nr_pages = nr,
		.addr = p + first * page_size + begin,
		.len = nr * page_size - begin - end,
	};
}

static size_t anywhere(size_t i, size_t nr_pages)
{
	return (i + 1) * 2654435761U % nr_pages;
}

static void random_ranges(void)
{
	struct pagenode *pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	static int status[NR_PAGES];
	char *p = map_random(status);
	struct model m;
	size_t i;

	CHECK(pn);
	for (i = 0; i < NR_RANGES; i++) {
		m = random_range(p, status);
		switch (below(4)) {
		case 0:
			check_status(pn, &m);
			break;
		case 1:
			check_extents(pn, &m, 1 + below(below(2) ? 3 : 40));
			break;
		case 2:
			check_counts(pn, &m, below(9));
			break;
		case 3:
			check_pages(pn, &m, 1 + below(below(10) ? 40 : 1200),
				    anywhere);
			break;
		}
	}
	munmap(p, NR_PAGES * page_size);
	pagenode_close(pn);
}

static const struct test tests[] = {
	TEST(random_ranges),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
