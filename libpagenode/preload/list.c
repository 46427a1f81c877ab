// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * A list of addresses, answered by the device. Most lists are a buffer page by
 * page, and a range is answered faster than a list.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "libpagenode/backend.h"
#include "preload.h"

/* Since Linux 5.14. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/* A shorter run is not worth a system call of its own. */
#define PN_LONG_RUN 512

/* Addresses that are compared together. */
#define PN_BLOCK 8

/*
 * The kernel says EFAULT of a list that can't be read, and we would crash. So
 * the kernel tries first.
 */
static bool pn_list_readable(const struct pagenode *pn, void *const *pages,
			     size_t count)
{
	uintptr_t start = (uintptr_t)pages;
	uintptr_t end = start + count * sizeof(*pages);

	start -= start % pn->page_size;
	return !madvise((void *)start, end - start, MADV_POPULATE_READ);
}

static bool pn_block_goes_on(void *const *pages, uintptr_t addr,
			     size_t page_size)
{
	uintptr_t differ = 0;
	size_t i;

	for (i = 0; i < PN_BLOCK; i++)
		differ |= (uintptr_t)pages[i] ^ (addr + i * page_size);
	return !differ;
}

/* How many addresses, from the first on, go on page by page. */
static size_t pn_run(void *const *pages, size_t count, size_t page_size)
{
	uintptr_t addr = (uintptr_t)pages[0];
	size_t nr = 0;

	while (count - nr >= PN_BLOCK &&
	       pn_block_goes_on(pages + nr, addr, page_size)) {
		nr += PN_BLOCK;
		addr += PN_BLOCK * page_size;
	}
	while (nr < count && (uintptr_t)pages[nr] == addr) {
		nr++;
		addr += page_size;
	}
	return nr;
}

/* How many addresses there are before the first long run. */
static size_t pn_scattered(void *const *pages, size_t count, size_t page_size)
{
	size_t nr = 0;
	size_t run;

	while (count - nr >= PN_LONG_RUN) {
		run = pn_run(pages + nr, PN_LONG_RUN, page_size);
		if (run == PN_LONG_RUN)
			return nr;
		nr += run;
	}
	return count;
}

int pn_list_answer(struct pagenode *pn, void *const *pages, size_t count,
		   int *status)
{
	size_t nr;

	if (count < PN_LONG_RUN || !pn_list_readable(pn, pages, count))
		return pagenode_pages(pn, count, pages, status);

	while (count) {
		nr = pn_scattered(pages, count, pn->page_size);
		if (nr) {
			if (pagenode_pages(pn, nr, pages, status))
				return -1;
		} else {
			nr = pn_run(pages, count, pn->page_size);
			if (pagenode_status(pn, pages[0],
					    (nr - 1) * pn->page_size + 1,
					    status, nr))
				return -1;
		}
		pages += nr;
		status += nr;
		count -= nr;
	}
	return 0;
}
