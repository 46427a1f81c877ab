// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table from memory section to node, and its life under memory hotplug.
 *
 * Only hotplug writes the table, one event at a time, while queries read it
 * without a lock. A section says PN_UNKNOWN, and its pages are asked one by one,
 * whenever the table could be wrong:
 *
 * - while it comes online, since its pages are usable before MEM_ONLINE;
 * - from MEM_GOING_OFFLINE on. After MEM_OFFLINE a grace period passes before
 *   the notifier returns, so no reader still holds an answer from before when
 *   the memory map is freed, or the memory comes back on another node;
 * - for memory of devices. It sends no event, but can't enter a section whose
 *   subsections are all online, and only such a section gets a node.
 */
#include <linux/log2.h>
#include <linux/memory.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "arch.h"
#include "compat.h"
#include "nodemap.h"
#include "section.h"

static struct pn_nodemap __rcu *pn_map;
static DEFINE_MUTEX(pn_map_mutex);	/* serializes the writers */
static atomic64_t pn_map_generation;
static unsigned int pn_map_changes;	/* by the mutex */

u64 pn_nodemap_generation(void)
{
	return atomic64_read(&pn_map_generation);
}

const struct pn_nodemap *pn_nodemap_get(void)
{
	return rcu_dereference(pn_map);
}

static unsigned long pn_map_sections(const struct pn_nodemap *map)
{
	return map->decoder.index_mask + 1;
}

/* On debug kernels the struct page of a device that goes is filled with ones. */
static s32 pn_page_status(unsigned long pfn)
{
	struct page *page = pn_pfn_to_online_page(pfn);
	unsigned int nid;

	if (!page)
		return -ENOENT;
	nid = page_to_nid(page);
	return nid < pn_nr_node_ids() ? (s32)nid : -ENOENT;
}

/* The section of a frame, if the table reaches so far. */
static bool pn_map_index(const struct pn_nodemap *map, unsigned long pfn,
			 unsigned long *index)
{
	unsigned long nr = pfn_to_section_nr(pfn);

	*index = array_index_nospec(nr, pn_map_sections(map));
	return nr < pn_map_sections(map);
}

s32 pn_nodemap_status(const struct pn_nodemap *map, unsigned long pfn,
		      unsigned int *shift)
{
	unsigned long i;

	*shift = 0;
	if (pn_map_index(map, pfn, &i)) {
		s32 status = READ_ONCE(map->decoder.status[i]);

		if (status != PN_UNKNOWN) {
			*shift = PN_SECTION_SHIFT + READ_ONCE(map->order[i]);
			return status;
		}
	}
	return pn_page_status(pfn);
}

/*
 * From block to block to the first and the last section. What is read of a
 * section stays true to the end of the RCU section, whenever it was read, so all
 * of it may be put together. An extent of any length is few blocks, the largest
 * in the middle. While they are being found anew it may be as many as there are
 * sections, and is not followed to its end.
 */
#define PN_MAX_BLOCKS	64

static unsigned long pn_map_first(const struct pn_nodemap *map,
				  unsigned long i, s32 status)
{
	unsigned int n;

	for (n = 0; n < PN_MAX_BLOCKS; n++) {
		i &= ~0UL << READ_ONCE(map->order[i]);
		if (!i || READ_ONCE(map->decoder.status[i - 1]) != status)
			break;
		i--;
	}
	return i;
}

static unsigned long pn_map_last(const struct pn_nodemap *map, unsigned long i,
				 s32 status)
{
	unsigned int n;

	for (n = 0; n < PN_MAX_BLOCKS; n++) {
		i |= ~(~0UL << READ_ONCE(map->order[i]));
		if (i == map->decoder.index_mask ||
		    READ_ONCE(map->decoder.status[i + 1]) != status)
			break;
		i++;
	}
	return i;
}

u64 pn_nodemap_extent(const struct pn_nodemap *map, unsigned long pfn,
		      s32 status, u64 *start)
{
	unsigned long i, first, last;

	if (!pn_map_index(map, pfn, &i) ||
	    READ_ONCE(map->decoder.status[i]) != status)
		return 0;
	first = pn_map_first(map, i, status);
	last = pn_map_last(map, i, status);
	*start = (u64)first << PN_SECTION_SHIFT;
	return (u64)(last + 1 - first) << PN_SECTION_SHIFT;
}

static struct pn_nodemap *pn_map_alloc(unsigned long nr_sections)
{
	struct pn_nodemap *map;
	unsigned long i;
	u64 reach;

	nr_sections = roundup_pow_of_two(nr_sections);
	map = kvzalloc(sizeof(*map) + (nr_sections + 1) * sizeof(s16) +
		       nr_sections, GFP_KERNEL);
	if (!map)
		return NULL;

	reach = ((u64)nr_sections << PN_SECTION_SHIFT) - 1;
	map->decoder = (struct pn_decoder) {
		.status = map->table + 1,
		.index_mask = nr_sections - 1,
		.odd = PN_PTE_ODD | (pn_arch_frame_bits() & ~reach),
		.same = PN_ENTRY_VALID | (pn_arch_frame_bits() &
					  PAGE_SECTION_MASK << PAGE_SHIFT),
	};
	map->order = (u8 *)(map->table + 1 + nr_sections);
	map->table[0] = -ENOENT;
	for (i = 0; i < nr_sections; i++)
		map->table[1 + i] = PN_UNKNOWN;
	return map;
}

static struct pn_nodemap *pn_map_locked(void)
{
	return rcu_dereference_protected(pn_map,
					 lockdep_is_held(&pn_map_mutex));
}

static void pn_map_set(struct pn_nodemap *map, unsigned long section,
		       s16 status)
{
	WRITE_ONCE(map->table[1 + section], status);
}

/*
 * The largest blocks of one node, from pairs of smaller ones. A reader may see
 * an order from before for a moment. It is either smaller than it could be, or
 * names a block that GOING_OFFLINE has just broken and whose memory is still
 * where it was.
 */
static void pn_map_find_blocks(struct pn_nodemap *map)
{
	const s16 *status = map->decoder.status;
	unsigned long nr = pn_map_sections(map), size, i, j;
	unsigned int order = 0;

	for (i = 0; i < nr; i++)
		WRITE_ONCE(map->order[i], 0);

	for (size = 1; size < nr; size *= 2, order++) {
		for (i = 0; i < nr; i += 2 * size) {
			cond_resched();
			if (status[i] == PN_UNKNOWN ||
			    status[i] != status[i + size] ||
			    map->order[i] != order ||
			    map->order[i + size] != order)
				continue;
			for (j = i; j < i + 2 * size; j++)
				WRITE_ONCE(map->order[j], order + 1);
		}
	}
}

static void pn_map_classify(struct pn_nodemap *map, unsigned long section,
			    unsigned long end)
{
	for (; section < min(end, pn_map_sections(map)); section++) {
		pn_map_set(map, section, pn_section_status(section));
		cond_resched();
	}
	pn_map_find_blocks(map);
	pn_map_changes++;
}

static void pn_map_forget(struct pn_nodemap *map, unsigned long section,
			  unsigned long end)
{
	for (; section < min(end, pn_map_sections(map)); section++)
		pn_map_set(map, section, PN_UNKNOWN);
	pn_map_find_blocks(map);
	pn_map_changes++;
}

/*
 * Make room for sections up to @end. Where there is no memory for it, they stay
 * out of reach of the table, which is slower to ask and not wrong.
 */
static struct pn_nodemap *pn_map_grow(struct pn_nodemap *old, unsigned long end)
{
	struct pn_nodemap *map;

	if (end <= pn_map_sections(old))
		return old;
	map = pn_map_alloc(end);
	if (!map)
		return old;
	memcpy(map->table, old->table,
	       (pn_map_sections(old) + 1) * sizeof(s16));
	pn_map_find_blocks(map);
	rcu_assign_pointer(pn_map, map);
	synchronize_rcu();
	kvfree(old);
	return map;
}

static int pn_memory_event(struct notifier_block *nb, unsigned long action,
			   void *data)
{
	const struct memory_notify *event = data;
	unsigned long start = pfn_to_section_nr(event->start_pfn);
	unsigned long end = pfn_to_section_nr(event->start_pfn +
					      event->nr_pages - 1) + 1;
	struct pn_nodemap *map;

	mutex_lock(&pn_map_mutex);
	map = pn_map_locked();
	switch (action) {
	case MEM_ONLINE:
		map = pn_map_grow(map, end);
		atomic64_inc(&pn_map_generation);
		fallthrough;
	case MEM_CANCEL_OFFLINE:
		pn_map_classify(map, start, end);
		break;
	case MEM_GOING_OFFLINE:
		pn_map_forget(map, start, end);
		break;
	case MEM_OFFLINE:
		pn_map_forget(map, start, end);
		atomic64_inc(&pn_map_generation);
		synchronize_rcu();
		break;
	}
	mutex_unlock(&pn_map_mutex);
	return NOTIFY_OK;
}

unsigned int pn_nodemap_lock(void)
{
	mutex_lock(&pn_map_mutex);
	return pn_map_changes;
}

void pn_nodemap_unlock(void)
{
	mutex_unlock(&pn_map_mutex);
}

s32 pn_nodemap_section(unsigned long section)
{
	const struct pn_nodemap *map = pn_map_locked();
	s16 status = PN_UNKNOWN;

	if (section < pn_map_sections(map))
		status = map->decoder.status[section];
	if (status == PN_UNKNOWN && !online_section_nr(section))
		return -ENOENT;
	return status;
}

static struct notifier_block pn_memory_notifier = {
	.notifier_call = pn_memory_event,
};

int pn_nodemap_init(void)
{
	struct pn_nodemap *map;
	int err;

	BUILD_BUG_ON(MAX_NUMNODES * PN_GROUP >= -PN_UNKNOWN / 2);

	map = pn_map_alloc(pn_section_end());
	if (!map)
		return -ENOMEM;
	RCU_INIT_POINTER(pn_map, map);

	/*
	 * Register first, then classify what is online, under the mutex that
	 * each event takes: an event in between can't get lost.
	 */
	err = register_memory_notifier(&pn_memory_notifier);
	if (err)
		goto err_free;
	mutex_lock(&pn_map_mutex);
	map = pn_map_locked();
	pn_map_classify(map, 0, pn_map_sections(map));
	mutex_unlock(&pn_map_mutex);
	return 0;

err_free:
	kvfree(map);
	return err;
}

void pn_nodemap_exit(void)
{
	unregister_memory_notifier(&pn_memory_notifier);
	/* The device is gone and with it every reader. */
	kvfree(rcu_dereference_protected(pn_map, 1));
}
