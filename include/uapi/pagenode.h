/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The ioctls of /dev/pagenode: on which NUMA node does each page of a range of
 * virtual memory lie?
 *
 * A page's status is that of move_pages(2) with a NULL node list:
 *
 *	>= 0	the id of the node that the page lies on
 *	-ENOENT	no page is present: never touched, swapped out, under migration,
 *		or memory that belongs to a device
 *	-EFAULT	nothing is mapped there, or the shared zero page is
 *
 * An answer about a range is no snapshot. Each page's status was true at some
 * moment during the call.
 */
#ifndef _UAPI_PAGENODE_H
#define _UAPI_PAGENODE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PAGENODE_ABI_VERSION	1

/**
 * struct pagenode_info - what is loaded
 * @size: in: sizeof(struct pagenode_info) as the caller knows it
 * @abi_version: out: PAGENODE_ABI_VERSION of the module
 * @features: out: PAGENODE_FEATURE_* bits
 * @page_shift: out: log2 of the base page size in bytes
 * @nr_node_ids: out: the highest possible node id + 1
 * @nodemap_generation: out: grows by one each time that memory goes online or
 *	offline
 * @version: out: the module's version, NUL-terminated
 */
struct pagenode_info {
	__u32 size;
	__u32 abi_version;
	__aligned_u64 features;
	__u32 page_shift;
	__u32 nr_node_ids;
	__aligned_u64 nodemap_generation;
	char version[32];
};

/* Bits of pagenode_info.features: the ioctl or flag of that name works. */
#define PAGENODE_FEATURE_STATUS		(1ULL << 0)
#define PAGENODE_FEATURE_EXTENTS	(1ULL << 1)
#define PAGENODE_FEATURE_COUNTS		(1ULL << 2)
#define PAGENODE_FEATURE_PAGES		(1ULL << 3)
#define PAGENODE_FEATURE_MM_FD		(1ULL << 4)

/* Bits of pagenode_query.flags */
#define PAGENODE_F_MM_FD		(1U << 0)
#define PAGENODE_F_SPLIT_PAGE_SIZE	(1U << 1)

/**
 * struct pagenode_query - a question, and where its answer goes
 * @size: in: sizeof(struct pagenode_query) as the caller knows it
 * @flags: in: PAGENODE_F_* bits
 * @mm_fd: in: with PAGENODE_F_MM_FD a descriptor of an open
 *	/proc/PID/pagemap, the process to ask about; else 0: the caller itself
 * @reserved: in: must be 0
 * @start: in: first address, a multiple of the page size
 * @nr_pages: in: how many base pages
 * @out: in: address of the result array
 * @out_len: in: the capacity of that array, in elements
 * @out_count: out: how many elements were written
 * @next: out: the first address that was not answered
 * @nr_enoent: out, PAGENODE_IOC_COUNTS: pages with status -ENOENT
 * @nr_efault: out, PAGENODE_IOC_COUNTS: pages with status -EFAULT
 *
 * PAGENODE_IOC_EXTENTS ends where @out is full, with @next short of the end: ask
 * again from @next. Without any room (@out_len 0) it never gets further.
 * PAGENODE_IOC_PAGES takes in @start the address of a list of @nr_pages addresses,
 * __u64 each, and counts @next in that list.
 *
 * Zeroed but for @size, @start, @nr_pages, @out and @out_len this is a valid
 * question of a process about itself.
 */
struct pagenode_query {
	__u32 size;
	__u32 flags;
	__s32 mm_fd;
	__u32 reserved;
	__aligned_u64 start;
	__aligned_u64 nr_pages;
	__aligned_u64 out;
	__aligned_u64 out_len;
	__aligned_u64 out_count;
	__aligned_u64 next;
	__aligned_u64 nr_enoent;
	__aligned_u64 nr_efault;
};

/**
 * struct pagenode_extent - a run of pages that share a status
 * @start: address of the first page
 * @nr_pages: how many base pages
 * @status: a node id, -ENOENT or -EFAULT
 * @page_shift: log2 of the smallest mapping in the extent (12, 21, 30 ...); 0
 *	where nothing is mapped
 */
struct pagenode_extent {
	__aligned_u64 start;
	__aligned_u64 nr_pages;
	__s32 status;
	__u32 page_shift;
};

#define PAGENODE_IOC_TYPE	0xBB

#define PAGENODE_IOC_INFO	_IOWR(PAGENODE_IOC_TYPE, 0, struct pagenode_info)
#define PAGENODE_IOC_STATUS	_IOWR(PAGENODE_IOC_TYPE, 1, struct pagenode_query)
#define PAGENODE_IOC_EXTENTS	_IOWR(PAGENODE_IOC_TYPE, 2, struct pagenode_query)
#define PAGENODE_IOC_COUNTS	_IOWR(PAGENODE_IOC_TYPE, 3, struct pagenode_query)
#define PAGENODE_IOC_PAGES	_IOWR(PAGENODE_IOC_TYPE, 4, struct pagenode_query)

#endif /* _UAPI_PAGENODE_H */
