/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An address space for the walk: page tables and mappings as a test wants them,
 * physical memory of several nodes, and what the plainest reading of it all says.
 */
#ifndef TEST_SPACE_H
#define TEST_SPACE_H

#include "tests/unit/kernel/kernel.h"
#include "module/arch.h"
#include "module/decode.h"

#define PAGE		(1UL << PAGE_SHIFT)
#define SECTION_PAGES	(1UL << PFN_SECTION_SHIFT)
#define NR_SECTIONS	64UL

/* What is at an address. @shift is log2 of the mapping's size, or 0. */
struct place {
	s32 status;
	u8 shift;
};

extern struct mm_struct space_mm;

/* Nothing is mapped, and all memory is as it was. */
void space_reset(void);
struct vm_area_struct *space_map(unsigned long start, unsigned long end,
				 unsigned long flags);
/* The entry of 1 << @shift bytes at the address, with the tables above it. */
u64 *space_entry(unsigned long addr, int shift);
struct place space_place(unsigned long addr);
/* The same of one entry, which is not a table's */
struct place space_pmd_place(const struct vm_area_struct *vma, u64 pmd);
struct place space_pte_place(u64 pte);

/*
 * Sections of node 0, 1 and 2, alone and in blocks; some of two nodes, some that
 * are not online, some beyond the table.
 */
s16 space_section(unsigned long section);
unsigned int space_order(unsigned long section);
s32 space_node(unsigned long pfn);
bool space_page_anon(unsigned long pfn);
/* From now on the page is the one or the other. */
void space_set_page_anon(unsigned long pfn, bool anon);

#endif /* TEST_SPACE_H */
