/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One stretch of address space, the same in each host process: parts that change
 * at any time, noise, and between them parts that never do.
 */
#ifndef WORLD_H
#define WORLD_H

#include "../cases/case.h"

#include "../cases/query.h"

/* Where the parts begin, in huge pages */
enum {
	ANYWHERE = 0,		/* noise, on any node */
	STEADY = 8,
	THP_PART = 8,
	SMALL_PART = 9,
	BESIDE_PART = 10,	/* the second half of its page table is noise */
	NONE_PART = 11,
	HUGETLB_PART = 12,
	MIXED_PART = 13,
	HUGE_ZERO_PART = 14,
	NONE_SMALL_PART = 15,
	ONE_NODE = 16,		/* noise, on node_a() only */
	GAP = 18,		/* a hole */
	POOL = 24,		/* noise: a shared hugetlb file, on node_b() only */
	WORLD_HUGE = 32,
};

#define WORLD_PAGES	(WORLD_HUGE * HUGE_PAGES)
/* As large as a page table of the PMD level, which its processes share */
#define POOL_SIZE	(1UL << 30)

/* Statuses as bits. Node ids are less than these two. */
#define ENOENT_BIT	62
#define EFAULT_BIT	63
#define ABSENT		(1ULL << ENOENT_BIT)
#define UNMAPPED	(1ULL << EFAULT_BIT)

/*
 * What may be said of each page: a set of statuses, and the mapping's size as
 * log2 where that is fixed, else 0.
 */
struct wants {
	uint64_t may[WORLD_PAGES];
	uint8_t shift[WORLD_PAGES];
};

struct area {
	char *start;
	size_t nr_pages;
};

/* The files that are mapped in noise: shmem, shmem on node_a(), and hugetlb. */
struct files {
	int anywhere;
	int one_node;
	int pool;
	int steady;
};

#define FILE_SIZE	(8 * HUGE)

extern char *world;
extern struct files files;
/* Of a host, and of a copy that fork() made of one */
extern struct wants host_wants;
extern struct wants copy_wants;
/* Any status that a page of this machine can have */
extern uint64_t any_status;
/* An entry of a page table, with a page of each of the two nodes: as data */
extern uint64_t entry_on_a;
extern uint64_t entry_on_b;

static inline char *part(int huge)
{
	return world + huge * HUGE;
}

uint64_t status_bit(int status);
/* The name of the part that a page of the world is in */
const char *part_name(size_t page);

/* Before the hosts are made: addresses, files, and what is wanted. */
void plan_world(void);
/* In each host. */
void make_world(void);

#endif /* WORLD_H */
