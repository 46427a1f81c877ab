// SPDX-License-Identifier: GPL-2.0-only
/* Can the VMA that holds an address be had without the one that follows? */
#include <linux/mm.h>

struct vm_area_struct *pn_probe(struct mm_struct *mm, unsigned long addr);
struct vm_area_struct *pn_probe(struct mm_struct *mm, unsigned long addr)
{
	return vma_lookup(mm, addr);
}
