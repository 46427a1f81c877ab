// SPDX-License-Identifier: GPL-2.0-only
/* What happens to the machine as a whole. By one process, one after the other. */
#include "ops.h"

#include "../cases/blocks.h"

#define KSM	"/sys/kernel/mm/ksm/"

static unsigned long block;

/* The first block found that can go. It stays offline until return_block(). */
void choose_block(void)
{
	if (!have_path("/sys/devices/system/memory/block_size_bytes"))
		return;
	block = movable_block();
	if (!set_block(block, "offline"))
		fail("memory%lu went offline before, and does not now: %s",
		     block, strerror(errno));
}

bool have_block(void)
{
	return block;
}

void return_block(void)
{
	if (have_block())
		set_block(block, "online_movable");
}

/* Refused while somebody holds a page of it. */
bool op_block_offline(struct actor *a)
{
	bool done = set_block(block, "offline");

	usleep(roll(&a->dice, 100000));
	return_block();
	return done;
}

bool op_compact(struct actor *a)
{
	(void)a;
	return !try_write("/proc/sys/vm/compact_memory", "1");
}

bool op_drop_caches(struct actor *a)
{
	return !try_write("/proc/sys/vm/drop_caches",
			  one_in(&a->dice, 2) ? "1" : "2");
}

/* Mostly on */
bool op_balance(struct actor *a)
{
	bool done = !try_write("/proc/sys/kernel/numa_balancing", "0");

	usleep(roll(&a->dice, 20000));
	return !try_write("/proc/sys/kernel/numa_balancing", "1") && done;
}

/* Seen, rather than done: KSM does it when it comes by. */
bool op_ksm_merged(struct actor *a)
{
	(void)a;
	return read_number(KSM "pages_sharing");
}

bool op_ksm_zero(struct actor *a)
{
	return !try_write(KSM "use_zero_pages",
			  one_in(&a->dice, 2) ? "1" : "0");
}

/* Of the node whose pool no part of the world depends on */
bool op_hugetlb_resize(struct actor *a)
{
	char path[128];
	char pages[16];

	hugetlb_pool(node_a(), "nr_hugepages", path, sizeof(path));
	snprintf(pages, sizeof(pages), "%zu", roll(&a->dice, 12));
	return !try_write(path, pages);
}
