/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What there is in the fuzzer's world: an address space, and a kernel that
 * answers about it or does not. It is the oracle too.
 */
#ifndef PN_WORLD_H
#define PN_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "pagenode.h"
#include "wrong.h"

#define PAGE		4096ULL
/* Pages that 64 bits of address can name */
#define NR_ADDRESSABLE	(1ULL << 52)
#define MAX_SPANS	24

/* Pages of one kind. Between spans there is nothing. */
struct span {
	uint64_t first;
	uint64_t end;
	int status;
	unsigned int shift;
};

struct world {
	struct span span[MAX_SPANS];
	size_t nr_spans;

	/* the device; an error of 0 is none */
	int open_errno;
	int info_errno;
	uint32_t abi_version;
	uint64_t features;
	/* the other process */
	int pagemap_errno;
	int kill_errno;
	bool without_memory;

	/* The call of that number fails, counted down; or all from it on. */
	unsigned int calls_until_error;
	bool fails_for_good;
	int call_errno;

	/* what the kernel notes */
	int nr_open;
	int failed;		/* the last error that was injected, */
	bool device_failed;	/* and whether the device got it */
	pid_t pid;		/* the process that all questions are about */
};

extern struct world world;

void make_world(struct input *in);

/* The pages from @page on that are of one kind. */
struct span world_at(uint64_t page);

/*
 * The extent from @page on, within @end. Returns its end. Sizes count if
 * @by_size, and are unknown if not @sized.
 */
uint64_t world_extent(uint64_t page, uint64_t end, bool by_size, bool sized,
		      struct pagenode_extent *ext);

/* Counts of pages up to @end. Returns how long the array has to be. */
uint64_t world_counts(uint64_t page, uint64_t end, uint64_t *node,
		      uint64_t nr_nodes, uint64_t *nr_enoent,
		      uint64_t *nr_efault);

#endif /* PN_WORLD_H */
