/* SPDX-License-Identifier: GPL-2.0-only */
/* Page table entries of x86-64, and its clock */
#ifndef PN_ARCH_X86_H
#define PN_ARCH_X86_H

#include <linux/mmzone.h>
#include <linux/pgtable.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>

#define PN_SECTION_SHIFT	SECTION_SIZE_BITS

/*
 * An entry with none of these bits is not present. A leaf of a pmd that is
 * being split keeps only its PSE bit for a moment, and is present.
 */
#define PN_PTE_PRESENT	((u64)(_PAGE_PRESENT | _PAGE_PROTNONE))
#define PN_PMD_PRESENT	(PN_PTE_PRESENT | (u64)_PAGE_PSE)
#define PN_PUD_PRESENT	((u64)_PAGE_PRESENT)

/*
 * Flags that tell kinds of entries apart. PROTNONE must be among them: the
 * frame bits of a PROT_NONE entry are inverted, and a swap entry, which has
 * neither bit, may equal them.
 */
#define PN_PTE_FLAGS	(PN_PTE_PRESENT | (u64)_PAGE_SPECIAL)
#define PN_PMD_RW	((u64)_PAGE_RW)
#define PN_PMD_FLAGS	(PN_PMD_PRESENT | PN_PMD_RW | (u64)_PAGE_SPECIAL)

/* Flags of entries that the section table alone can't answer for. */
#define PN_PTE_ODD	((u64)(_PAGE_PROTNONE | _PAGE_SPECIAL))

/*
 * The bits that hold the page frame number. A variable of the kernel: memory
 * encryption takes one of them for itself.
 */
static inline u64 pn_arch_frame_bits(void)
{
	return PTE_PFN_MASK;
}

/* A Xen PV guest's entries hold machine frames, which no table here knows. */
static inline bool pn_arch_supported(void)
{
	return !cpu_feature_enabled(X86_FEATURE_XENPV);
}

/*
 * Two of the kernel's own clocks, one before and one after, would be an eighth
 * of a query of one page.
 */
static __always_inline u64 pn_arch_clock(void)
{
	return rdtsc();
}

/* Ticks of that clock a millisecond, or 0 if unknown. */
static inline u32 pn_arch_clock_khz(void)
{
	return tsc_khz;
}

#endif /* PN_ARCH_X86_H */
