// SPDX-License-Identifier: GPL-2.0-only
/* PAGENODE_IOC_COUNTS, and CASES 18 */
#include "case.h"

#include "shapes.h"

#define CANARY	0x5555555555555555
#define GIB	(1UL << 30)
#define TIB	(1UL << 40)

/* What a case expects; all other nodes have none. */
struct tally {
	uint64_t on_a;
	uint64_t on_b;
	uint64_t enoent;
	uint64_t efault;
};

static uint64_t *new_counts(size_t nr)
{
	return (uint64_t *)new_statuses(nr * sizeof(uint64_t) / sizeof(int));
}

static void free_counts(uint64_t *node, size_t nr)
{
	free_statuses((int *)node, nr * sizeof(uint64_t) / sizeof(int));
}

static uint64_t on_node(const struct tally *t, int node)
{
	return (node == node_a() ? t->on_a : 0) +
	       (node == node_b() ? t->on_b : 0);
}

static void same_count(const char *name, const char *what, uint64_t got,
		       uint64_t want)
{
	if (got != want)
		fail("%s: %s is %#llx, not %#llx", name, what,
		     (unsigned long long)got, (unsigned long long)want);
}

/* In an array of @nr_nodes; what lies past the possible nodes is untouched. */
static void want_counts_in(const char *name, const void *start,
			   uint64_t nr_pages, const struct tally *want,
			   size_t nr_nodes)
{
	const size_t possible = module_info().nr_node_ids;
	uint64_t *node = new_counts(nr_nodes);
	struct pagenode_query q =
		module_counts(start, nr_pages, node, nr_nodes);
	char what[64];
	size_t i;

	same_count(name, "nr_enoent", q.nr_enoent, want->enoent);
	same_count(name, "nr_efault", q.nr_efault, want->efault);
	for (i = 0; i < nr_nodes; i++) {
		snprintf(what, sizeof(what), "element %zu of %zu", i, nr_nodes);
		same_count(name, what, node[i],
			   i < possible ? on_node(want, i) : CANARY);
	}
	free_counts(node, nr_nodes);
}

static void want_counts(const char *name, const void *start, uint64_t nr_pages,
			struct tally want)
{
	want_counts_in(name, start, nr_pages, &want, node_b() + 1);
	want_counts_in(name, start, nr_pages, &want, 64);
	want_counts_in(name, start, nr_pages, &want, 1024);
}

static void counts_pattern(void)
{
	char *p = map_anon(20000 * PAGE);

	touch_on(node_a(), p + 10 * PAGE, 5000 * PAGE);
	touch_on(node_b(), p + 8000 * PAGE, 3000 * PAGE);
	read_touch(p + 12000 * PAGE, 100 * PAGE);
	must(munmap(p + 15000 * PAGE, 70 * PAGE));
	want_counts("pattern", p, 20000,
		    (struct tally){ 5000, 3000, 11830, 170 });
	want_counts("from inside to inside", p + 100 * PAGE, 10000,
		    (struct tally){ 4910, 2100, 2990, 0 });
	want_counts("one page", p + 8000 * PAGE, 1,
		    (struct tally){ .on_b = 1 });
}

static void counts_interleaved(void)
{
	const size_t nr = 20000;
	char *p = map_anon(nr * PAGE);
	struct tally want = { 0 };
	size_t i;

	bind_task(node_a());
	for (i = 0; i < nr; i += 3, want.on_a++)
		touch(p + i * PAGE, PAGE);
	bind_task(node_b());
	for (i = 1; i < nr; i += 3, want.on_b++)
		touch(p + i * PAGE, PAGE);
	unbind_task();
	want.enoent = nr - want.on_a - want.on_b;
	want_counts("interleaved", p, nr, want);
}

static void counts_huge(void)
{
	char *p;

	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	p = map_thp(8 * HUGE);
	touch_on(node_b(), p, PAGE);
	touch_on(node_a(), p + HUGE, PAGE);
	touch_on(node_b(), p + 2 * HUGE, PAGE);
	read_touch(p + 3 * HUGE, PAGE);
	if (!page_is(p, KPF_THP) || !page_is(p + 3 * HUGE, KPF_ZERO_PAGE))
		fail("touching huge pages gave none");
	want_counts("huge", p + PAGE, 8 * HUGE_PAGES - 1,
		    (struct tally){ HUGE_PAGES, 2 * HUGE_PAGES - 1,
				    4 * HUGE_PAGES, HUGE_PAGES });
}

static void counts_no_pages(void)
{
	uint64_t node = CANARY;
	struct pagenode_query q = shape_question(map_anon(PAGE), 0, NULL, 0);

	want_answer("no pages", PAGENODE_IOC_COUNTS, &q, 0);
	q = shape_question((void *)-PAGE, 0, &node, 1);
	want_answer("no pages at the end", PAGENODE_IOC_COUNTS, &q, 0);
	same_count("no pages", "next", q.next, q.start);
	same_count("no pages", "the count", node, 0);
}

/*
 * 64 TiB of which nothing was ever touched but a few pages, far apart. The
 * case's time limit is a thousandth of what looking at each page would take.
 */
static char *sparse_64_tib(const uint64_t *page, size_t nr)
{
	char *p = quiet_room(64 * TIB);
	size_t i;

	must((long)mmap(p, 64 * TIB, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			MAP_FIXED_NOREPLACE, -1, 0));
	no_thp(p, 64 * TIB);
	for (i = 0; i < nr; i++) {
		must(mprotect(p + page[i] * PAGE, PAGE,
			      PROT_READ | PROT_WRITE));
		touch_on(i % 2 ? node_b() : node_a(), p + page[i] * PAGE, PAGE);
		if (i % 3)
			must(mprotect(p + page[i] * PAGE, PAGE, PROT_NONE));
	}
	return p;
}

static void want_sparse_extents(const char *p, const uint64_t *page, size_t nr)
{
	struct pagenode_extent *e = new_extents(2 * nr + 1);
	uint64_t first = 0;
	size_t got;
	size_t i;

	got = module_extents(p, 64 * TIB / PAGE, PAGENODE_F_SPLIT_PAGE_SIZE, e,
			     2 * nr + 1);
	same_count("64 TiB", "the number of extents", got, 2 * nr + 1);
	for (i = 0; i < nr; i++) {
		same_count("64 TiB", "an absent extent's length",
			   e[2 * i].nr_pages, page[i] - first);
		same_count("64 TiB", "an absent extent's status",
			   e[2 * i].status, -ENOENT);
		same_count("64 TiB", "a page's address", e[2 * i + 1].start,
			   (uintptr_t)p + page[i] * PAGE);
		same_count("64 TiB", "a page's status", e[2 * i + 1].status,
			   i % 2 ? node_b() : node_a());
		first = page[i] + 1;
	}
	same_count("64 TiB", "the last extent's length", e[2 * nr].nr_pages,
		   64 * TIB / PAGE - first);
	free_extents(e, 2 * nr + 1);
}

static void sparse_range(void)
{
	static const uint64_t page[] = {
		1, 511, 513, GIB / PAGE, GIB / PAGE + 1000, 512 * GIB / PAGE - 1,
		512 * GIB / PAGE + 1, 7 * TIB / PAGE + 3, 64 * TIB / PAGE - 3,
	};
	const size_t nr = sizeof(page) / sizeof(page[0]);
	const char *p = sparse_64_tib(page, nr);

	want_counts("64 TiB", p, 64 * TIB / PAGE,
		    (struct tally){ nr - nr / 2, nr / 2,
				    64 * TIB / PAGE - nr, 0 });
	want_sparse_extents(p, page, nr);
}

/* What move_pages says of every mapping of this process. */
static uint64_t kernels_count(int wanted)
{
	static char maps[1 << 16];
	static int status[4096];
	unsigned long start;
	unsigned long end;
	uint64_t count = 0;
	size_t nr;
	size_t i;
	char *line;

	read_file("/proc/self/maps", maps, sizeof(maps));
	for (line = strtok(maps, "\n"); line; line = strtok(NULL, "\n")) {
		if (sscanf(line, "%lx-%lx", &start, &end) != 2)
			fail("/proc/self/maps has another format: %s", line);
		if (start >= 1UL << 56)
			continue;
		for (; start < end; start += nr * PAGE) {
			nr = (end - start) / PAGE;
			if (nr > 4096)
				nr = 4096;
			kernel_status((void *)start, nr, status);
			for (i = 0; i < nr; i++)
				count += status[i] == wanted;
		}
	}
	return count;
}

/*
 * Asked twice, because the first questions touch a page or two of the stack and
 * of the buffers.
 */
static void whole_space(const char *name, uint64_t nr_pages)
{
	static uint64_t node[1024];
	struct pagenode_query q;
	uint64_t kernels[2];

	kernels_count(node_a());
	module_counts(NULL, nr_pages, node, 1024);
	kernels[0] = kernels_count(node_a());
	kernels[1] = kernels_count(node_b());
	q = module_counts(NULL, nr_pages, node, 1024);
	same_count(name, "node a", node[node_a()], kernels[0]);
	same_count(name, "node b", node[node_b()], kernels[1]);
	if (kernel_at_least(6, 12))
		same_count(name, "nr_enoent", q.nr_enoent,
			   kernels_count(-ENOENT));
}

static void counts_whole_address_space(void)
{
	char *p = map_anon(3000 * PAGE);

	touch_on(node_a(), p, 1000 * PAGE);
	touch_on(node_b(), p + 1500 * PAGE, 700 * PAGE);
	whole_space("user addresses", (1UL << 47) / PAGE);
	whole_space("all addresses", 1UL << 52);
}

/* A page that lies on @node, asked about with room for @out_len nodes. */
static void too_short(const char *name, const char *page, int node,
		      size_t out_len)
{
	uint64_t *count = new_counts(node + 1);
	struct pagenode_query q = shape_question(page, 4, count, out_len);
	int i;

	want_answer(name, PAGENODE_IOC_COUNTS, &q, -ENOSPC);
	same_count(name, "out_count", q.out_count, node + 1);
	same_count(name, "next", q.next, q.start);
	same_count(name, "nr_enoent", q.nr_enoent, 0);
	for (i = 0; i <= node; i++)
		same_count(name, "an element", count[i], CANARY);
	q.out_len = q.out_count;
	want_answer("with the length needed", PAGENODE_IOC_COUNTS, &q, 0);
	for (i = 0; i <= node; i++)
		same_count("with the length needed", "an element", count[i],
			   i == node);
	free_counts(count, node + 1);
}

static void case18_counts_too_short(void)
{
	char *p = map_anon(8 * PAGE);

	touch_on(node_a(), p + PAGE, PAGE);
	touch_on(node_b(), p + 5 * PAGE, PAGE);
	too_short("no room for node a", p, node_a(), 0);
	too_short("no room for node a", p, node_a(), node_a());
	too_short("no room for node b", p + 4 * PAGE, node_b(), 0);
	too_short("no room for node b", p + 4 * PAGE, node_b(), node_b());
}

/* Short, but long enough for the nodes that do occur. */
static void case18_counts_just_long_enough(void)
{
	struct tally none = { .enoent = 4 };
	struct tally one = { .on_a = 1, .enoent = 3 };
	char *p = map_anon(8 * PAGE);

	touch_on(node_a(), p + PAGE, PAGE);
	want_counts_in("node a alone", p, 4, &one, node_a() + 1);
	want_counts_in("no node", p + 4 * PAGE, 4, &none, 0);
	want_counts_in("no node, room for one", p + 4 * PAGE, 4, &none, 1);
}

/* An array for more nodes than any kernel has; only its front is written. */
static void case18_counts_long_array(void)
{
	const size_t possible = module_info().nr_node_ids;
	uint64_t *node = new_counts(possible);
	char *p = map_anon(8 * PAGE);
	struct pagenode_query q = shape_question(p, 8, node, UINT64_MAX);

	touch_on(node_b(), p, 3 * PAGE);
	want_answer("2^64 - 1 elements", PAGENODE_IOC_COUNTS, &q, 0);
	same_count("2^64 - 1 elements", "out_count", q.out_count, possible);
	same_count("2^64 - 1 elements", "node b", node[node_b()], 3);
	want_counts("64 and 1024 elements", p, 8,
		    (struct tally){ .on_b = 3, .enoent = 5 });
}

const struct test_case counts_cases[] = {
	{ "counts-pattern", counts_pattern },
	{ "counts-interleaved", counts_interleaved },
	{ "counts-huge", counts_huge },
	{ "counts-no-pages", counts_no_pages },
	{ "counts-whole-address-space", counts_whole_address_space },
	{ "case18-counts-too-short", case18_counts_too_short },
	{ "case18-counts-just-long-enough", case18_counts_just_long_enough },
	{ "case18-counts-long-array", case18_counts_long_array },
	{ "sparse-64-tib", sparse_range },
	{ NULL, NULL },
};
