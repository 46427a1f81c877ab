// SPDX-License-Identifier: GPL-2.0-only
/* PAGENODE_IOC_PAGES: a list of addresses instead of a range. */
#include "case.h"

#include <sys/syscall.h>

#include "zoo.h"

#include "shapes.h"

#define CANARY		0x55555555
#define NR_MIXED	20000

/* A page of the range below is of a kind that follows from its number. */
static struct run kind_of(const char *range, size_t i)
{
	struct run run = { "list", range + i * PAGE, 1, NORMAL, node_a() };

	if (i >= NR_MIXED)
		run.kind = HOLE;
	else if (i % 7 < 3 || i / 512 % 5 == 2)
		run.node = node_b();
	else if (i % 7 == 4)
		run.kind = UNTOUCHED;
	else if (i % 7 == 5)
		run.kind = ZERO;
	return run;
}

static char *mixed_range(void)
{
	char *p = map_anon(NR_MIXED * PAGE);
	struct run run;
	size_t i;

	for (i = 0; i < NR_MIXED; i++) {
		run = kind_of(p, i);
		if (run.kind == NORMAL)
			touch_on(run.node, p + i * PAGE, PAGE);
		else if (run.kind == ZERO)
			read_touch(p + i * PAGE, PAGE);
	}
	return p;
}

/* By the contract, and by move_pages about the same list. */
static void check_kinds(const char *range, const uint64_t *page, size_t nr,
			struct run (*kind)(const char *range, size_t i))
{
	int *kernels = new_statuses(nr);
	int *ours = new_statuses(nr);
	struct run run;
	size_t i;

	module_pages(page, nr, ours);
	if (have_numa())
		must(syscall(SYS_move_pages, 0, nr, page, NULL, kernels, 0));
	else
		memcpy(kernels, ours, nr * sizeof(*ours));
	for (i = 0; i < nr; i++) {
		run = kind(range, (page[i] - (uintptr_t)range) / PAGE);
		settle(&run, 0, (struct answer){ ours[i], kernels[i] });
	}
	free_statuses(kernels, nr);
	free_statuses(ours, nr);
}

static void check_list(const char *range, const uint64_t *page, size_t nr)
{
	check_kinds(range, page, nr, kind_of);
}

static uint64_t *new_list(size_t nr)
{
	return (uint64_t *)new_statuses(nr * sizeof(uint64_t) / sizeof(int));
}

static void free_list(uint64_t *page, size_t nr)
{
	free_statuses((int *)page, nr * sizeof(uint64_t) / sizeof(int));
}

/* Some pages come often and some never, and any byte of a page will do. */
static void pages_random_order(void)
{
	char *range = mixed_range();
	uint64_t *page = new_list(NR_MIXED);
	uint64_t state = 4;
	size_t i;

	for (i = 0; i < NR_MIXED; i++)
		page[i] = (uintptr_t)range +
			  zoo_random(&state) % (NR_MIXED + 100) * PAGE +
			  zoo_random(&state) % PAGE;
	check_list(range, page, NR_MIXED);
}

/*
 * One page of 4K in every second MiB of some GiB, a huge page in others, and
 * nothing at all in the rest: as many page tables as can be.
 */
#define GIB		(1UL << 30)
#define FAR_GIBS	7UL
#define FAR_PAGES	16UL

static struct run far_kind(const char *range, size_t i)
{
	struct run run = { "far", range + i * PAGE, 1, NORMAL, node_a() };
	size_t gib = i / (GIB / PAGE), mib = i % (GIB / PAGE) / HUGE_PAGES;

	if (gib % 3 == 2 || mib % 4 == 3)
		run.kind = UNTOUCHED;
	else if ((gib + mib) % 2)
		run.node = node_b();
	return run;
}

static void touch_far(char *range, size_t i)
{
	struct run run = far_kind(range, i);

	if (have_thp())
		must(madvise(range + i * PAGE, HUGE,
			     i / (GIB / PAGE) % 2 ? MADV_HUGEPAGE :
						    MADV_NOHUGEPAGE));
	if (run.kind == NORMAL)
		touch_on(run.node, range + i * PAGE, PAGE);
}

static void pages_far_apart(void)
{
	char *range = map_huge_aligned(FAR_GIBS * GIB);
	uint64_t *page = new_list(FAR_GIBS * FAR_PAGES);
	size_t i, nr = 0;

	set_thp_madvise();
	for (i = 0; i < FAR_GIBS * FAR_PAGES; i++) {
		/* Each address is in another GiB than the one before. */
		size_t at = i % FAR_GIBS * GIB + i / FAR_GIBS * HUGE;

		touch_far(range, at / PAGE);
		page[nr++] = (uintptr_t)range + at;
	}
	check_kinds(range, page, nr, far_kind);
	free_list(page, nr);
	must(munmap(range, FAR_GIBS * GIB));
}

static void pages_in_order(void)
{
	char *range = mixed_range();
	uint64_t *page = new_list(NR_MIXED);
	size_t i;

	for (i = 0; i < NR_MIXED; i++)
		page[i] = (uintptr_t)range + i * PAGE;
	check_list(range, page, NR_MIXED);
	for (i = 0; i < NR_MIXED; i++)
		page[i] = (uintptr_t)range + (NR_MIXED - 1 - i) * PAGE;
	check_list(range, page, NR_MIXED);
	for (i = 0; i < NR_MIXED; i++)
		page[i] = (uintptr_t)range + i / 4 * PAGE;
	check_list(range, page, NR_MIXED);
}

/* Neighbours here and there, so that runs of them begin and end anywhere. */
static void pages_some_neighbours(void)
{
	char *range = mixed_range();
	uint64_t *page = new_list(NR_MIXED);
	uint64_t state = 5;
	uint64_t left = 0;
	uint64_t at = 0;
	size_t i;

	for (i = 0; i < NR_MIXED; i++) {
		if (!left--) {
			left = zoo_random(&state) % 600;
			at = zoo_random(&state) % NR_MIXED;
		}
		page[i] = (uintptr_t)range + at++ * PAGE;
	}
	check_list(range, page, NR_MIXED);
}

/* All short lengths, and those about the lengths that a batch may have. */
static void pages_every_length(void)
{
	static const size_t longer[] = { 127, 128, 129, 255, 256, 257, 511,
					 512, 513, 767, 768, 769, 1023, 1024,
					 1025, 4095, 4096, 4097 };
	char *range = mixed_range();
	size_t len;
	size_t i;
	size_t j;
	uint64_t *page;

	for (i = 0; i < 40 + sizeof(longer) / sizeof(longer[0]); i++) {
		len = i < 40 ? i + 1 : longer[i - 40];
		page = new_list(len);
		for (j = 0; j < len; j++)
			page[j] = (uintptr_t)range + j * 37 % NR_MIXED * PAGE;
		check_list(range, page, len);
		for (j = 0; j < len; j++)
			page[j] = (uintptr_t)range + j * PAGE;
		check_list(range, page, len);
		free_list(page, len);
	}
}

static void pages_any_address(void)
{
	char *p = map_anon(2 * PAGE);
	const uint64_t page[] = {
		-PAGE, 0, PAGE, (uintptr_t)p, -1UL, 0,
		(uintptr_t)p + PAGE, (uintptr_t)p + PAGE - 1,
		0xffff888000000000, 0xffff888000001000, 0xffffffffff600000,
		1UL << 60, 1UL << 63, (uintptr_t)p + 4095, (uintptr_t)p - 1,
		0 - 2 * PAGE, -PAGE, 0, PAGE, 1, (uintptr_t)p + 3 * PAGE,
	};
	const size_t nr = sizeof(page) / sizeof(page[0]);
	int *got = new_statuses(nr);
	size_t len;
	size_t i;
	int want;

	touch_on(node_b(), p, PAGE);
	for (len = 1; len <= nr; len++) {
		module_pages(page, len, got);
		for (i = 0; i < len; i++) {
			want = page[i] / PAGE == (uintptr_t)p / PAGE ?
				node_b() :
				page[i] / PAGE == (uintptr_t)p / PAGE + 1 ?
				-ENOENT : -EFAULT;
			if (got[i] != want)
				fail("number %zu of %zu, %#llx: %s, not %s", i,
				     len, (unsigned long long)page[i],
				     status_name(got[i]), status_name(want));
		}
	}
}

/* Page 0 is no neighbour of the last one below 2^64. */
static void pages_around_the_end(void)
{
	static const uint64_t page[] = { 0 - 2 * PAGE, -PAGE, 0,
					 PAGE, -1UL, 1 };
	const size_t nr = sizeof(page) / sizeof(page[0]);
	int *got = new_statuses(nr);
	int want;
	size_t i;
	void *p;

	p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (p == MAP_FAILED)
		skip("mapping page 0: %s", strerror(errno));
	touch_on(node_b(), p, PAGE);
	module_pages(page, nr, got);
	for (i = 0; i < nr; i++) {
		want = page[i] > PAGE ? -EFAULT :
		       page[i] == PAGE ? -ENOENT : node_b();
		if (got[i] != want)
			fail("number %zu, %#llx: %s, not %s", i,
			     (unsigned long long)page[i], status_name(got[i]),
			     status_name(want));
	}
}

static void pages_huge(void)
{
	const size_t nr = 2 * HUGE_PAGES;
	uint64_t *page = new_list(nr);
	int *got = new_statuses(nr);
	char *p;
	size_t i;
	size_t at;

	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	p = map_thp(2 * HUGE);
	touch_on(node_a(), p, PAGE);
	touch_on(node_b(), p + HUGE, PAGE);
	if (!page_is(p + HUGE - PAGE, KPF_THP))
		fail("writing a huge page gave no THP");
	for (i = 0; i < nr; i++)
		page[i] = (uintptr_t)p + i * 389 % nr * PAGE;
	module_pages(page, nr, got);
	for (i = 0; i < nr; i++) {
		at = i * 389 % nr;
		if (got[i] != (at < HUGE_PAGES ? node_a() : node_b()))
			fail("page %zu: %s", at, status_name(got[i]));
	}
}

/* Neither array needs to be aligned. */
static void pages_misaligned(void)
{
	const size_t nr = 300;
	char *range = mixed_range();
	char *list = map_anon(PAGE);
	char *out = map_anon(PAGE);
	struct answer a;
	struct run run;
	uint64_t page;
	size_t offset;
	size_t i;

	for (offset = 1; offset < 8; offset++) {
		for (i = 0; i < nr; i++) {
			page = (uintptr_t)range + i * 7 * PAGE;
			memcpy(list + offset + i * 8, &page, 8);
		}
		module_pages((void *)(list + offset), nr,
			     (void *)(out + offset));
		for (i = 0; i < nr; i++) {
			run = kind_of(range, i * 7);
			memcpy(&a.ours, out + offset + i * 4, 4);
			kernel_status(run.start, 1, &a.kernels);
			settle(&run, 0, a);
		}
	}
}

static void pages_no_pages(void)
{
	static const uintptr_t list[] = { 0, 1, 0xffff888000000000, -1UL };
	struct pagenode_query q;
	int status = 77;
	size_t i;

	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		q = shape_question((void *)list[i], 0, &status, 1);
		want_answer("no pages", PAGENODE_IOC_PAGES, &q, 0);
		if (q.out_count || q.next != q.start || status != 77)
			fail("no pages: out_count %llu, next %#llx, status %d",
			     (unsigned long long)q.out_count,
			     (unsigned long long)q.next, status);
		q = shape_question((void *)list[i], 0, NULL, 0);
		want_answer("no pages, no result", PAGENODE_IOC_PAGES, &q, 0);
	}
}

static void pages_out_len(void)
{
	static const size_t len[][2] = { { 1, 0 }, { 2, 1 }, { 17, 16 },
					 { 600, 599 }, { 600, 256 } };
	char *range = mixed_range();
	uint64_t *page = new_list(600);
	int *status = new_statuses(600);
	struct pagenode_query q;
	size_t i;

	for (i = 0; i < 600; i++)
		page[i] = (uintptr_t)range + i * PAGE;
	for (i = 0; i < sizeof(len) / sizeof(len[0]); i++) {
		q = shape_question(page, len[i][0], status, len[i][1]);
		want_answer("out_len too small", PAGENODE_IOC_PAGES, &q,
			    -ENOSPC);
		if (q.out_count || q.next != q.start || *status != CANARY)
			fail("out_len too small: out_count %llu, status %d",
			     (unsigned long long)q.out_count, *status);
	}
	q = shape_question(page, 600, status, UINT64_MAX);
	want_answer("out_len 2^64 - 1", PAGENODE_IOC_PAGES, &q, 0);
}

static void list_at(const char *what, uint64_t start, uint64_t nr, int want)
{
	int status[4] = { CANARY, CANARY, CANARY, CANARY };
	struct pagenode_query q =
		shape_question((void *)start, nr, status, UINT64_MAX);

	want_answer(what, PAGENODE_IOC_PAGES, &q, want);
	if (q.out_count || q.next != start || status[0] != CANARY)
		fail("%s: out_count %llu, next %#llx", what,
		     (unsigned long long)q.out_count,
		     (unsigned long long)q.next);
}

/* A list may end at 2^64; it can't be read there, but that is another error. */
static void pages_list_past_the_end(void)
{
	list_at("past the end by 1", -7UL, 1, -EINVAL);
	list_at("past the end by 8", -8UL, 2, -EINVAL);
	list_at("2^61 + 1 from 0 on", 0, (1UL << 61) + 1, -EINVAL);
	list_at("2^61 from 8 on", 8, 1UL << 61, -EINVAL);
	list_at("2^64 - 1 elements", 0, UINT64_MAX, -EINVAL);
	list_at("up to the end", -8UL, 1, -EFAULT);
	list_at("up to the end", -32UL, 4, -EFAULT);
	list_at("2^61 from 0 on", 0, 1UL << 61, -EFAULT);
}

static void pages_list_unreadable(void)
{
	char *p = map_anon(PAGE);

	list_at("NULL", 0, 4, -EFAULT);
	list_at("kernel address", 0xffff888000000000, 4, -EFAULT);
	list_at("not canonical", 1UL << 60, 400, -EFAULT);
	touch(p, PAGE);
	must(mprotect(p, PAGE, PROT_NONE));
	list_at("PROT_NONE", (uintptr_t)p, 4, -EFAULT);
	must(munmap(p, PAGE));
	list_at("unmapped", (uintptr_t)p, 1, -EFAULT);
}

/*
 * Only @good addresses can be read. As many as out_count says are answered, not
 * much fewer than could be read, and nothing behind them is touched.
 */
static void partly_readable(const char *range, size_t good, size_t nr)
{
	uint64_t *page = new_list(good);
	int *status = new_statuses(nr);
	struct pagenode_query q = shape_question(page, nr, status, nr);
	struct answer a;
	struct run run;
	size_t i;

	for (i = 0; i < good; i++)
		page[i] = (uintptr_t)range + i * 5 % NR_MIXED * PAGE;
	want_answer("partly readable", PAGENODE_IOC_PAGES, &q, -EFAULT);
	if (q.out_count > good || q.out_count + 256 <= good)
		fail("%zu addresses can be read, but out_count is %llu", good,
		     (unsigned long long)q.out_count);
	if (q.next != q.start + q.out_count * sizeof(*page))
		fail("next is not out_count addresses on");
	for (i = 0; i < q.out_count; i++) {
		run = kind_of(range, i * 5 % NR_MIXED);
		a.ours = status[i];
		kernel_status(run.start, 1, &a.kernels);
		settle(&run, 0, a);
	}
	for (; i < nr; i++)
		if (status[i] != CANARY)
			fail("status %zu was written, but out_count is %llu", i,
			     (unsigned long long)q.out_count);
	free_list(page, good);
	free_statuses(status, nr);
}

static void pages_list_partly_readable(void)
{
	static const size_t good[] = { 1, 2, 15, 16, 17, 255, 256, 257, 512,
				       1000, 1024, 5000 };
	char *range = mixed_range();
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		partly_readable(range, good[i], good[i] + 1);
		partly_readable(range, good[i], good[i] + 600);
	}
}

/* Results over the list that they answer: each is read before it is written. */
static void pages_out_over_list(void)
{
	const size_t nr = 3000;
	char *range = mixed_range();
	uint64_t *page = new_list(nr);
	int *status = (int *)page;
	struct answer a;
	struct run run;
	size_t i;

	for (i = 0; i < nr; i++)
		page[i] = (uintptr_t)range + i * 11 % NR_MIXED * PAGE;
	module_pages(page, nr, status);
	for (i = 0; i < nr; i++) {
		run = kind_of(range, i * 11 % NR_MIXED);
		a.ours = status[i];
		kernel_status(run.start, 1, &a.kernels);
		settle(&run, 0, a);
	}
}

const struct test_case pages_cases[] = {
	{ "pages-random-order", pages_random_order },
	{ "pages-far-apart", pages_far_apart },
	{ "pages-in-order", pages_in_order },
	{ "pages-some-neighbours", pages_some_neighbours },
	{ "pages-every-length", pages_every_length },
	{ "pages-any-address", pages_any_address },
	{ "pages-around-the-end", pages_around_the_end },
	{ "pages-huge", pages_huge },
	{ "pages-misaligned", pages_misaligned },
	{ "pages-no-pages", pages_no_pages },
	{ "pages-out-len", pages_out_len },
	{ "pages-list-past-the-end", pages_list_past_the_end },
	{ "pages-list-unreadable", pages_list_unreadable },
	{ "pages-list-partly-readable", pages_list_partly_readable },
	{ "pages-out-over-list", pages_out_over_list },
	{ NULL, NULL },
};
