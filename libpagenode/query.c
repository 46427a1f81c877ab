// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Questions: what can be checked without the kernel is checked here, so that
 * both backends give the same errors.
 */
#include <errno.h>
#include <string.h>

#include "annotate.h"
#include "backend.h"

/*
 * The pages that bytes touch. By the last byte and not by the end: that of the
 * topmost page would be 0.
 */
static int pn_pages_of(const struct pagenode *pn, const void *addr, size_t len,
		       struct pn_range *range)
{
	uintptr_t first = (uintptr_t)addr;
	uintptr_t last = first + (len - 1);

	if (len && last < first) {
		errno = EINVAL;
		return -1;
	}
	range->start = first - first % pn->page_size;
	range->nr_pages = len ? last / pn->page_size -
				first / pn->page_size + 1 : 0;
	return 0;
}

PN_EXPORT int pagenode_status(struct pagenode *pn, const void *addr,
			      size_t len, int *status, size_t nr_status)
{
	struct pn_range range;

	if (pn_pages_of(pn, addr, len, &range))
		return -1;
	if (nr_status < range.nr_pages) {
		errno = ENOSPC;
		return -1;
	}
	if (!range.nr_pages)
		return 0;
	if (pn->backend->status(pn, &range, status))
		return -1;
	pn_written(status, (size_t)range.nr_pages * sizeof(*status));
	return 0;
}

static ssize_t pn_extents(const struct pagenode *pn, const void *addr,
			  size_t len, bool by_size, struct pagenode_extent *ext,
			  size_t nr_ext, const void **next)
{
	struct pn_range range;
	uint64_t end;
	ssize_t used = 0;

	if (pn_pages_of(pn, addr, len, &range))
		return -1;
	end = range.start;
	if (range.nr_pages)
		used = pn->backend->extents(pn, &range, by_size, ext, nr_ext,
					    &end);
	if (used < 0)
		return -1;
	pn_written(ext, (size_t)used * sizeof(*ext));
	if (next) {
		*next = (const void *)(uintptr_t)end;
		pn_written(next, sizeof(*next));
	}
	return used;
}

PN_EXPORT ssize_t pagenode_extents(struct pagenode *pn, const void *addr,
				   size_t len, struct pagenode_extent *ext,
				   size_t nr_ext, const void **next)
{
	return pn_extents(pn, addr, len, false, ext, nr_ext, next);
}

PN_EXPORT ssize_t pagenode_extents_by_size(struct pagenode *pn,
					   const void *addr, size_t len,
					   struct pagenode_extent *ext,
					   size_t nr_ext, const void **next)
{
	return pn_extents(pn, addr, len, true, ext, nr_ext, next);
}

PN_EXPORT int pagenode_counts(struct pagenode *pn, const void *addr,
			      size_t len, struct pagenode_counts *counts)
{
	struct pn_range range;

	if (pn_pages_of(pn, addr, len, &range))
		return -1;
	counts->nr_enoent = 0;
	counts->nr_efault = 0;
	if (counts->nr_nodes)
		memset(counts->node, 0,
		       counts->nr_nodes * sizeof(*counts->node));
	if (range.nr_pages && pn->backend->counts(pn, &range, counts))
		return -1;
	pn_written(counts->node, counts->nr_nodes * sizeof(*counts->node));
	pn_written(counts, sizeof(*counts));
	return 0;
}

PN_EXPORT int pagenode_pages(struct pagenode *pn, size_t count,
			     void *const *pages, int *status)
{
	if (!count)
		return 0;
	if (pn->backend->pages(pn, count, pages, status))
		return -1;
	pn_written(status, count * sizeof(*status));
	return 0;
}
