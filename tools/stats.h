/* SPDX-License-Identifier: GPL-2.0-only */
/* What the module has done since it was loaded, and how to print it */
#ifndef PN_STATS_H
#define PN_STATS_H

#include <stddef.h>
#include <stdint.h>

#define STATS_BUCKETS	64
#define STATS_IOCTLS	16

/**
 * struct ioctl_stats - of one ioctl; see enum pagenode_stats_attr
 * @name: as in the uapi header
 * @calls: that returned
 * @pages: that were answered
 * @errors: calls that returned one
 * @nanoseconds: that all calls took
 * @histogram: calls by the log2 of their nanoseconds
 * @buckets: how many elements that has
 */
struct ioctl_stats {
	const char *name;
	uint64_t calls;
	uint64_t pages;
	uint64_t errors;
	uint64_t nanoseconds;
	uint64_t histogram[STATS_BUCKETS];
	size_t buckets;
};

/**
 * struct stats - of the module
 * @version: of the module
 * @abi: of its ioctls
 * @generation: how many times memory went online or offline
 * @ioctl: the ioctls
 * @nr: how many of them
 */
struct stats {
	char version[32];
	uint32_t abi;
	uint64_t generation;
	struct ioctl_stats ioctl[STATS_IOCTLS];
	size_t nr;
};

void stats_text(const struct stats *stats);
void stats_json(const struct stats *stats);
void stats_prometheus(const struct stats *stats);

#endif /* PN_STATS_H */
