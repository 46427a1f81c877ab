// SPDX-License-Identifier: GPL-2.0-only
/* CASES 6 to 8, 19 and 21: what the library answers, on both its backends. */
#include "case.h"

#include "library.h"

#define UNSET	12345

static void library_device(void)
{
	struct pagenode *pn = must_open(0, PAGENODE_BACKEND_DEVICE);

	if (strcmp(pagenode_describe(pn), "/dev/pagenode") != 0)
		fail("it says of itself: %s", pagenode_describe(pn));
	ask_about_known("device", pn, known_pages());
	pagenode_close(pn);
}

static void library_fallback(void)
{
	struct pagenode *pn = open_move_pages();

	ask_about_known("move_pages", pn, known_pages());
	pagenode_close(pn);
}

static void want_status(const char *what, struct pagenode *pn, const char *addr,
			size_t len, const int *want, size_t nr)
{
	int got[NR_KNOWN + 1];
	size_t i;

	got[nr] = UNSET;
	must(pagenode_status(pn, addr, len, got, nr));
	for (i = 0; i < nr; i++)
		if (got[i] != want[i])
			fail("%s: page %zu: %s, not %s", what, i,
			     status_name(got[i]), status_name(want[i]));
	if (got[nr] != UNSET)
		fail("%s: more than %zu statuses", what, nr);
	if (!pagenode_status(pn, addr, len, got, nr - 1) || errno != ENOSPC)
		fail("%s: room for %zu is too much", what, nr - 1);
}

/* Bytes, of which the pages are answered that they touch */
static void unaligned(struct pagenode *pn)
{
	int want[NR_KNOWN];
	char *p = known_pages();

	known_statuses(pagenode_backend(pn), want);
	want_status("one byte", pn, p + 15 * PAGE + 1, 1, want + 15, 1);
	want_status("two pages' ends", pn, p + 16 * PAGE - 1, 2, want + 15, 2);
	want_status("a page and a byte", pn, p + 31 * PAGE, PAGE + 1, want + 31,
		    2);
	want_status("all but two bytes", pn, p + 1, NR_KNOWN * PAGE - 2, want,
		    NR_KNOWN);
	want_status("its last byte", pn, p + 48 * PAGE - 1, 1, want + 47, 1);
}

/* @len bytes from byte @first on of a huge page on node_b() */
static void part_of_huge(struct pagenode *pn, const char *huge, size_t first,
			 size_t len)
{
	size_t page = first / PAGE;
	size_t nr = (first + len - 1) / PAGE - page + 1;
	int *got = new_statuses(nr);
	size_t i;

	must(pagenode_status(pn, huge + first, len, got, nr));
	for (i = 0; i < nr; i++)
		if (got[i] != (page + i < HUGE_PAGES ? node_b() : -EFAULT))
			fail("page %zu of a huge page: %s", page + i,
			     status_name(got[i]));
	free_statuses(got, nr);
}

static void inside_huge(struct pagenode *pn)
{
	char *p;

	if (!have_thp())
		skip("this kernel has no huge pages");
	p = map_thp(2 * HUGE);
	touch_on(node_b(), p, HUGE);
	must(munmap(p + HUGE, HUGE));
	part_of_huge(pn, p, 0, 5 * PAGE + 1);
	part_of_huge(pn, p, 7 * PAGE + 5, PAGE);
	part_of_huge(pn, p, HUGE / 2 - 1, HUGE / 2);
	part_of_huge(pn, p, HUGE - 1, 3 * PAGE);
}

static void case6_unaligned(void)
{
	unaligned(open_the_device());
	unaligned(open_move_pages());
	inside_huge(open_the_device());
	inside_huge(open_move_pages());
}

/* CASES 8 */
static void edges(const char *who, struct pagenode *pn)
{
	const char *top = (const char *)-PAGE;
	struct pagenode_extent ext;
	const void *next = &ext;
	int status[2] = { UNSET, UNSET };

	must(pagenode_status(pn, top + PAGE - 1, 1, status, 1));
	if (status[0] != -EFAULT || status[1] != UNSET)
		fail("%s: the last byte: %s", who, status_name(status[0]));
	if (pagenode_extents(pn, top - 16 * PAGE, 17 * PAGE, &ext, 1,
			     &next) != 1 || ext.nr_pages != 17 || next)
		fail("%s: the last pages: extent of %llu, next %p", who,
		     ext.nr_pages, next);
	if (!pagenode_status(pn, top, PAGE + 1, status, 2) || errno != EINVAL)
		fail("%s: past the end: %s", who, strerror(errno));
	if (!pagenode_status(pn, top, SIZE_MAX, status, 2) || errno != EINVAL)
		fail("%s: far past the end: %s", who, strerror(errno));
	if (status[1] != UNSET)
		fail("%s: a status was written in error", who);
	must(pagenode_status(pn, top + 5, 0, NULL, 0));
	must(pagenode_pages(pn, 0, NULL, NULL));
}

static void case8_library_edges(void)
{
	edges("device", open_the_device());
	edges("move_pages", open_move_pages());
}

/* The device answers about all of the address space, by what is mapped there. */
static void case7_library_all_addresses(void)
{
	struct pagenode *pn = open_the_device();
	static uint64_t node[1024];
	struct pagenode_counts counts = { .node = node, .nr_nodes = 1024 };
	uint64_t sum;
	size_t i;

	must(pagenode_counts(pn, NULL, SIZE_MAX, &counts));
	sum = counts.nr_enoent + counts.nr_efault;
	for (i = 0; i < 1024; i++)
		sum += node[i];
	if (sum != 1ULL << 52)
		fail("%llu pages are counted, not 2^52",
		     (unsigned long long)sum);
}

/* CASES 19 */
static void bad_results(const char *who, struct pagenode *pn)
{
	char *p = known_pages();
	char *read_only = map_anon(PAGE);
	const void *bad[] = {
		NULL, p + 48 * PAGE, (void *)-PAGE, read_only
	};
	void *page = p;
	size_t i;

	must(mprotect(read_only, PAGE, PROT_READ));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!pagenode_status(pn, p, PAGE, (int *)bad[i], 1) ||
		    errno != EFAULT)
			fail("%s: statuses to %p: %s", who, bad[i],
			     strerror(errno));
		if (!pagenode_pages(pn, 1, &page, (int *)bad[i]) ||
		    errno != EFAULT)
			fail("%s: a list's statuses to %p: %s", who, bad[i],
			     strerror(errno));
	}
	if (!pagenode_pages(pn, 1, (void **)(p + 48 * PAGE), (int *)p) ||
	    errno != EFAULT)
		fail("%s: a list that is not there: %s", who, strerror(errno));
	/* It ends in the hole. */
	if (!pagenode_status(pn, p, 32 * PAGE, (int *)(p + 48 * PAGE) - 31,
			     32) || errno != EFAULT)
		fail("%s: statuses that end in a hole: %s", who,
		     strerror(errno));
	ask_about_known(who, pn, known_pages());
}

static void case19_library_bad_results(void)
{
	bad_results("device", open_the_device());
	bad_results("move_pages", open_move_pages());
}

const struct test_case library_cases[] = {
	{ "case6-library-unaligned", case6_unaligned },
	{ "case7-library-all-addresses", case7_library_all_addresses },
	{ "case8-library-edges", case8_library_edges },
	{ "case19-library-bad-results", case19_library_bad_results },
	{ "case21-library-device", library_device },
	{ "case21-library-fallback", library_fallback },
	{ NULL, NULL },
};
