// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Questions: what can be checked without the kernel is checked here, so that
 * both backends give the same errors.
 */
#include <errno.h>

#include "backend.h"

PN_EXPORT int pagenode_status(struct pagenode *pn, const void *addr,
			      size_t len, int *status, size_t nr_status)
{
	uintptr_t first = (uintptr_t)addr;
	uintptr_t last;
	size_t nr_pages;

	if (!len)
		return 0;

	/* The last byte, not the end: that of the topmost page would be 0. */
	last = first + (len - 1);
	if (last < first) {
		errno = EINVAL;
		return -1;
	}

	nr_pages = last / pn->page_size - first / pn->page_size + 1;
	if (nr_status < nr_pages) {
		errno = ENOSPC;
		return -1;
	}

	return pn->backend->status(pn, first - first % pn->page_size, nr_pages,
				   status);
}
