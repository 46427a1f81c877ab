// SPDX-License-Identifier: GPL-2.0-only
/* CASES 8 and 9: where address space and numbers end. */
#include "case.h"

#include "query.h"

#define GIB		(1UL << 30)
/* The ends of user space with four levels of page tables and with five. */
#define LIMIT_4		((1UL << 47) - PAGE)
#define LIMIT_5		((1UL << 56) - PAGE)

static void case08_kernel_addresses(void)
{
	expect("direct map", (void *)0xffff888000000000, 600, KERNEL_ADDRESS,
	       0);
	expect("kernel text", (void *)0xffffffff81000000, 600, KERNEL_ADDRESS,
	       0);
	expect("not canonical", (void *)0x0100000000000000, 600, KERNEL_ADDRESS,
	       0);
	expect("vsyscall", (void *)0xffffffffff600000, 1, VSYSCALL, 0);
	expect("about vsyscall", (void *)0xffffffffff5fe000, 5, VSYSCALL, 0);
}

/* The range ends at 2^64, which is not past it. */
static void case08_last_page(void)
{
	expect("last page", (void *)-PAGE, 1, KERNEL_ADDRESS, 0);
	expect("last pages", (void *)(0 - 600 * PAGE), 600, KERNEL_ADDRESS, 0);
}

static void across(uintptr_t limit)
{
	char *last = (char *)limit - PAGE;
	char *p = mmap(last, PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		       0);
	int status[32];
	int i;

	if (p != MAP_FAILED)
		touch_on(node_b(), p, PAGE);
	module_status(last, 32, status);
	if (p != MAP_FAILED && status[0] != node_b())
		fail("the last page: %s, not node %d", status_name(status[0]),
		     node_b());
	for (i = 1; i < 32; i++)
		if (status[i] != -EFAULT)
			fail("page %d past the limit %#lx: %s, not -EFAULT", i,
			     limit, status_name(status[i]));
	if (p != MAP_FAILED)
		must(munmap(p, PAGE));
}

static void case08_task_limit(void)
{
	across(LIMIT_4);
	across(LIMIT_5);
}

static void refused(const char *what, uint64_t start, uint64_t nr_pages)
{
	int status[2] = { 77, 77 };
	struct pagenode_query q = question((void *)start, nr_pages, status);
	int err = ask(PAGENODE_IOC_STATUS, &q);

	if (err != -EINVAL)
		fail("%s: %s, not EINVAL", what,
		     err ? strerror(-err) : "success");
	if (status[0] != 77 || status[1] != 77)
		fail("%s: refused, but wrote a status", what);
}

static void case08_past_the_end(void)
{
	refused("two pages at the last one", -PAGE, 2);
	refused("one page too many from 0", 0, (1UL << 52) + 1);
	refused("2^52 pages from the second on", PAGE, 1UL << 52);
	refused("2^64 - 1 pages", 0, UINT64_MAX);
	refused("2^63 pages", 0, 1UL << 63);
	refused("a length that is small modulo 2^64", 2 * PAGE,
		(1UL << 52) + 2);
}

static void no_pages_at(const void *start)
{
	int status[1] = { 77 };

	module_status(start, 0, status);
	if (status[0] != 77)
		fail("no pages at %p: wrote a status", start);
}

static void case08_no_pages(void)
{
	struct pagenode_query q = question(NULL, 0, NULL);
	char *p = map_anon(PAGE);
	int err;

	no_pages_at(NULL);
	no_pages_at(p);
	no_pages_at((void *)-PAGE);
	err = ask(PAGENODE_IOC_STATUS, &q);
	if (err)
		fail("no pages, no result array: %s", strerror(-err));
}

#define STEP	(128UL << 20)
#define FAR	(9 * GIB)

/* Nine GiB, a page in every 128 MiB, from 4.5 GiB on bound to node b. */
static void case09_over_4_gib(void)
{
	size_t nr_pages = FAR / PAGE;
	int *status = new_statuses(nr_pages);
	char *p = map_anon(FAR);
	size_t present;
	size_t i;
	int want;

	bind_range(node_a(), p, FAR / 2);
	bind_range(node_b(), p + FAR / 2, FAR / 2);
	for (i = 0; i < FAR; i += STEP)
		touch(p + i + i / STEP * PAGE, PAGE);
	module_status(p, nr_pages, status);
	for (i = 0; i < nr_pages; i++) {
		present = i * PAGE / STEP;
		want = -ENOENT;
		if (i == (present * STEP + present * PAGE) / PAGE)
			want = i < nr_pages / 2 ? node_a() : node_b();
		if (status[i] != want)
			fail("page %zu: %s, not %s", i, status_name(status[i]),
			     status_name(want));
	}
}

static void case09_over_4_gib_thp(void)
{
	size_t nr_pages = FAR / PAGE;
	int *status = new_statuses(nr_pages);
	char *p;
	size_t i;
	int want;

	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	p = map_thp(FAR);
	bind_range(node_a(), p, FAR / 2);
	bind_range(node_b(), p + FAR / 2, FAR / 2);
	for (i = 0; i < FAR; i += STEP)
		touch(p + i, PAGE);
	if (!page_is(p + FAR - STEP + PAGE, KPF_THP))
		fail("writing a huge page gave no THP");
	module_status(p, nr_pages, status);
	for (i = 0; i < nr_pages; i++) {
		want = i < nr_pages / 2 ? node_a() : node_b();
		if (i * PAGE % STEP >= HUGE)
			want = -ENOENT;
		if (status[i] != want)
			fail("page %zu: %s, not %s", i, status_name(status[i]),
			     status_name(want));
	}
}

/*
 * More than 2^30 pages, so that the result array is longer than 4 GiB too. The
 * array is one huge page mapped again and again, but for its end.
 */
static void case09_over_4_tib(void)
{
	const size_t tail = HUGE / sizeof(int);
	const size_t nr_pages = (1UL << 30) + 2 * tail;
	char *start = (char *)(1UL << 43);
	char *last = start + (nr_pages - 1) * PAGE;
	char *out = map_repeated(nr_pages * sizeof(int));
	int *end = (int *)(out + nr_pages * sizeof(int)) - tail;
	size_t i;

	must((long)mmap(end, HUGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	must((long)mmap(last - PAGE, 2 * PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			0));
	touch_on(node_b(), last, PAGE);
	module_status(start, nr_pages, (int *)out);
	for (i = 0; i < tail - 2; i++)
		if (end[i] != -EFAULT)
			fail("hole: %s, not -EFAULT", status_name(end[i]));
	if (end[tail - 2] != -ENOENT || end[tail - 1] != node_b())
		fail("the last two pages: %s and %s, not -ENOENT and node %d",
		     status_name(end[tail - 2]), status_name(end[tail - 1]),
		     node_b());
}

const struct test_case limit_cases[] = {
	{ "case08-kernel-addresses", case08_kernel_addresses },
	{ "case08-last-page", case08_last_page },
	{ "case08-task-limit", case08_task_limit },
	{ "case08-past-the-end", case08_past_the_end },
	{ "case08-no-pages", case08_no_pages },
	{ "case09-over-4-gib", case09_over_4_gib },
	{ "case09-over-4-gib-thp", case09_over_4_gib_thp },
	{ "case09-over-4-tib", case09_over_4_tib },
	{ NULL, NULL },
};
