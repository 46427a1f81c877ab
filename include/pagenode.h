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
 * Functions return 0 or a count, or -1 with errno set. One handle may be used by
 * many threads at once, and by a child after fork(), where a handle of
 * pagenode_open() answers about the child. It holds descriptors: a program that
 * closes all of its descriptors closes its handles first.
 */
#ifndef PAGENODE_H
#define PAGENODE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/pagenode.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pagenode;

/* Flags for opening. Neither: the device, else move_pages(2). */
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
 * back to move_pages(2). Where that is forbidden too, the first question says
 * so.
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
 * pagenode_open_pid - get a handle for questions about another process
 * @pid: the process, or 0 for the caller itself, as pagenode_open() does
 * @flags: as for pagenode_open()
 *
 * The rules are those of ptrace(2) for reading, PTRACE_MODE_READ: a process of
 * the same user that has not been made undumpable, or CAP_SYS_PTRACE.
 *
 * With the module the handle belongs to the memory that the process had when it
 * was opened: once that is gone, by exit or by execve(2), questions fail with
 * ESRCH. With move_pages(2) it belongs to the number @pid, whoever bears it.
 *
 * Return: a handle, or NULL with an error of pagenode_open(), or
 *	ESRCH		there is no such process, it has exited, or it is a
 *			kernel thread
 *	EPERM EACCES	the caller may not look at it
 *	EINVAL		@pid is negative
 *	ENOSYS		move_pages(2) would have to answer, and there is none
 */
struct pagenode *pagenode_open_pid(pid_t pid, unsigned int flags);

/**
 * pagenode_close - free a handle
 * @pn: from pagenode_open() or pagenode_open_pid(), or NULL, which does nothing
 */
void pagenode_close(struct pagenode *pn);

/**
 * pagenode_backend - what answers the questions asked through a handle?
 * @pn: from pagenode_open() or pagenode_open_pid()
 */
enum pagenode_backend pagenode_backend(const struct pagenode *pn);

/**
 * pagenode_describe - what answers, what could not be used, and why
 * @pn: from pagenode_open() or pagenode_open_pid()
 *
 * Return: a line for a log, without a newline, that lives as long as the handle
 */
const char *pagenode_describe(const struct pagenode *pn);

/*
 * Questions about a range take @addr, its first byte, at any alignment, and
 * @len, its length in bytes. The range is widened to whole pages of
 * sysconf(_SC_PAGESIZE) bytes. An address that nothing is mapped at has a status
 * like any other. An answer is no snapshot: each page's status was true at some
 * moment during the call.
 *
 * Each question may fail with
 *	EINVAL	the range goes past the end of the address space
 *	EFAULT	the result is not writable; SIGSEGV where the library writes it
 *		itself: counts, and the extents of move_pages(2)
 *	ENOMEM	the kernel had no memory for the question
 *	EPERM	move_pages(2) is forbidden here, as in many containers, or the
 *		caller may not look at the process
 *	ENOSYS	this kernel has no move_pages(2)
 *	ESRCH	the process is gone
 *	EINTR	a fatal signal; no program sees it
 */

/**
 * pagenode_status - the status of each page of a range
 * @pn: from pagenode_open() or pagenode_open_pid()
 * @addr: first byte of the range
 * @len: its length in bytes
 * @status: out: one status for each page that the range touches
 * @nr_status: the capacity of @status, in elements
 *
 * Return: 0, or -1 with errno
 *	ENOSPC	@nr_status is less than the number of pages
 * or one of those above. With EINVAL and ENOSPC nothing was written.
 */
int pagenode_status(struct pagenode *pn, const void *addr, size_t len,
		    int *status, size_t nr_status);

/**
 * pagenode_extents - a range as runs of pages that share a status
 * @pn: from pagenode_open() or pagenode_open_pid()
 * @addr: first byte of the range
 * @len: its length in bytes
 * @ext: out: the runs, in order of address, without a gap between them
 * @nr_ext: the capacity of @ext, in elements; 0 gets nowhere
 * @next: out: the first address that was not answered, or NULL
 *
 * An extent is as long as it can be within the range. Where @ext is full, the
 * answer ends before the range does: ask again from @next. A range that ends at
 * the last byte of the address space leaves @next 0.
 *
 * move_pages(2) doesn't know by which size a page is mapped: page_shift of its
 * extents is 0.
 *
 * Return: how many extents were written, or -1 with one of the errors above
 */
ssize_t pagenode_extents(struct pagenode *pn, const void *addr, size_t len,
			 struct pagenode_extent *ext, size_t nr_ext,
			 const void **next);

/**
 * pagenode_extents_by_size - as pagenode_extents(), apart by mapping size too
 * @pn: from pagenode_open() or pagenode_open_pid()
 * @addr: first byte of the range
 * @len: its length in bytes
 * @ext: out: runs of pages that share status and page_shift
 * @nr_ext: the capacity of @ext, in elements; 0 gets nowhere
 * @next: out: the first address that was not answered, or NULL
 *
 * Return: as pagenode_extents(), or -1 with errno
 *	EOPNOTSUPP	move_pages(2) is what answers
 */
ssize_t pagenode_extents_by_size(struct pagenode *pn, const void *addr,
				 size_t len, struct pagenode_extent *ext,
				 size_t nr_ext, const void **next);

/**
 * struct pagenode_counts - how many pages of a range have which status
 * @node: out: pages by node id; the array is the caller's
 * @nr_nodes: in: the capacity of @node, in elements; out, with ENOSPC: how many
 *	it takes
 * @nr_enoent: out: pages whose status is -ENOENT
 * @nr_efault: out: pages whose status is -EFAULT
 */
struct pagenode_counts {
	uint64_t *node;
	size_t nr_nodes;
	uint64_t nr_enoent;
	uint64_t nr_efault;
};

/**
 * pagenode_counts - how many pages of a range lie on each node
 * @pn: from pagenode_open() or pagenode_open_pid()
 * @addr: first byte of the range
 * @len: its length in bytes
 * @counts: the array to fill, and the rest of the answer
 *
 * All elements of the array are written, those of nodes that don't exist with 0.
 *
 * Return: 0, or -1 with errno
 *	ENOSPC	a page lies on a node >= @counts->nr_nodes, which now holds the
 *		number that does for this range
 * or one of those above. With an error the array's content is undefined.
 */
int pagenode_counts(struct pagenode *pn, const void *addr, size_t len,
		    struct pagenode_counts *counts);

/**
 * pagenode_pages - the status of each page of a list
 * @pn: from pagenode_open() or pagenode_open_pid()
 * @count: how many
 * @pages: their addresses, in any order and at any alignment
 * @status: out: one status for each
 *
 * For callers that hold a list. A range is answered faster by the functions
 * above.
 *
 * Return: 0, or -1 with one of the errors above; EFAULT also says that @pages
 * is not readable
 */
int pagenode_pages(struct pagenode *pn, size_t count, void *const *pages,
		   int *status);

#ifdef __cplusplus
}
#endif

#endif /* PAGENODE_H */
