// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Answers from the module, through its device.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "backend.h"

#define PN_NEEDED_FEATURES						\
	(PAGENODE_FEATURE_STATUS | PAGENODE_FEATURE_EXTENTS |		\
	 PAGENODE_FEATURE_COUNTS | PAGENODE_FEATURE_PAGES)

/* Addresses that a 32-bit program's list is widened by at a time, on the stack. */
#define PN_WIDENED 512

static struct pagenode_query pn_query(const struct pagenode *pn)
{
	return (struct pagenode_query) {
		.size = sizeof(struct pagenode_query),
		.flags = pn->mm_fd < 0 ? 0 : PAGENODE_F_MM_FD,
		.mm_fd = pn->mm_fd < 0 ? 0 : pn->mm_fd,
	};
}

static struct pagenode_query pn_range_query(const struct pagenode *pn,
					    const struct pn_range *range,
					    const void *out, size_t out_len)
{
	struct pagenode_query query = pn_query(pn);

	query.start = range->start;
	query.nr_pages = range->nr_pages;
	query.out = (uintptr_t)out;
	query.out_len = out_len;
	return query;
}

static int pn_device_status(const struct pagenode *pn,
			    const struct pn_range *range, int *status)
{
	struct pagenode_query query = pn_range_query(pn, range, status,
						     (size_t)range->nr_pages);

	return ioctl(pn->fd, PAGENODE_IOC_STATUS, &query);
}

static ssize_t pn_device_extents(const struct pagenode *pn,
				 const struct pn_range *range, bool by_size,
				 struct pagenode_extent *ext, size_t nr_ext,
				 uint64_t *next)
{
	struct pagenode_query query = pn_range_query(pn, range, ext, nr_ext);

	if (by_size)
		query.flags |= PAGENODE_F_SPLIT_PAGE_SIZE;
	if (ioctl(pn->fd, PAGENODE_IOC_EXTENTS, &query))
		return -1;
	*next = query.next;
	return (ssize_t)query.out_count;
}

static int pn_device_counts(const struct pagenode *pn,
			    const struct pn_range *range,
			    struct pagenode_counts *counts)
{
	struct pagenode_query query = pn_range_query(pn, range, counts->node,
						     counts->nr_nodes);

	if (ioctl(pn->fd, PAGENODE_IOC_COUNTS, &query)) {
		if (errno == ENOSPC)
			counts->nr_nodes = (size_t)query.out_count;
		return -1;
	}
	counts->nr_enoent = query.nr_enoent;
	counts->nr_efault = query.nr_efault;
	return 0;
}

static int pn_device_list(const struct pagenode *pn, size_t count,
			  const void *addresses, int *status)
{
	struct pagenode_query query = pn_query(pn);

	query.start = (uintptr_t)addresses;
	query.nr_pages = count;
	query.out = (uintptr_t)status;
	query.out_len = count;
	return ioctl(pn->fd, PAGENODE_IOC_PAGES, &query);
}

static int pn_device_widened(const struct pagenode *pn, size_t count,
			     void *const *pages, int *status)
{
	uint64_t addresses[PN_WIDENED];
	size_t i, nr;

	for (; count; count -= nr) {
		nr = PN_WIDENED;
		if (nr > count)
			nr = count;
		for (i = 0; i < nr; i++)
			addresses[i] = (uintptr_t)pages[i];
		if (pn_device_list(pn, nr, addresses, status))
			return -1;
		pages += nr;
		status += nr;
	}
	return 0;
}

static int pn_device_pages(const struct pagenode *pn, size_t count,
			   void *const *pages, int *status)
{
	if (sizeof(*pages) == sizeof(uint64_t))
		return pn_device_list(pn, count, pages, status);
	return pn_device_widened(pn, count, pages, status);
}

const struct pn_backend pn_backend_device = {
	.id = PAGENODE_BACKEND_DEVICE,
	.status = pn_device_status,
	.extents = pn_device_extents,
	.counts = pn_device_counts,
	.pages = pn_device_pages,
};

static int pn_device_check(const struct pagenode *pn)
{
	struct pagenode_info info = { .size = sizeof(info) };
	uint64_t needed = PN_NEEDED_FEATURES;

	if (pn->pid)
		needed |= PAGENODE_FEATURE_MM_FD;
	/* Drivers refuse an unknown ioctl with more errors than ENOTTY. */
	if (ioctl(pn->fd, PAGENODE_IOC_INFO, &info))
		errno = ENODEV;
	else if (info.abi_version != PAGENODE_ABI_VERSION)
		errno = EPROTO;
	else if ((info.features & needed) != needed)
		errno = EOPNOTSUPP;
	else
		return 0;
	return -1;
}

/*
 * The open is what checks the permission. An answer about one page shows that
 * the process still has memory, which a zombie and a kernel thread have not.
 */
static int pn_device_open_mm(struct pagenode *pn)
{
	const struct pn_range page = { .start = 0, .nr_pages = 1 };
	char path[32];
	int status;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pn->pid);
	pn->mm_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (pn->mm_fd >= 0)
		return pn_device_status(pn, &page, &status);

	/* ESRCH, or EPERM where /proc hides it; or there is no /proc at all. */
	if (errno == ENOENT)
		(void)kill(pn->pid, 0);
	return -1;
}

void pn_device_close(struct pagenode *pn)
{
	int err = errno;

	if (pn->mm_fd >= 0)
		close(pn->mm_fd);
	if (pn->fd >= 0)
		close(pn->fd);
	pn->mm_fd = -1;
	pn->fd = -1;
	errno = err;
}

int pn_device_open(struct pagenode *pn, const char *path)
{
	/*
	 * The node may be another driver's. Opening it must not wait, and must
	 * not make it our terminal.
	 */
	pn->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (pn->fd < 0)
		return -1;
	if (pn_device_check(pn))
		goto err_close;
	if (pn->pid && pn_device_open_mm(pn)) {
		pn->mm_refused = true;
		goto err_close;
	}
	return 0;

err_close:
	pn_device_close(pn);
	return -1;
}
