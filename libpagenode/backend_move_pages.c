// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Answers from move_pages(2), where the module is not loaded.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "backend.h"

/*
 * Pages a system call: its fixed cost no longer shows, and the address list
 * takes 4 KiB of stack. Many 64-bit kernels misread a 32-bit program's list
 * beyond its 16th entry.
 */
#define PN_CHUNK (sizeof(void *) == 8 ? 512 : 16)

static int pn_move_pages_status(const struct pagenode *pn, uintptr_t start,
				size_t nr_pages, int *status)
{
	uintptr_t pages[PN_CHUNK];
	size_t i, nr;

	while (nr_pages) {
		nr = PN_CHUNK;
		if (nr > nr_pages)
			nr = nr_pages;
		for (i = 0; i < nr; i++)
			pages[i] = start + i * pn->page_size;

		/* Process 0 is the caller, in a child after fork() too. */
		if (syscall(SYS_move_pages, 0, nr, pages, NULL, status, 0))
			return -1;

		start += nr * pn->page_size;
		nr_pages -= nr;
		status += nr;
	}
	return 0;
}

const struct pn_backend pn_backend_move_pages = {
	.id = PAGENODE_BACKEND_MOVE_PAGES,
	.status = pn_move_pages_status,
};
