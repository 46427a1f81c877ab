/* SPDX-License-Identifier: GPL-2.0-only */
/* What module/arch_x86.h takes from the kernel's header of this name */
#define _PAGE_PRESENT	(1UL << 0)
#define _PAGE_RW	(1UL << 1)
#define _PAGE_PSE	(1UL << 7)
#define _PAGE_PROTNONE	(1UL << 8)
#define _PAGE_SPECIAL	(1UL << 9)

/* Memory encryption takes a bit away. */
extern u64 physical_mask;
#define PTE_PFN_MASK	(physical_mask & ~0xfffULL)
