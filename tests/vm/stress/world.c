// SPDX-License-Identifier: GPL-2.0-only
/* Where the parts are, and what may be said of their pages. */
#include "world.h"

#include <linux/memfd.h>

char *world;
struct files files;
struct wants host_wants;
struct wants copy_wants;
uint64_t any_status;

uint64_t status_bit(int status)
{
	if (status == -ENOENT)
		return ABSENT;
	if (status == -EFAULT)
		return UNMAPPED;
	return status >= 0 && status < ENOENT_BIT ? 1ULL << status : 0;
}

const char *part_name(size_t page)
{
	static const char *const name[] = {
		[THP_PART] = "the huge page",
		[SMALL_PART] = "small pages, nodes in turn, absent",
		[BESIDE_PART] = "small pages in turn beside noise",
		[NONE_PART] = "the PROT_NONE huge page",
		[HUGETLB_PART] = "the hugetlb page",
		[MIXED_PART] = "shmem, zero pages, secretmem, a device, a hole",
		[HUGE_ZERO_PART] = "the huge zero page",
		[NONE_SMALL_PART] = "PROT_NONE pages and a hole",
	};
	size_t huge = page / HUGE_PAGES;

	if (huge < STEADY)
		return "noise on any node";
	if (huge < ONE_NODE)
		return name[huge];
	if (huge < GAP)
		return "noise on one node";
	return huge < POOL ? "the gap" : "noise in the shared pool";
}

static void plan_files(void)
{
	files.anywhere = new_memfd(FILE_SIZE, 0);
	files.one_node = new_memfd(FILE_SIZE, 0);
	files.pool = new_memfd(POOL_SIZE, MFD_HUGETLB | MFD_HUGE_2MB);
	files.steady = new_memfd(HUGE, 0);
}

static void want_noise(size_t huge, size_t nr, uint64_t may)
{
	size_t i;

	for (i = huge * HUGE_PAGES; i < (huge + nr) * HUGE_PAGES; i++)
		host_wants.may[i] = may | ABSENT | UNMAPPED;
}

void plan_world(void)
{
	uintptr_t room = (uintptr_t)quiet_room(3 * POOL_SIZE);
	int id;

	if (node_b() >= ENOENT_BIT)
		skip("node %d: its id is too large for a bit", node_b());
	for (id = 0; id < ENOENT_BIT; id++)
		if (is_node(id))
			any_status |= status_bit(id);
	any_status |= ABSENT | UNMAPPED;
	/* The pool starts where a page table of the PMD level does. */
	world = (char *)((room + 2 * POOL_SIZE) & -POOL_SIZE) - POOL * HUGE;
	want_noise(ANYWHERE, STEADY, any_status);
	want_noise(STEADY, ONE_NODE - STEADY, any_status);
	want_noise(ONE_NODE, GAP - ONE_NODE, status_bit(node_a()));
	want_noise(POOL, WORLD_HUGE - POOL, status_bit(node_b()));
	plan_files();
}
