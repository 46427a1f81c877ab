// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/kernel/space.h"

#include <string.h>

#define MAX_TABLES	4096
#define MAX_VMAS	64

struct mm_struct space_mm;

static void *tables[MAX_TABLES];
static unsigned int nr_tables;
static struct vm_area_struct vmas[MAX_VMAS];
static struct address_space file_mapping;
static struct file a_file = { .f_mapping = &file_mapping };
static unsigned long other_page;	/* whose kind is not as usual */
static bool other_anon;

/* Of a table's exact size, for the sanitizer to watch its ends */
static u64 *new_table(void)
{
	u64 *table = aligned_alloc(PAGE, PAGE);

	if (!table || nr_tables == MAX_TABLES)
		abort();
	memset(table, 0, PAGE);
	tables[nr_tables++] = table;
	return table;
}

void space_reset(void)
{
	while (nr_tables)
		free(tables[--nr_tables]);
	other_page = 0;
	space_mm = (struct mm_struct){
		.pgd = (pgd_t *)new_table(),
		.vmas = vmas,
	};
}

struct vm_area_struct *space_map(unsigned long start, unsigned long end,
				 unsigned long flags)
{
	struct vm_area_struct *vma = &vmas[space_mm.nr_vmas++];

	if (space_mm.nr_vmas > MAX_VMAS)
		abort();
	*vma = (struct vm_area_struct){
		.vm_start = start,
		.vm_end = end,
		.vm_flags = flags,
		.vm_file = flags & TEST_VM_ANON ? NULL : &a_file,
	};
	return vma;
}

u64 *space_entry(unsigned long addr, int shift)
{
	u64 *table = (u64 *)space_mm.pgd, *entry;
	int at;

	for (at = PGDIR_SHIFT; ; at -= 9) {
		entry = table + (addr >> at) % PTRS_PER_TABLE;
		if (at == shift)
			return entry;
		if (!(*entry & _PAGE_PRESENT) || *entry & _PAGE_PSE)
			*entry = (u64)new_table() | _PAGE_PRESENT | _PAGE_RW;
		table = (u64 *)(*entry & PTE_PFN_MASK);
	}
}

s16 space_section(unsigned long section)
{
	if (section >= NR_SECTIONS)
		return PN_UNKNOWN;
	if (section < 12)
		return 0;
	if (section < 24)
		return 1;
	if (section < 32)
		return section % 2 ? 1 : 2;
	return section < 40 ? PN_UNKNOWN : 2;
}

unsigned int space_order(unsigned long section)
{
	unsigned int order = 0;
	unsigned long size, first, i;

	for (size = 2; size <= NR_SECTIONS; size *= 2) {
		first = section / size * size;
		for (i = first; i < first + size; i++)
			if (space_section(i) != space_section(section))
				return order;
		order++;
	}
	return order;
}

/* Of a device that is about to go, which the kernel takes for online memory */
static bool is_device(unsigned long section)
{
	return section == 35 || section == 70;
}

/* Sections whose pages are asked: of two nodes, in turns of 16 pages, or offline */
static bool is_online(unsigned long section)
{
	return section < 36 || (section >= 40 && section < 72);
}

static bool is_memory(unsigned long section)
{
	return is_online(section) && !is_device(section);
}

static int page_node(unsigned long pfn)
{
	s16 status = space_section(pfn >> PFN_SECTION_SHIFT);

	return status != PN_UNKNOWN ? status : (int)(pfn / 16 % 2);
}

s32 space_node(unsigned long pfn)
{
	return is_memory(pfn >> PFN_SECTION_SHIFT) ? page_node(pfn) : -ENOENT;
}

bool space_page_anon(unsigned long pfn)
{
	if (pfn == other_page)
		return other_anon;
	return pfn / 512 % 4;
}

void space_set_page_anon(unsigned long pfn, bool anon)
{
	other_page = pfn;
	other_anon = anon;
}

struct page *kernel_page(unsigned long pfn)
{
	static struct page pages[16];
	struct page *page = &pages[pfn % 16];

	*page = (struct page){
		pfn, page_node(pfn), space_page_anon(pfn),
		is_device(pfn >> PFN_SECTION_SHIFT)
	};
	return page;
}

struct page *pfn_to_online_page(unsigned long pfn)
{
	kernel_needs(kernel.rcu, "a struct page is looked for without RCU");
	return is_online(pfn >> PFN_SECTION_SHIFT) ? kernel_page(pfn) : NULL;
}

static struct vm_area_struct *at_or_after(unsigned long addr)
{
	struct vm_area_struct *found = NULL;
	unsigned int i;

	for (i = 0; i < space_mm.nr_vmas; i++)
		if (vmas[i].vm_end > addr &&
		    (!found || vmas[i].vm_start < found->vm_start))
			found = &vmas[i];
	return found;
}

struct vm_area_struct *find_vma(struct mm_struct *mm, unsigned long addr)
{
	(void)mm;
	kernel_needs(kernel.mmap_lock, "a mapping is looked for without the lock");
	return at_or_after(addr);
}

struct vm_area_struct *vma_lookup(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma = find_vma(mm, addr);

	return vma && vma->vm_start <= addr ? vma : NULL;
}

/* A hugetlb file's tables may be another process's too, and no others. */
pmd_t *kernel_pmd_offset(u64 pud, unsigned long addr)
{
	const struct vm_area_struct *vma = *kernel.vma;
	bool shared = is_vm_hugetlb_page(vma) && vma->vm_flags & VM_MAYSHARE;

	kernel_needs(kernel.i_mmap_lock == shared,
		     "the file's lock is held for shared tables, and only for them");
	return kernel_table(pud, addr, PMD_SHIFT);
}

pte_t *kernel_pte_offset(u64 pmd, unsigned long addr)
{
	kernel_needs(kernel.rcu, "a table of ptes is read without RCU");
	return kernel_table(pmd, addr, PAGE_SHIFT);
}

static const struct place not_there = { -ENOENT, 0 };

static struct place pud_place(u64 pud)
{
	if (pud & _PAGE_SPECIAL)
		return (struct place){ -ENOENT, PUD_SHIFT };
	return (struct place){ space_node(kernel_entry_pfn(pud)), PUD_SHIFT };
}

static s32 pmd_status(const struct vm_area_struct *vma, u64 pmd)
{
	unsigned long pfn = kernel_entry_pfn(pmd);
	bool online = is_memory(pfn >> PFN_SECTION_SHIFT);

	if (vma_is_dax(vma))
		return online ? -EFAULT : -ENOENT;
	if (pmd & _PAGE_SPECIAL)
		return (vma->vm_flags & (VM_PFNMAP | VM_MIXEDMAP)) ? -ENOENT : -EFAULT;
	if (vma_is_anonymous(vma) && online && !space_page_anon(pfn) &&
	    !(pmd & (_PAGE_DIRTY | _PAGE_RW | TEST_PAGE_SHADOW)))
		return -EFAULT;
	return space_node(pfn);
}

struct place space_pmd_place(const struct vm_area_struct *vma, u64 pmd)
{
	if (!(pmd & (_PAGE_PRESENT | _PAGE_PROTNONE | _PAGE_PSE)))
		return not_there;
	return (struct place){ pmd_status(vma, pmd), PMD_SHIFT };
}

struct place space_pte_place(u64 pte)
{
	if (!(pte & (_PAGE_PRESENT | _PAGE_PROTNONE)))
		return not_there;
	if (pte & _PAGE_SPECIAL)
		return (struct place){ kernel_entry_pfn(pte) == ZERO_PFN ?
				       -EFAULT : -ENOENT, PAGE_SHIFT };
	return (struct place){ space_node(kernel_entry_pfn(pte)), PAGE_SHIFT };
}

static u64 next_entry(u64 entry, unsigned long addr, int shift)
{
	return ((u64 *)(entry & PTE_PFN_MASK))[(addr >> shift) % PTRS_PER_TABLE];
}

struct place space_place(unsigned long addr)
{
	const struct vm_area_struct *vma = at_or_after(addr);
	u64 entry = (u64)space_mm.pgd;
	int shift;

	if (!vma || vma->vm_start > addr)
		return (struct place){ -EFAULT, 0 };
	for (shift = PGDIR_SHIFT; shift >= PUD_SHIFT; shift -= 9) {
		entry = next_entry(entry, addr, shift);
		if (!(entry & _PAGE_PRESENT))
			return not_there;
	}
	if (entry & _PAGE_PSE)
		return pud_place(entry);
	entry = next_entry(entry, addr, PMD_SHIFT);
	if (!(entry & _PAGE_PRESENT) || entry & _PAGE_PSE)
		return space_pmd_place(vma, entry);
	return space_pte_place(next_entry(entry, addr, PAGE_SHIFT));
}
