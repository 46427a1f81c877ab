/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * libpagenode: on which NUMA node does each page of my memory lie?
 *
 * A page's status is that of move_pages(2) with a NULL node list:
 *
 *	>= 0	the id of the node that the page lies on
 *	-ENOENT	no page is present: never touched, swapped out, under migration,
 *		or memory that belongs to a device
 *	-EFAULT	nothing is mapped there, or the shared zero page is
 *
 * Functions return 0, or -1 with errno set. One handle may be used by many
 * threads at once, and by a child after fork(), where it answers about the
 * child.
 */
#ifndef PAGENODE_H
#define PAGENODE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pagenode;

/* Flags of pagenode_open(). Neither: the device, else move_pages(2). */
#define PAGENODE_OPEN_DEVICE		(1U << 0)
#define PAGENODE_OPEN_MOVE_PAGES	(1U << 1)

/* What answers the questions. */
enum pagenode_backend {
	PAGENODE_BACKEND_MOVE_PAGES,
	PAGENODE_BACKEND_DEVICE
};

/**
 * pagenode_open - get a handle for questions about the calling process
 * @flags: 0, PAGENODE_OPEN_DEVICE (the module or an error) or
 *	PAGENODE_OPEN_MOVE_PAGES (never the module)
 *
 * Without flags, whatever makes the module unusable makes the library fall
 * back to move_pages(2). Whether that may be called shows at the first
 * question only.
 *
 * Return: a handle for pagenode_close(), or NULL with errno
 *	EINVAL		unknown flag, or both flags
 *	ENOMEM		no memory for the handle
 * and, with PAGENODE_OPEN_DEVICE,
 *	ENODEV		/dev/pagenode belongs to another driver
 *	EPROTO		the module speaks another version of the ABI
 *	EOPNOTSUPP	the module lacks a feature that the library needs
 * or an error of open(2) of /dev/pagenode: ENOENT, EACCES, EMFILE ...
 */
struct pagenode *pagenode_open(unsigned int flags);

/**
 * pagenode_close - free a handle
 * @pn: from pagenode_open(), or NULL, which does nothing
 */
void pagenode_close(struct pagenode *pn);

/**
 * pagenode_backend - what answers the questions asked through a handle?
 * @pn: from pagenode_open()
 */
enum pagenode_backend pagenode_backend(const struct pagenode *pn);

/**
 * pagenode_status - the status of each page of a range
 * @pn: from pagenode_open()
 * @addr: first byte of the range, at any alignment
 * @len: its length in bytes
 * @status: out: one status for each page that the range touches
 * @nr_status: the capacity of @status, in elements
 *
 * The range is widened to whole pages of sysconf(_SC_PAGESIZE) bytes. An
 * address that nothing is mapped at has a status like any other. An answer is
 * no snapshot: each page's status was true at some moment during the call.
 *
 * Return: 0, or -1 with errno
 *	EINVAL	the range goes past the end of the address space
 *	ENOSPC	@nr_status is less than the number of pages
 *	EFAULT	@status is not writable
 *	ENOMEM	the kernel had no memory for the question
 *	EPERM	move_pages(2) is forbidden here, as in many containers
 *	ENOSYS	this kernel has no move_pages(2)
 * With EINVAL, ENOSPC, EPERM and ENOSYS nothing was written.
 */
int pagenode_status(struct pagenode *pn, const void *addr, size_t len,
		    int *status, size_t nr_status);

#ifdef __cplusplus
}
#endif

#endif /* PAGENODE_H */
