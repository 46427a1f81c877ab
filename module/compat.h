/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where kernels differ. Decided by what the kernel's headers define and by the
 * probes that Kbuild compiles, never by a version number: distributions
 * backport.
 */
#ifndef PN_COMPAT_H
#define PN_COMPAT_H

#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/nodemask.h>

static inline unsigned int pn_nr_node_ids(void)
{
	return nr_node_ids;
}

/* A macro on kernels without NUMA, and a field of the ABI. */
#undef nr_node_ids
#include <uapi/pagenode.h>

/*
 * For a buffer that is written before it is read, where kernels that clear
 * every variable on the stack would double the cost of a small query.
 */
#if __has_attribute(__uninitialized__)
#define __pn_uninitialized __attribute__((__uninitialized__))
#else
#define __pn_uninitialized
#endif

/* The VMA that holds the address. Before 5.14 there is find_vma() only. */
static inline struct vm_area_struct *pn_vma_lookup(struct mm_struct *mm,
						   unsigned long addr)
{
#ifdef PN_HAVE_VMA_LOOKUP
	return vma_lookup(mm, addr);
#else
	struct vm_area_struct *vma = find_vma(mm, addr);

	return vma && addr >= READ_ONCE(vma->vm_start) ? vma : NULL;
#endif
}

/*
 * pfn_to_online_page() does not always know memory of devices that lies in a
 * section with others: as a macro never, as a function not while the device goes.
 * Its struct page is there as long as the section's others, and says.
 */
static inline struct page *pn_pfn_to_online_page(unsigned long pfn)
{
	struct page *page = pfn_to_online_page(pfn);

#ifdef pfn_to_online_page
	if (page && !pfn_section_valid(__pfn_to_section(pfn), pfn))
		return NULL;
#endif
	return page && !is_zone_device_page(page) ? page : NULL;
}

/*
 * Does the leaf map something that has no struct page, or whose struct page is
 * nobody's business? Without a bit in the leaf that says so, every leaf of a
 * mapping that may hold such is taken for one.
 */
static inline bool pn_pmd_special(const struct vm_area_struct *vma, pmd_t pmd)
{
#ifdef CONFIG_ARCH_SUPPORTS_PMD_PFNMAP
	return pmd_special(pmd);
#else
	return vma->vm_flags & (VM_PFNMAP | VM_MIXEDMAP);
#endif
}

static inline bool pn_pud_special(const struct vm_area_struct *vma, pud_t pud)
{
#ifdef CONFIG_ARCH_SUPPORTS_PUD_PFNMAP
	return pud_special(pud);
#else
	return vma->vm_flags & (VM_PFNMAP | VM_MIXEDMAP);
#endif
}

#endif /* PN_COMPAT_H */
