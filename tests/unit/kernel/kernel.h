/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of a kernel as module/walk.c needs, in a process of its own: page tables
 * of five levels whose frames are where malloc() put them, with the entries of
 * x86-64. Each lock is a counter, and what may be read only under a lock looks at
 * it. The test has a hook before every read of an entry.
 */
#ifndef TEST_KERNEL_H
#define TEST_KERNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;

/* As in a kernel's own build */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define CONFIG_X86_64
#define CONFIG_ARCH_SUPPORTS_PMD_PFNMAP
#define CONFIG_ARCH_SUPPORTS_PUD_PFNMAP

#define noinline	__attribute__((noinline))
#define __rcu
#define min(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })

/* What the test decides upon or counts */
extern struct kernel {
	int rcu;			/* depth of the read section */
	int mmap_lock;
	int i_mmap_lock;
	int mutex;			/* the one of module/nodemap.c */
	bool killed;
	bool resched;
	bool contended;
	unsigned int windows;		/* calls of pn_window() */
	struct vm_area_struct **vma;	/* the one whose tables are read */
	u64 encryption;		/* the address bit that it takes for itself */
} kernel;

void kernel_needs(bool held, const char *what);
void kernel_before_read(const volatile void *entry);
void kernel_barrier(void);

#define READ_ONCE(x) (*({					\
	const volatile __typeof__(x) *read_ = &(x);		\
								\
	kernel_before_read(read_);				\
	read_;							\
}))

#define pn_window()		((void)kernel.windows++)
#define smp_rmb()		kernel_barrier()	/* where a test looks in */
#define rcu_read_lock()		((void)kernel.rcu++)
#define rcu_read_unlock()	((void)kernel.rcu--)
#define need_resched()		(kernel.resched)
#define rwsem_is_contended(sem)	((void)(sem), kernel.contended)

/* Memory */
#define PAGE_SHIFT		12
#define PMD_SHIFT		21
#define PUD_SHIFT		30
#define P4D_SHIFT		39
#define PGDIR_SHIFT		48
#define PTRS_PER_TABLE		512UL
#define PAGE_MASK		(~((1UL << PAGE_SHIFT) - 1))
#define PMD_MASK		(~((1UL << PMD_SHIFT) - 1))
#define PUD_MASK		(~((1UL << PUD_SHIFT) - 1))
#define SECTION_SIZE_BITS	27
#define PFN_SECTION_SHIFT	(SECTION_SIZE_BITS - PAGE_SHIFT)
#define PAGE_SECTION_MASK	(~((1UL << PFN_SECTION_SHIFT) - 1))
#define pfn_to_section_nr(pfn)	((pfn) >> PFN_SECTION_SHIFT)
#define PTE_PFN_MASK		(0x000ffffffffff000ULL & ~kernel.encryption)

struct page {
	unsigned long pfn;
	int nid;
	bool anon;
	bool device;
};

#define ZERO_PFN		5UL
#define ZERO_PAGE(address)	((void)(address), kernel_page(ZERO_PFN))
#define is_zero_pfn(number)	((number) == ZERO_PFN)
#define page_to_pfn(page)	((page)->pfn)
#define page_to_nid(page)	((page)->nid)
#define PageAnon(page)		((page)->anon)
#define is_zone_device_page(page)	((page)->device)

/* Inside an RCU read section only, but for the zero page */
struct page *kernel_page(unsigned long pfn);
struct page *pfn_to_online_page(unsigned long pfn);

#define nr_node_ids	64

/* Mappings */
#define VM_PFNMAP	0x1UL
#define VM_MIXEDMAP	0x2UL
#define VM_MAYSHARE	0x4UL
#define TEST_VM_ANON	0x10UL
#define TEST_VM_DAX	0x20UL
#define TEST_VM_HUGETLB	0x40UL

struct address_space {
	int dummy;
};

struct file {
	struct address_space *f_mapping;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	unsigned long vm_flags;
	struct file *vm_file;
};

#define vma_is_anonymous(vma)	(!!((vma)->vm_flags & TEST_VM_ANON))
#define vma_is_dax(vma)		(!!((vma)->vm_flags & TEST_VM_DAX))
#define is_vm_hugetlb_page(vma)	(!!((vma)->vm_flags & TEST_VM_HUGETLB))

typedef struct { u64 val; } pte_t;
typedef struct { u64 val; } pmd_t;
typedef struct { u64 val; } pud_t;
typedef struct { u64 val; } p4d_t;
typedef struct { u64 val; } pgd_t;

struct mm_struct {
	int mmap_lock;
	pgd_t *pgd;
	struct vm_area_struct *vmas;
	unsigned int nr_vmas;
};

struct vm_area_struct *find_vma(struct mm_struct *mm, unsigned long addr);
struct vm_area_struct *vma_lookup(struct mm_struct *mm, unsigned long addr);

static inline int mmap_read_lock_killable(struct mm_struct *mm)
{
	(void)mm;
	if (kernel.killed)
		return -EINTR;
	kernel.mmap_lock++;
	return 0;
}

#define mmap_read_unlock(mm)		((void)(mm), (void)kernel.mmap_lock--)
#define i_mmap_lock_read(mapping)	((void)(mapping), (void)kernel.i_mmap_lock++)
#define i_mmap_unlock_read(mapping)	((void)(mapping), (void)kernel.i_mmap_lock--)

/* Entries */
#define _PAGE_PRESENT	(1ULL << 0)
#define _PAGE_RW	(1ULL << 1)
#define _PAGE_DIRTY	(1ULL << 6)
#define _PAGE_PSE	(1ULL << 7)
#define _PAGE_PROTNONE	(1ULL << 8)
#define _PAGE_SPECIAL	(1ULL << 9)
#define TEST_PAGE_SHADOW (1ULL << 58)	/* writable without _PAGE_RW */

#define __pte(value)	((pte_t){ value })
#define pte_val(entry)	((entry).val)
#define pmd_val(entry)	((entry).val)
#define pud_val(entry)	((entry).val)

#define pte_present(e)	(!!((e).val & (_PAGE_PRESENT | _PAGE_PROTNONE)))
#define pmd_present(e)	(!!((e).val & (_PAGE_PRESENT | _PAGE_PROTNONE | _PAGE_PSE)))
#define pud_present(e)	(!!((e).val & _PAGE_PRESENT))
#define p4d_present(e)	(!!((e).val & _PAGE_PRESENT))
#define pgd_present(e)	(!!((e).val & _PAGE_PRESENT))
#define pte_special(e)	(!!((e).val & _PAGE_SPECIAL))
#define pmd_special(e)	(!!((e).val & _PAGE_SPECIAL))
#define pud_special(e)	(!!((e).val & _PAGE_SPECIAL))
#define pmd_leaf(e)	(!!((e).val & _PAGE_PSE))
#define pud_leaf(e)	(!!((e).val & _PAGE_PSE))
#define pmd_dirty(e)	(!!((e).val & _PAGE_DIRTY))
#define pmd_write(e)	(!!((e).val & (_PAGE_RW | TEST_PAGE_SHADOW)))

/* The frame of an entry that only PROTNONE makes present is inverted. */
static inline unsigned long kernel_entry_pfn(u64 entry)
{
	if ((entry & (_PAGE_PRESENT | _PAGE_PROTNONE)) == _PAGE_PROTNONE)
		entry = ~entry;
	return (entry & PTE_PFN_MASK) >> PAGE_SHIFT;
}

#define pte_pfn(e)	kernel_entry_pfn((e).val)
#define pmd_pfn(e)	kernel_entry_pfn((e).val)
#define pud_pfn(e)	kernel_entry_pfn((e).val)

/* Tables */
static inline void *kernel_table(u64 entry, unsigned long addr, int shift)
{
	u64 *table = (u64 *)(entry & PTE_PFN_MASK);

	kernel_needs(kernel.mmap_lock, "a table is read without the mmap lock");
	return table + (addr >> shift) % PTRS_PER_TABLE;
}

pmd_t *kernel_pmd_offset(u64 pud, unsigned long addr);
pte_t *kernel_pte_offset(u64 pmd, unsigned long addr);

#define pmd_index(addr)			((addr) >> PMD_SHIFT & (PTRS_PER_TABLE - 1))
#define pgd_offset(mm, addr)		\
	((pgd_t *)kernel_table((u64)(mm)->pgd, addr, PGDIR_SHIFT))
#define p4d_offset_lockless(p, e, addr)	\
	((void)(p), (p4d_t *)kernel_table((e).val, addr, P4D_SHIFT))
#define pud_offset_lockless(p, e, addr)	\
	((void)(p), (pud_t *)kernel_table((e).val, addr, PUD_SHIFT))
#define pmd_offset_lockless(p, e, addr)	((void)(p), kernel_pmd_offset((e).val, addr))
#define pte_offset_kernel(p, addr)	kernel_pte_offset((p)->val, addr)

static inline unsigned long kernel_end(unsigned long addr, unsigned long end, int shift)
{
	unsigned long next = ((addr >> shift) + 1) << shift;

	return next - 1 < end - 1 ? next : end;
}

#define pgd_addr_end(addr, end)	kernel_end(addr, end, PGDIR_SHIFT)
#define p4d_addr_end(addr, end)	kernel_end(addr, end, P4D_SHIFT)
#define pud_addr_end(addr, end)	kernel_end(addr, end, PUD_SHIFT)
#define pmd_addr_end(addr, end)	kernel_end(addr, end, PMD_SHIFT)

/* Of arch_x86.h's other half */
#define X86_FEATURE_XENPV		false
#define cpu_feature_enabled(feature)	(feature)
#define rdtsc()				0
#define tsc_khz				0

#endif /* TEST_KERNEL_H */
