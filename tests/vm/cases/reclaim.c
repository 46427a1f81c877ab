// SPDX-License-Identifier: GPL-2.0-only
/* Pages swapped out, and pages merged by KSM. */
#include "case.h"

#include <sched.h>

#define KSM		"/sys/kernel/mm/ksm/"
#define MAX_TRIES	1000
#define MAX_SCANS	50

#define MAX_SWAP_PAGES	1024

static size_t first_not_swapped(const char *addr, size_t nr_pages)
{
	static uint64_t entry[MAX_SWAP_PAGES];
	size_t i;

	pagemap_entries(addr, entry, nr_pages);
	for (i = 0; i < nr_pages; i++)
		if (!(entry[i] & PF_SWAPPED))
			break;
	return i;
}

/*
 * Returns when every page of the range is a swap entry. A page that was touched
 * just now may wait to be put on the LRU lists, and is not swapped out before
 * its own CPU is asked to.
 */
void swap_out(void *addr, size_t len)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t nr_pages = len / PAGE;
	cpu_set_t anywhere;
	int tries;

	if (nr_pages > MAX_SWAP_PAGES)
		fail("%zu pages to swap out: raise MAX_SWAP_PAGES", nr_pages);
	must(sched_getaffinity(0, sizeof(anywhere), &anywhere));
	for (tries = 0; tries < MAX_TRIES; tries++) {
		run_on_cpu(tries % nr_cpus);
		if (madvise(addr, len, MADV_PAGEOUT))
			fail("MADV_PAGEOUT: %s", strerror(errno));
		if (first_not_swapped(addr, nr_pages) == nr_pages) {
			must(sched_setaffinity(0, sizeof(anywhere), &anywhere));
			return;
		}
		sched_yield();
	}
	fail("page %zu was not swapped out in %d tries",
	     first_not_swapped(addr, nr_pages), MAX_TRIES);
}

static bool all_merged(const char *addr, size_t len, int kpf)
{
	size_t i;

	for (i = 0; i < len; i += PAGE)
		if (!page_is(addr + i, kpf))
			return false;
	return true;
}

/*
 * Returns when every page of the range, all alike, is a KSM page; or, of a
 * range of zeroes, the zero page.
 */
void ksm_merge(void *addr, size_t len, bool zero)
{
	int kpf = zero ? KPF_ZERO_PAGE : KPF_KSM;
	unsigned long start;

	if (!have_path(KSM "run"))
		skip("this kernel has no KSM");
	write_file(KSM "use_zero_pages", zero ? "1" : "0");
	write_file(KSM "sleep_millisecs", "10");
	write_file(KSM "pages_to_scan", "10000");
	must(madvise(addr, len, MADV_MERGEABLE));
	start = read_number(KSM "full_scans");
	write_file(KSM "run", "1");
	while (!all_merged(addr, len, kpf)) {
		if (read_number(KSM "full_scans") - start > MAX_SCANS)
			fail("KSM does not merge the pages");
		usleep(10000);
	}
	write_file(KSM "run", "0");
}
