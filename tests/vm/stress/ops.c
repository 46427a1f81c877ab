// SPDX-License-Identifier: GPL-2.0-only
/* All that can happen, and how often it did. */
#include "ops.h"

static bool have_ksm(void)
{
	return have_path("/sys/kernel/mm/ksm/run");
}

/* About no memory at all an advice is fine if the kernel knows it. */
static bool knows(int advice)
{
	return !madvise((void *)PAGE, 0, advice);
}

static bool have_collapse(void)
{
	return knows(MADV_COLLAPSE);
}

static bool have_guard(void)
{
	return knows(MADV_GUARD_INSTALL);
}

static bool have_soft_offline(void)
{
	return knows(MADV_SOFT_OFFLINE);
}

static bool have_ksm_zero(void)
{
	return have_path("/sys/kernel/mm/ksm/use_zero_pages");
}

static bool have_compaction(void)
{
	return have_path("/proc/sys/vm/compact_memory");
}

/* @there: whether the kernel has it; NULL if all do. */
static const struct op {
	const char *name;
	bool (*run)(struct actor *a);
	unsigned int where;
	bool (*there)(void);
} ops[] = {
	{ "mmap", op_map, ON_ANY | ON_ONE, NULL },
	{ "mmap of a file", op_map_file, ON_ANY | ON_ONE, NULL },
	{ "mmap of hugetlb", op_map_hugetlb, ON_ANY, NULL },
	{ "munmap", op_unmap, ON_ANY | ON_ONE, NULL },
	{ "mremap", op_remap, ON_ANY | ON_ONE, NULL },
	{ "mprotect", op_protect, ON_ANY | ON_ONE, NULL },
	{ "reads", op_read, ON_ANY | ON_ONE, NULL },
	{ "writes", op_write, ON_ANY | ON_ONE, NULL },
	{ "MADV_DONTNEED", op_drop, ON_ANY | ON_ONE, NULL },
	{ "MADV_FREE", op_free, ON_ANY | ON_ONE, NULL },
	{ "MADV_REMOVE", op_remove, ON_ANY | ON_ONE, NULL },
	{ "punched holes", op_punch, ON_ANY | ON_ONE, NULL },
	{ "ftruncate", op_truncate, ON_ANY | ON_ONE, NULL },
	{ "guard regions", op_guard, ON_ANY | ON_ONE, have_guard },
	{ "huge pages", op_thp, ON_ANY | ON_ONE, have_thp },
	{ "splits", op_split, ON_ANY | ON_ONE, have_thp },
	{ "tables, huge pages", op_refill, ON_ANY | TABLES, have_thp },
	{ "collapses", op_collapse, ON_ANY | ON_ONE, have_collapse },
	{ "collapses of a file", op_collapse_file, ON_ANY | TABLES,
	  have_collapse },
	{ "memory for khugepaged", op_leave_to_khugepaged, ON_ANY | ON_ONE,
	  have_thp },
	{ "move_pages", op_move_pages, ON_ANY, NULL },
	{ "mbind", op_bind, ON_ANY, NULL },
	{ "swapped out", op_swap_out, ON_ANY, NULL },
	{ "MADV_MERGEABLE", op_merge, ON_ANY, have_ksm },
	{ "MADV_UNMERGEABLE", op_unmerge, ON_ANY, have_ksm },
	{ "pages poisoned softly", op_soft_offline, ON_ANY, have_soft_offline },
	{ "writes to the pool", op_pool_write, ON_POOL, NULL },
	{ "holes in the pool", op_pool_punch, ON_POOL, NULL },
	{ "mprotect of the pool", op_pool_protect, ON_POOL, NULL },
	{ "munmap of the pool", op_pool_unmap, ON_POOL, NULL },
	{ "fork and exit", op_fork, BY_PARENT, NULL },
	{ "killed in a query", op_kill, BY_PARENT, NULL },
	{ "exec in a query", op_exec, BY_PARENT, NULL },
	{ "migrate_pages", op_migrate, BY_PARENT, NULL },
	{ "blocks offline, online", op_block_offline, BY_SYSTEM, have_block },
	{ "compaction", op_compact, BY_SYSTEM, have_compaction },
	{ "caches dropped", op_drop_caches, BY_SYSTEM, NULL },
	{ "balancing off, on", op_balance, BY_SYSTEM, have_numa_balancing },
	{ "pages merged by KSM", op_ksm_merged, BY_SYSTEM, have_ksm },
	{ "KSM's zero page", op_ksm_zero, BY_SYSTEM, have_ksm_zero },
	{ "hugetlb resized", op_hugetlb_resize, BY_SYSTEM, NULL },
	{ "netlink statistics", op_stats, BY_SYSTEM, NULL },
	{ "dumps of the node map", op_nodemap, BY_SYSTEM, NULL },
};

#define NR_OPS (sizeof(ops) / sizeof(ops[0]))

_Static_assert(NR_OPS <= MAX_OPS, "counters for all operations");

static bool is_there(const struct op *op)
{
	return !op->there || op->there();
}

static size_t ops_of(const struct actor *a, const struct op **mine)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < NR_OPS; i++)
		if (ops[i].where & a->where)
			mine[nr++] = ops + i;
	return nr;
}

/*
 * All that the actor can do in an order of its dice's choice, and then again in
 * another: where little time is, everything happens once all the same. What this
 * kernel has does not change the order.
 */
static const struct op *choose(const struct actor *a)
{
	const struct op *mine[NR_OPS];
	size_t nr = ops_of(a, mine);
	struct dice round = dice_of(a->seed, a->number, -1 - a->step / nr);
	const struct op *op;
	size_t i;
	size_t j;

	for (i = nr - 1; i; i--) {
		j = roll(&round, i + 1);
		op = mine[i];
		mine[i] = mine[j];
		mine[j] = op;
	}
	return mine[a->step % nr];
}

void act(struct actor *a)
{
	const struct op *op;
	struct count *count;

	op = choose(a);
	a->dice = dice_of(a->seed, a->number, a->step++);
	if (!is_there(op))
		return;
	count = &shared->op[op - ops];
	atomic_fetch_add(op->run(a) ? &count->done : &count->refused, 1);
}

void *act_often(void *actor)
{
	struct actor *a = actor;

	if (on_one_node(a))
		bind_task(node_a());
	if (a->where == ON_POOL)
		bind_task(node_b());
	while (!stopped()) {
		act(a);
		/* For the others to get the mmap lock */
		usleep(roll(&a->dice, 2000));
	}
	return NULL;
}

bool report_ops(void)
{
	const char *never = NULL;
	size_t i;

	for (i = 0; i < NR_OPS; i++) {
		struct count *count = &shared->op[i];

		if (!is_there(ops + i)) {
			note("%-24s not on this kernel", ops[i].name);
			continue;
		}
		note("%-24s %8lu, %lu refused", ops[i].name,
		     atomic_load(&count->done), atomic_load(&count->refused));
		if (!atomic_load(&count->done))
			never = ops[i].name;
	}
	if (never)
		note("never happened: %s", never);
	return !never;
}
