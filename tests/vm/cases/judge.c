// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rule of doc/design.md 3.1 and 3.2. The module keeps the contract on every
 * kernel. The kernel's own move_pages says the same from 6.12 on; before that it
 * may differ only as the column `before` says, and never names a wrong node.
 */
#include "case.h"

#include <sched.h>

#include "query.h"

#define NODE	0
#define TRIES	200

/*
 * The contract, a row a kind; @before: what else move_pages before 6.12 may say,
 * where ANY_NODE is the node of the page.
 */
static const struct {
	const char *name;
	int status;
	int before[2];
} kinds[NR_KINDS] = {
	[NORMAL]	 = { "normal", NODE, { 0 } },
	[PROT_NONE_PAGE] = { "prot-none", NODE, { -ENOENT, -EFAULT } },
	[SECRET]	 = { "secretmem", NODE, { -ENOENT } },
	[UNTOUCHED]	 = { "untouched", -ENOENT, { -EFAULT } },
	[UNTOUCHED_FILE] = { "untouched-file", -ENOENT, { 0 } },
	[SWAPPED]	 = { "swapped", -ENOENT, { 0 } },
	[UFFD_MISSING]	 = { "uffd-missing", -ENOENT, { -EFAULT } },
	[UFFD_MARKER]	 = { "uffd-marker", -ENOENT, { 0 } },
	[GUARD]		 = { "guard", -ENOENT, { 0 } },
	[POISONED]	 = { "hwpoison", -ENOENT, { 0 } },
	[DEVICE]	 = { "device", -ENOENT, { -EFAULT, -EEXIST } },
	[NO_STRUCT_PAGE] = { "pfnmap", -ENOENT, { -EFAULT } },
	[PROT_NONE_PUD]	 = { "prot-none-1g", -ENOENT, { ANY_NODE } },
	[HOLE]		 = { "hole", -EFAULT, { 0 } },
	[ZERO]		 = { "zero", -EFAULT, { 0 } },
	[HUGE_ZERO]	 = { "huge-zero", -EFAULT, { 0 } },
	[PROT_NONE_ZERO] = { "prot-none-zero", -EFAULT, { -ENOENT } },
	[KSM_ZERO]	 = { "ksm-zero", -EFAULT, { 0 } },
	[VSYSCALL]	 = { "vsyscall", -EFAULT, { 0 } },
	[KERNEL_ADDRESS] = { "kernel-address", -EFAULT, { 0 } },
};

bool pages_may_move;
bool kernel_alone;

const char *kind_name(enum kind kind)
{
	return kinds[kind].name;
}

int kind_status(enum kind kind)
{
	return kinds[kind].status;
}

static bool is_its_node(const struct run *run, int status)
{
	if (run->node == ANY_NODE || pages_may_move)
		return is_node(status);
	return status == run->node;
}

static bool keeps_contract(const struct run *run, int status)
{
	if (kinds[run->kind].status < 0)
		return status == kinds[run->kind].status;
	return is_its_node(run, status);
}

static bool matches(int before, const struct run *run, int status)
{
	if (before == ANY_NODE)
		return is_its_node(run, status);
	return before && status == before;
}

/* A page that NUMA balancing has marked is PROT_NONE to an old kernel. */
static bool old_difference(const struct run *run, int kernels)
{
	enum kind kind = run->kind;

	if (kind == NORMAL && pages_may_move)
		kind = PROT_NONE_PAGE;
	return !kernel_at_least(6, 12) &&
	       (matches(kinds[kind].before[0], run, kernels) ||
		matches(kinds[kind].before[1], run, kernels));
}

/* NULL if the answers are right, else what is wrong. */
static const char *judge(const struct run *run, struct answer a)
{
	if (kernel_alone) {
		if (keeps_contract(run, a.kernels))
			return NULL;
	} else {
		if (!keeps_contract(run, a.ours))
			return "pagenode breaks the contract";
		if (a.ours == a.kernels)
			return NULL;
	}
	if (old_difference(run, a.kernels))
		return NULL;
	return "no row of the contract allows move_pages its answer";
}

void ask_both(const void *start, size_t nr_pages, int *ours, int *kernels)
{
	kernel_status(start, nr_pages, kernels);
	if (!kernel_alone)
		module_status(start, nr_pages, ours);
}

struct answer settle(const struct run *run, size_t i, struct answer a)
{
	const char *page = run->start + i * PAGE;
	const char *wrong = judge(run, a);
	int tries;

	for (tries = 0; wrong && pages_may_move && tries < TRIES; tries++) {
		sched_yield();
		ask_both(page, 1, &a.ours, &a.kernels);
		wrong = judge(run, a);
	}
	if (wrong)
		fail("%s: page %zu, %s, at %p: pagenode says %s, move_pages %s: %s",
		     run->name, i, kind_name(run->kind), page,
		     kernel_alone ? "nothing" : status_name(a.ours),
		     status_name(a.kernels), wrong);
	return a;
}

void expect(const char *name, const void *start, size_t nr_pages,
	    enum kind kind, int node)
{
	const struct run run = { name, start, nr_pages, kind, node };
	int *kernels = new_statuses(nr_pages);
	int *ours = new_statuses(nr_pages);
	size_t i;

	ask_both(start, nr_pages, ours, kernels);
	for (i = 0; i < nr_pages; i++)
		settle(&run, i, (struct answer){ ours[i], kernels[i] });
	free_statuses(kernels, nr_pages);
	free_statuses(ours, nr_pages);
}
