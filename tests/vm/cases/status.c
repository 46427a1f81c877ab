// SPDX-License-Identifier: GPL-2.0-only
/* CASES 1 to 7: what becomes of ordinary memory. */
#include "case.h"

#include <fcntl.h>

#include "query.h"

static void case01_zero_page(void)
{
	char *p = map_anon(8 * PAGE);

	read_touch(p, 8 * PAGE);
	expect("read", p, 8, ZERO, 0);
	touch_on(node_b(), p, 8 * PAGE);
	expect("written", p, 8, NORMAL, node_b());
}

static void case01_huge_zero_page(void)
{
	char *p;

	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	p = map_thp(HUGE);
	read_touch(p, PAGE);
	if (!page_is(p + HUGE - PAGE, KPF_ZERO_PAGE))
		fail("reading a huge page gave no huge zero page");
	expect("read", p, HUGE_PAGES, HUGE_ZERO, 0);
	touch_on(node_b(), p, HUGE);
	expect("written", p, HUGE_PAGES, NORMAL, node_b());
}

static void case02_untouched(void)
{
	char *p = map_anon(16 * PAGE);

	expect("untouched", p, 16, UNTOUCHED, 0);
	touch_on(node_b(), p + 4 * PAGE, PAGE);
	expect("before the touched page", p, 4, UNTOUCHED, 0);
	expect("the touched page", p + 4 * PAGE, 1, NORMAL, node_b());
	expect("after the touched page", p + 5 * PAGE, 11, UNTOUCHED, 0);
	must(munmap(p, 16 * PAGE));
	expect("unmapped", p, 16, HOLE, 0);
}

#define GIB (1UL << 30)

static void untouched_across(char *p, uintptr_t align)
{
	char *border = (char *)(((uintptr_t)p + align) & -align);

	expect("across empty tables", border - 600 * PAGE, 1200, UNTOUCHED, 0);
}

/* So far from any page that whole tables of each level are not there. */
static void case02_untouched_tables(void)
{
	char *p = mmap(NULL, 2048 * GIB, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	must((long)p);
	no_thp(p, 2048 * GIB);
	untouched_across(p, 512 * GIB);
	touch_on(node_b(), p + 4 * GIB, PAGE);
	untouched_across(p + 5 * GIB, GIB);
	untouched_across(p + 4 * GIB + 4 * HUGE, HUGE);
}

static void case03_shmem(void)
{
	int fd = new_memfd(16 * PAGE, 0);
	char *p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		       0);

	must((long)p);
	expect("untouched", p, 16, UNTOUCHED_FILE, 0);
	touch_on(node_b(), p, 8 * PAGE);
	expect("touched", p, 8, NORMAL, node_b());
	expect("untouched half", p + 8 * PAGE, 8, UNTOUCHED_FILE, 0);
}

static void case03_private_file(void)
{
	int fd = new_memfd(16 * PAGE, 0);
	char *shared = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
			    fd, 0);
	char *p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd,
		       0);

	must((long)shared);
	must((long)p);
	touch_on(node_a(), shared, 16 * PAGE);
	expect("not read yet", p, 16, UNTOUCHED_FILE, 0);
	read_touch(p, 16 * PAGE);
	expect("before the copy", p, 16, NORMAL, node_a());
	touch_on(node_b(), p, 16 * PAGE);
	expect("after the copy", p, 16, NORMAL, node_b());
	expect("the original", shared, 16, NORMAL, node_a());
}

#define SWAP_TEST_PAGES 256

/* Fails unless a query changed nothing that the kernel counts. */
static void query_leaves_no_trace(char *p, size_t nr_pages)
{
	int *status = new_statuses(nr_pages);
	struct faults before;
	struct faults after;
	unsigned long swapins;

	/* What the way to the answer takes from this program's file comes in. */
	module_status(map_anon(PAGE), 1, status);
	own_faults();
	swapins = vmstat("pswpin");
	before = own_faults();
	module_status(p, nr_pages, status);
	after = own_faults();
	if (after.minor != before.minor || after.major != before.major)
		fail("the query took %lu minor faults and %lu major ones",
		     after.minor - before.minor, after.major - before.major);
	if (after.rss != before.rss)
		fail("the query changed RSS from %lu to %lu pages", before.rss,
		     after.rss);
	if (vmstat("pswpin") != swapins)
		fail("the query brought pages in from swap");
	free_statuses(status, nr_pages);
}

static void swap_out_and_in(void *arg)
{
	char *p = map_anon(SWAP_TEST_PAGES * PAGE);

	(void)arg;
	touch_on(node_a(), p, SWAP_TEST_PAGES * PAGE);
	swap_out(p, SWAP_TEST_PAGES / 2 * PAGE);
	query_leaves_no_trace(p, SWAP_TEST_PAGES);
	expect("swapped out", p, SWAP_TEST_PAGES / 2, SWAPPED, 0);
	expect("not swapped out", p + SWAP_TEST_PAGES / 2 * PAGE,
	       SWAP_TEST_PAGES / 2, NORMAL, node_a());
	touch_on(node_b(), p, SWAP_TEST_PAGES / 2 * PAGE);
	expect("back in memory", p, SWAP_TEST_PAGES / 2, NORMAL, ANY_NODE);
}

static void case04_swapped_out(void)
{
	want_swap();
	swap_out_and_in(NULL);
}

#define SWAP_FILE_SIZE (8UL << 20)

static void case04_swapped_to_a_file(void)
{
	int code;
	int fd;

	if (!have_pmem())
		skip("this guest has nothing to put a file on");
	fd = new_pmem_file("", SWAP_FILE_SIZE);
	swap_on_file(fd, SWAP_FILE_SIZE);
	code = run_in_child(swap_out_and_in, NULL);
	swap_off_file(fd);
	exit(code);
}

static void case04_no_trace(void)
{
	size_t nr_pages = 3 * HUGE_PAGES;
	char *p = map_huge_aligned(nr_pages * PAGE);

	if (set_thp_madvise())
		must(madvise(p, 2 * HUGE, MADV_HUGEPAGE));
	read_touch(p, PAGE);
	touch(p + HUGE, PAGE);
	read_touch(p + 2 * HUGE, 8 * PAGE);
	must(munmap(p + 2 * HUGE + 9 * PAGE, PAGE));
	query_leaves_no_trace(p, nr_pages);
}

static void case05_prot_none(void)
{
	char *p = map_anon(32 * PAGE);

	touch_on(node_b(), p, 16 * PAGE);
	must(mprotect(p, 32 * PAGE, PROT_NONE));
	expect("populated", p, 16, PROT_NONE_PAGE, node_b());
	expect("untouched", p + 16 * PAGE, 16, UNTOUCHED, 0);
	must(mprotect(p, 32 * PAGE, PROT_READ));
	expect("readable again", p, 16, NORMAL, node_b());
}

static void case05_prot_none_thp(void)
{
	char *p;

	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	p = map_thp(HUGE);
	touch_on(node_b(), p, HUGE);
	must(mprotect(p, HUGE, PROT_NONE));
	if (!page_is(p, KPF_THP))
		fail("writing a huge page gave no THP");
	expect("populated", p, HUGE_PAGES, PROT_NONE_PAGE, node_b());
}

static void case06_inside_a_huge_page(void)
{
	char *p;

	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	p = map_thp(2 * HUGE);
	touch_on(node_a(), p, HUGE);
	touch_on(node_b(), p + HUGE, HUGE);
	expect("starts inside", p + 3 * PAGE, HUGE_PAGES - 3, NORMAL, node_a());
	expect("ends inside", p, HUGE_PAGES - 5, NORMAL, node_a());
	expect("within", p + 100 * PAGE, 10, NORMAL, node_a());
	expect("one page", p + HUGE - PAGE, 1, NORMAL, node_a());
	expect("the next one's start", p + HUGE, 17, NORMAL, node_b());
	expect("before the mapping", p - 2 * PAGE, 2, HOLE, 0);
}

/* One query across all of it; expect() would ask part by part. */
static void case07_holes(void)
{
	const size_t nr_pages = 64 + 16;
	char *p = map_huge_aligned(64 * PAGE);
	char *first = p - 8 * PAGE;
	int *status = new_statuses(nr_pages);
	size_t i;
	int want;

	no_thp(p, 64 * PAGE);
	touch_on(node_b(), p, 64 * PAGE);
	must(munmap(p + 20 * PAGE, 5 * PAGE));
	module_status(first, nr_pages, status);
	for (i = 0; i < nr_pages; i++) {
		want = i < 8 || i >= 72 || (i >= 28 && i < 33) ? -EFAULT :
								 node_b();
		if (status[i] != want)
			fail("page %zu: %s, not %s", i, status_name(status[i]),
			     status_name(want));
	}
	expect("hole", p + 20 * PAGE, 5, HOLE, 0);
	expect("before", first, 8, HOLE, 0);
	expect("after", p + 64 * PAGE, 8, HOLE, 0);
}

const struct test_case status_cases[] = {
	{ "case01-zero-page", case01_zero_page },
	{ "case01-huge-zero-page", case01_huge_zero_page },
	{ "case02-untouched", case02_untouched },
	{ "case02-untouched-tables", case02_untouched_tables },
	{ "case03-shmem", case03_shmem },
	{ "case03-private-file", case03_private_file },
	{ "case04-swapped-out", case04_swapped_out },
	{ "case04-swapped-to-a-file", case04_swapped_to_a_file },
	{ "case04-no-trace", case04_no_trace },
	{ "case05-prot-none", case05_prot_none },
	{ "case05-prot-none-thp", case05_prot_none_thp },
	{ "case06-inside-a-huge-page", case06_inside_a_huge_page },
	{ "case07-holes", case07_holes },
	{ NULL, NULL },
};
