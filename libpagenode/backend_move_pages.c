// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Answers from move_pages(2), where the module is not loaded.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "annotate.h"
#include "backend.h"

/*
 * Pages a system call: its fixed cost no longer shows, and the address list
 * takes 4 KiB of stack. Many 64-bit kernels misread a 32-bit program's list
 * beyond its 16th entry.
 */
#define PN_CHUNK (sizeof(void *) == 8 ? 512 : 16)

/*
 * Process 0 is the caller, in a child after fork() too. Since nothing else that
 * is said here can be invalid, EINVAL is about a process without memory: one
 * that has exited and was not waited for, or a kernel thread.
 */
static int pn_move_pages(const struct pagenode *pn, size_t count,
			 const void *pages, int *status)
{
	int ret = (int)syscall(SYS_move_pages, pn->pid, count, pages, NULL,
			       status, 0);

	if (!ret)
		pn_written(status, count * sizeof(*status));
	else if (errno == EINVAL)
		errno = ESRCH;
	return ret;
}

/* The kernel looks the process up before it finds that there are no pages. */
int pn_move_pages_probe(const struct pagenode *pn)
{
	return pn_move_pages(pn, 0, NULL, NULL);
}

/* Asks about the first pages that are left of a range, and takes them off it. */
static size_t pn_move_pages_chunk(const struct pagenode *pn,
				  struct pn_range *left, int *status)
{
	uintptr_t pages[PN_CHUNK];
	size_t nr = PN_CHUNK;
	size_t i;

	if (nr > left->nr_pages)
		nr = (size_t)left->nr_pages;
	for (i = 0; i < nr; i++)
		pages[i] = (uintptr_t)left->start + i * pn->page_size;
	if (pn_move_pages(pn, nr, pages, status))
		return 0;

	left->start += nr * pn->page_size;
	left->nr_pages -= nr;
	return nr;
}

static int pn_move_pages_status(const struct pagenode *pn,
				const struct pn_range *range, int *status)
{
	struct pn_range left = *range;
	size_t nr;

	while (left.nr_pages) {
		nr = pn_move_pages_chunk(pn, &left, status);
		if (!nr)
			return -1;
		status += nr;
	}
	return 0;
}

/* Extents as they grow. */
struct pn_growth {
	struct pagenode_extent *ext;
	size_t nr_ext;
	size_t used;
	uint64_t next;
};

/* False where a page would need an extent more than there is room for. */
static bool pn_grow(struct pn_growth *g, const int *status, size_t nr,
		    size_t page_size)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!g->used || g->ext[g->used - 1].status != status[i]) {
			if (g->used == g->nr_ext)
				return false;
			g->ext[g->used++] = (struct pagenode_extent) {
				.start = g->next,
				.status = status[i],
			};
		}
		g->ext[g->used - 1].nr_pages++;
		g->next += page_size;
	}
	return true;
}

static ssize_t pn_move_pages_extents(const struct pagenode *pn,
				     const struct pn_range *range, bool by_size,
				     struct pagenode_extent *ext, size_t nr_ext,
				     uint64_t *next)
{
	struct pn_growth growth = {
		.ext = ext,
		.nr_ext = nr_ext,
		.next = range->start,
	};
	struct pn_range left = *range;
	int status[PN_CHUNK];
	size_t nr;

	if (by_size) {
		errno = EOPNOTSUPP;
		return -1;
	}
	while (left.nr_pages) {
		nr = pn_move_pages_chunk(pn, &left, status);
		if (!nr)
			return -1;
		if (!pn_grow(&growth, status, nr, pn->page_size))
			break;
	}
	*next = growth.next;
	return (ssize_t)growth.used;
}

/* Returns how long the array has to be for these pages. */
static size_t pn_count(struct pagenode_counts *counts, const int *status,
		       size_t nr)
{
	size_t needed = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (status[i] == -ENOENT)
			counts->nr_enoent++;
		else if (status[i] < 0)
			counts->nr_efault++;
		else if ((size_t)status[i] < counts->nr_nodes)
			counts->node[status[i]]++;
		if (status[i] >= 0 && (size_t)status[i] >= needed)
			needed = (size_t)status[i] + 1;
	}
	return needed;
}

static int pn_move_pages_counts(const struct pagenode *pn,
				const struct pn_range *range,
				struct pagenode_counts *counts)
{
	struct pn_range left = *range;
	int status[PN_CHUNK];
	size_t needed = 0;
	size_t nr;

	while (left.nr_pages) {
		nr = pn_move_pages_chunk(pn, &left, status);
		if (!nr)
			return -1;
		nr = pn_count(counts, status, nr);
		if (nr > needed)
			needed = nr;
	}
	if (needed > counts->nr_nodes) {
		counts->nr_nodes = needed;
		errno = ENOSPC;
		return -1;
	}
	return 0;
}

static int pn_move_pages_pages(const struct pagenode *pn, size_t count,
			       void *const *pages, int *status)
{
	size_t nr;

	while (count) {
		nr = count < PN_CHUNK ? count : PN_CHUNK;
		if (pn_move_pages(pn, nr, pages, status))
			return -1;
		pages += nr;
		status += nr;
		count -= nr;
	}
	return 0;
}

const struct pn_backend pn_backend_move_pages = {
	.id = PAGENODE_BACKEND_MOVE_PAGES,
	.status = pn_move_pages_status,
	.extents = pn_move_pages_extents,
	.counts = pn_move_pages_counts,
	.pages = pn_move_pages_pages,
};
