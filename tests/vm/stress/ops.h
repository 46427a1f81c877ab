/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to memory meanwhile. */
#ifndef OPS_H
#define OPS_H

#include "asker.h"

/* Where an operation may happen, and who does it */
#define ON_ANY		(1U << 0)	/* noise on any node */
#define ON_ONE		(1U << 1)	/* noise on node_a() */
#define TABLES		(1U << 2)	/* there, page tables that come and go */
#define ON_POOL		(1U << 3)	/* the shared hugetlb file */
#define BY_PARENT	(1U << 4)	/* with a process of its own */
#define BY_SYSTEM	(1U << 5)	/* on the machine */

/* Constants that the C library's headers lack, or are too old for */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE		25
#endif
#ifndef MADV_GUARD_REMOVE
#define MADV_GUARD_REMOVE	103
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif
#ifndef MADV_SOFT_OFFLINE
#define MADV_SOFT_OFFLINE	101
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP	4
#endif

struct actor {
	uint64_t seed;
	unsigned int number;
	unsigned int where;
	unsigned long step;
	struct dice dice;
	struct asker *asker;	/* of a parent */
	int host;
};

static inline bool on_one_node(const struct actor *a)
{
	return a->where & (ON_ONE | TABLES);
}

/* One operation of the actor's dice's choice, counted. */
void act(struct actor *a);
/* A thread: acts until it is time to stop. */
void *act_often(void *actor);
/* The report; false if something has never happened. */
bool report_ops(void);

/* room.c: where in its noise, and memory that may be gone at any time */
struct area small_area(struct actor *a);
struct area huge_area(struct actor *a);
int file_of(const struct actor *a);
void *map_at(struct area r, int flags, int fd);
/* False where a page was not there for it. */
bool write_area(struct actor *a, struct area r);
bool read_area(struct area r);
bool advise(struct area r, int advice);
void survive_faults(void);

/* ops_map.c */
bool op_map(struct actor *a);
bool op_map_file(struct actor *a);
bool op_map_hugetlb(struct actor *a);
bool op_unmap(struct actor *a);
bool op_remap(struct actor *a);
bool op_protect(struct actor *a);
bool op_read(struct actor *a);
bool op_write(struct actor *a);
bool op_drop(struct actor *a);
bool op_free(struct actor *a);
bool op_remove(struct actor *a);
bool op_punch(struct actor *a);
bool op_truncate(struct actor *a);
bool op_guard(struct actor *a);

/* ops_huge.c */
bool op_thp(struct actor *a);
bool op_split(struct actor *a);
bool op_collapse(struct actor *a);
bool op_collapse_file(struct actor *a);
bool op_refill(struct actor *a);
bool op_leave_to_khugepaged(struct actor *a);

/* ops_move.c */
bool op_move_pages(struct actor *a);
bool op_bind(struct actor *a);
bool op_swap_out(struct actor *a);
bool op_merge(struct actor *a);
bool op_unmerge(struct actor *a);
bool op_soft_offline(struct actor *a);

/* ops_pool.c */
bool op_pool_write(struct actor *a);
bool op_pool_punch(struct actor *a);
bool op_pool_protect(struct actor *a);
bool op_pool_unmap(struct actor *a);

/* ops_process.c */
bool op_fork(struct actor *a);
bool op_kill(struct actor *a);
bool op_exec(struct actor *a);
bool op_migrate(struct actor *a);

/* ops_system.c */
void choose_block(void);
bool have_block(void);
void return_block(void);
bool op_block_offline(struct actor *a);
bool op_compact(struct actor *a);
bool op_drop_caches(struct actor *a);
bool op_balance(struct actor *a);
bool op_ksm_merged(struct actor *a);
bool op_ksm_zero(struct actor *a);
bool op_hugetlb_resize(struct actor *a);

/* ops_netlink.c */
bool op_stats(struct actor *a);
bool op_nodemap(struct actor *a);
void check_final_stats(void);

/* host.c: a process with a world, until it is time to stop */
void be_host(int host, uint64_t seed);

/* report.c: before, and at the end; fails if something never happened. */
void start_counting(void);
void report(uint64_t seed, unsigned long seconds);

#endif /* OPS_H */
