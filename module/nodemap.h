/* SPDX-License-Identifier: GPL-2.0-only */
/* On which node does a page frame lie? */
#ifndef PN_NODEMAP_H
#define PN_NODEMAP_H

#include <linux/mmzone.h>
#include <linux/rcupdate.h>

#include "arch.h"
#include "decode.h"

/**
 * struct pn_nodemap - the node of each section of physical memory
 * @decoder: the table, as decode.h reads it
 * @order: for each section log2 of the largest naturally aligned block of
 *	sections around it that all lie on its node
 * @table: backs @decoder.status from index -1 on, then @order
 */
struct pn_nodemap {
	struct pn_decoder decoder;
	u8 *order;
	s16 table[];
};

int pn_nodemap_init(void);
void pn_nodemap_exit(void);
u64 pn_nodemap_generation(void);

/**
 * pn_nodemap_get() - the current map
 *
 * Context: inside an RCU read section, which must not end before the last use
 * of the map, of what it said, and of any struct page reached through it:
 * pn_nodemap waits for a grace period before memory may change its node or its
 * memory map may go.
 */
const struct pn_nodemap *pn_nodemap_get(void);

/**
 * pn_nodemap_status() - the status of a present page
 * @map: from pn_nodemap_get(), in the same RCU read section
 * @pfn: its frame
 * @shift: set to log2 of the size in bytes of the naturally aligned block of
 *	memory that all has this status, or to 0 where only the page is known to
 *
 * Return: a node id, or -ENOENT for memory that is not the kernel's to manage.
 */
s32 pn_nodemap_status(const struct pn_nodemap *map, unsigned long pfn,
		      unsigned int *shift);

/**
 * pn_nodemap_extent() - how far memory of one node reaches, to both sides
 * @map: from pn_nodemap_get(), in the same RCU read section
 * @pfn: a frame
 * @status: what pn_nodemap_status() said of it
 * @start: set to the first byte of memory that all has this status
 *
 * Memory of many blocks is not followed to its end.
 *
 * Return: its length in bytes; 0 where only the page is known to.
 */
u64 pn_nodemap_extent(const struct pn_nodemap *map, unsigned long pfn,
		      s32 status, u64 *start);

/**
 * pn_nodemap_lock() - let nothing change the map
 *
 * Context: may sleep, for as long as memory hotplug waits for readers. No RCU
 * read section.
 *
 * Return: how many times the map has changed.
 */
unsigned int pn_nodemap_lock(void);
void pn_nodemap_unlock(void);

/**
 * pn_nodemap_section() - what the map says of a section
 * @section: its number
 *
 * Context: the map is locked.
 *
 * Return: a node id, PN_UNKNOWN where each page is asked, or -ENOENT where no
 * memory is online.
 */
s32 pn_nodemap_section(unsigned long section);

#endif /* PN_NODEMAP_H */
