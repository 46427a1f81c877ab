// SPDX-License-Identifier: GPL-2.0-only
/*
 * The differential test: pagenode and move_pages about the same zoo, page by
 * page, with NUMA balancing off and on.
 */
#include "case.h"

#include "zoo.h"

static build_fn *const builders[] = {
	zoo_anon_pages, zoo_bound_pages, zoo_zero_pages, zoo_thp_pages,
	zoo_shmem, zoo_shmem_thp, zoo_file, zoo_hugetlb, zoo_dev_zero,
	zoo_swapped, zoo_ksm, zoo_poisoned, zoo_secretmem, zoo_guard,
	zoo_uffd, zoo_uffd_wp, zoo_pci_bar, zoo_process, zoo_beyond,
};

struct zoo *zoo_whole(void)
{
	struct zoo *z = zoo_open();
	size_t i;

	zoo_absent(z, PROT_NONE_PUD, "it has a case of its own");
	zoo_absent(z, DEVICE, "it has a guest of its own");
	for (i = 0; i < sizeof(builders) / sizeof(builders[0]); i++)
		builders[i](z);
	return z;
}

static void zoo(void)
{
	struct zoo *z = zoo_whole();

	zoo_check(z);
	zoo_tally(z, "");
}

/* A child without those pages asks about its parent's. */
static void ask_about_parent(void *arg)
{
	struct zoo *z = arg;

	zoo_leave(z);
	ask_about(getppid());
	zoo_check(z);
	zoo_tally(z, "");
}

static void zoo_of_another(void)
{
	in_child(ask_about_parent, zoo_whole());
}

/* The kernel alone: that the table of older kernels' answers is right. */
static void zoo_kernel(void)
{
	need_move_pages();
	kernel_alone = true;
	zoo();
}

/* Marks are only made while this process runs, on its way back from a tick. */
static void wait_for_marks(const char *counter, unsigned long start,
			   unsigned long wanted)
{
	unsigned long i;

	for (i = 0; vmstat(counter) - start < wanted; i++)
		if (i == 1000000)
			fail("NUMA balancing marks nothing: %s grew by %lu",
			     counter, vmstat(counter) - start);
}

static void zoo_balancing(void)
{
	unsigned long small;
	unsigned long huge;
	char remark[80];
	struct zoo *z;

	if (nr_nodes() < 2)
		skip("one node has memory: nothing to balance");
	pages_may_move = true;
	set_numa_balancing(true);
	small = vmstat("numa_pte_updates");
	huge = vmstat("numa_huge_pte_updates");
	z = zoo_whole();
	wait_for_marks("numa_pte_updates", small, 1000);
	if (set_thp_madvise())
		wait_for_marks("numa_huge_pte_updates", huge, 1);
	zoo_check(z);
	snprintf(remark, sizeof(remark), "; marks made: %lu, of THP: %lu",
		 vmstat("numa_pte_updates") - small,
		 vmstat("numa_huge_pte_updates") - huge);
	zoo_tally(z, remark);
}

const struct test_case zoo_cases[] = {
	{ "zoo", zoo },
	{ "zoo-of-another", zoo_of_another },
	{ "zoo-balancing", zoo_balancing },
	{ "zoo-kernel", zoo_kernel },
	{ NULL, NULL },
};
