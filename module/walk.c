// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page table walk. No lock of a page table is taken and no struct page is
 * referenced; this is why reading is safe all the same:
 *
 * - mm_users is held, so exit_mmap() can't run.
 * - The mmap lock is held for reading, and only addresses inside a VMA are
 *   walked. Tables above the PTE level are freed with the VMA gone: munmap()
 *   takes the lock for writing to unlink it, and may free the tables of the
 *   hole with the lock downgraded. Nobody reads those here.
 * - A PTE table under a living VMA is freed by a collapse to a huge page or,
 *   on later kernels, once it is empty. That happens under the mmap lock for
 *   writing, or after an RCU grace period; what 5.10 and 6.1 do with uprobes is
 *   a bug of theirs (doc/design.md 2.2). Each PTE table is read inside one RCU
 *   read section, which began before the pmd entry was read. This is how the
 *   kernel's own pte_offset_map() protects its users.
 * - PMD tables of shared hugetlb mappings are the exception to both: see
 *   pn_lock_shared_tables().
 *
 * Every entry is read once, and the next level is reached through the value
 * that was read. An entry may change right after, which is no worse than if the
 * whole query had been made before that.
 */
#include <linux/fs.h>
#include <linux/hugetlb.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/rwsem.h>
#include <linux/sched.h>

#include "arch.h"
#include "compat.h"
#include "nodemap.h"
#include "walk.h"

/*
 * Between the read of an entry and the reads of the table that it points to,
 * where only the locks above keep that table. A test build stays here a while.
 */
#ifndef pn_window
#define pn_window()	do { } while (0)
#endif

/*
 * What bounds the hold of the mmap lock. A page table is 512 entries, about
 * half a microsecond of reading.
 */
#define PN_CHUNK_BUDGET	64

static bool pn_more(const struct pn_walk *w, unsigned long end)
{
	return w->addr < end && w->budget > 0;
}

static u64 pn_pages_to(const struct pn_walk *w, unsigned long end)
{
	return (end - w->addr) >> PAGE_SHIFT;
}

/* A buffer is full, or might be after the next step. */
static void pn_cramped(struct pn_walk *w)
{
	w->cramped = true;
	w->budget = 0;
}

/* End the chunk early where the lock or the processor is wanted. */
static void pn_yield(struct pn_walk *w)
{
	if (need_resched() || rwsem_is_contended(&w->mm->mmap_lock))
		w->budget = 0;
}

static void pn_add_run(struct pn_walk *w, u64 nr, s32 status, u8 shift,
		       enum pn_run_kind kind)
{
	struct pn_run *last = w->runs + w->nr_runs - 1;

	w->addr += nr << PAGE_SHIFT;
	w->nr -= nr;
	if (w->nr_runs && last->kind == kind && last->status == status &&
	    last->shift == shift && kind != PN_RUN_REPEATED) {
		last->nr += nr;
		return;
	}
	w->runs[w->nr_runs++] = (struct pn_run) {
		.nr = nr,
		.status = status,
		.shift = shift,
		.kind = kind,
	};
	if (w->nr_runs == w->max_runs)
		pn_cramped(w);
}

static void pn_add(struct pn_walk *w, unsigned long end, s32 status, u8 shift)
{
	pn_add_run(w, pn_pages_to(w, end), status, shift, PN_RUN_SAME);
}

static void pn_add_absent(struct pn_walk *w, unsigned long end)
{
	pn_add(w, end, -ENOENT, 0);
}

/* Pages whose statuses are the next ones of the buffer for them */
static void pn_add_mixed(struct pn_walk *w, unsigned int nr,
			 enum pn_run_kind kind)
{
	w->nr_mixed += kind == PN_RUN_MIXED ? nr : PN_GROUP;
	if (w->max_mixed - w->nr_mixed < 2 * PN_GROUP)
		pn_cramped(w);
	pn_add_run(w, nr, 0, PAGE_SHIFT, kind);
}

/* The frame bits that all frames of an aligned block of memory share. */
static u64 pn_block_bits(unsigned int shift)
{
	return pn_arch_frame_bits() & ~((1ULL << shift) - 1);
}

/*
 * The kernel marks the zero page, and all that has no struct page, as special.
 * Beyond the zero page's own section all special entries are alike.
 */
static s32 pn_special_status(unsigned long pfn, u64 *same)
{
	unsigned long zero = page_to_pfn(ZERO_PAGE(0));
	bool apart = pfn_to_section_nr(pfn) != pfn_to_section_nr(zero);

	*same = PN_PTE_FLAGS | pn_block_bits(apart ? PN_SECTION_SHIFT : 0);
	return is_zero_pfn(pfn) ? -EFAULT : -ENOENT;
}

/* An entry that has the same bits as @pte under *@same has the same status. */
static s32 pn_pte_status(const struct pn_walk *w, pte_t pte, u64 *same)
{
	unsigned int shift;
	s32 status;

	if (!pte_present(pte)) {
		*same = PN_PTE_PRESENT;
		return -ENOENT;
	}
	if (pte_special(pte))
		return pn_special_status(pte_pfn(pte), same);
	status = pn_nodemap_status(w->map, pte_pfn(pte), &shift);
	*same = PN_PTE_FLAGS | pn_block_bits(shift);
	return status;
}

/* Out of line, for the registers. */
static noinline unsigned int pn_walk_mixed(const struct pn_walk *w,
					   const u64 *entry, unsigned int n,
					   s32 *out)
{
	return pn_decode_mixed(&w->map->decoder, entry, n, out);
}

static noinline unsigned int pn_walk_same(const u64 *entry, unsigned int n,
					  u64 ref, u64 same)
{
	return pn_same(entry, n, ref, same);
}

static noinline unsigned int pn_walk_span(const u64 *entry, unsigned int n,
					  const struct pn_span *span)
{
	return pn_within(entry, n, span, PN_PTE_ODD);
}

/*
 * Frames of one node in any order, as far as its memory reaches around that of
 * @ref. Bits of the address that are not the frame's, such as that of memory
 * encryption, must be those of @ref.
 */
static noinline unsigned int pn_walk_within(const struct pn_walk *w,
					    const u64 *entry, unsigned int n,
					    u64 ref, s32 nid)
{
	struct pn_span span;
	u64 start;

	span.len = pn_nodemap_extent(w->map, pte_pfn(__pte(ref)), nid, &start);
	if (!span.len)
		return 0;
	span.base = (ref & PAGE_MASK & ~pn_arch_frame_bits()) | start |
		    PN_ENTRY_VALID;
	return pn_walk_span(entry, n, &span);
}

/*
 * Entries that repeat the first group. What is compared and what gives the
 * statuses is the same copy of it: the entries themselves may change. They are
 * compared as far as their section decides.
 */
static noinline unsigned int pn_walk_repeated(const struct pn_walk *w,
					      const u64 *entry, unsigned int n,
					      s32 *out)
{
	u64 ref[PN_GROUP] __pn_uninitialized;
	unsigned int i, done;

	if (n < 2 * PN_GROUP)
		return 0;
	for (i = 0; i < PN_GROUP; i++)
		ref[i] = pn_load(entry + i);
	if (!pn_decode_mixed(&w->map->decoder, ref, PN_GROUP, out))
		return 0;
	done = pn_repeats(entry + PN_GROUP, n - PN_GROUP, ref,
			  PN_PTE_FLAGS | pn_block_bits(PN_SECTION_SHIFT));
	return done ? PN_GROUP + done : 0;
}

/*
 * Statuses of their own for the entries up to the next run or odd entry, or at
 * least for the short run that the caller has found.
 */
static unsigned int pn_add_ptes_mixed(struct pn_walk *w, const u64 *entry,
				      unsigned int n, unsigned int run,
				      s32 status)
{
	s32 *out = w->mixed + w->nr_mixed;
	unsigned int done = pn_walk_repeated(w, entry, n, out);

	if (done) {
		pn_add_mixed(w, done, PN_RUN_REPEATED);
		return done;
	}
	n = min(n, w->max_mixed - w->nr_mixed);
	done = pn_walk_mixed(w, entry, n, out);
	for (; done < run; done++)
		out[done] = status;
	pn_add_mixed(w, done, PN_RUN_MIXED);
	return done;
}

/* Adds one run, or pages that do not form one; returns how many entries. */
static unsigned int pn_add_ptes(struct pn_walk *w, const u64 *entry,
				unsigned int n)
{
	u64 ref = pn_load(entry), same;
	s32 status = pn_pte_status(w, __pte(ref), &same);
	bool present = pte_present(__pte(ref));
	unsigned int run = pn_walk_same(entry, n, ref, same);

	if (run < PN_GROUP && n >= PN_GROUP && ref & PN_ENTRY_VALID)
		run = max(run, pn_walk_within(w, entry, n, ref, status));
	/* The first entry may have changed since it was read. */
	if (!run)
		run = 1;
	/* Among mixed statuses, one below 0 means that no page is present. */
	if (run < PN_GROUP && run < n && !(present && status < 0))
		return pn_add_ptes_mixed(w, entry, n, run, status);
	pn_add_run(w, run, status, present ? PAGE_SHIFT : 0, PN_RUN_SAME);
	return run;
}

static void pn_walk_pte_table(struct pn_walk *w, pmd_t pmd, unsigned long end)
{
	const u64 *entry;

	pn_window();
	entry = (const u64 *)pte_offset_kernel(&pmd, w->addr);
	while (pn_more(w, end))
		entry += pn_add_ptes(w, entry, pn_pages_to(w, end));
}

/*
 * A leaf of an anonymous mapping that was only ever read may map the huge zero
 * page, which has no mark on kernels that do not set one as special. Its struct
 * page is not anonymous. The page is looked at between two reads of the leaf
 * that agree, so it was what the leaf mapped at that moment; the RCU section
 * keeps its struct page there. Returns -EFAULT if it is the huge zero page, 0 if
 * not, -EAGAIN if the leaf has changed.
 */
static s32 pn_huge_zero_status(pmd_t *pmdp, pmd_t pmd)
{
	struct page *page;
	bool anon;

	smp_rmb();	/* the leaf, then the page */
	page = pn_pfn_to_online_page(pmd_pfn(pmd));
	anon = page && PageAnon(page);
	smp_rmb();	/* the page, then the leaf again */
	if (pmd_val(READ_ONCE(*pmdp)) != pmd_val(pmd))
		return -EAGAIN;
	return page && !anon ? -EFAULT : 0;
}

static bool pn_maybe_huge_zero(const struct pn_walk *w, pmd_t pmd)
{
	return vma_is_anonymous(w->vma) && !pmd_dirty(pmd) && !pmd_write(pmd);
}

static s32 pn_pmd_special_status(const struct pn_walk *w)
{
	return w->vma->vm_flags & (VM_PFNMAP | VM_MIXEDMAP) ? -ENOENT : -EFAULT;
}

/*
 * As pn_pte_status(), of a present leaf; -EAGAIN if it changed meanwhile. In an
 * anonymous mapping only leaves with the RW bit are alike, so that no huge zero
 * page hides among them. pmd_write() would not do: leaves of a shadow stack are
 * writable without that bit.
 */
static s32 pn_pmd_status(const struct pn_walk *w, pmd_t *pmdp, pmd_t pmd,
			 u64 *same)
{
	unsigned int shift;
	s32 status;

	*same = ~0ULL;
	if (vma_is_dax(w->vma))
		return pn_pfn_to_online_page(pmd_pfn(pmd)) ? -EFAULT : -ENOENT;
	if (pn_pmd_special(w->vma, pmd))
		return pn_pmd_special_status(w);
	if (pn_maybe_huge_zero(w, pmd)) {
		status = pn_huge_zero_status(pmdp, pmd);
		if (status)
			return status;
	}
	status = pn_nodemap_status(w->map, pmd_pfn(pmd), &shift);
	if (shift && (!vma_is_anonymous(w->vma) || pmd_val(pmd) & PN_PMD_RW))
		*same = PN_PMD_FLAGS | pn_block_bits(shift);
	return status;
}

/*
 * The end of the entries from @entry on, each of 1 << @shift bytes, that agree
 * with @ref. Never beyond @end, which lies in the same table, and always beyond
 * the first, which may have changed since it was read.
 */
static unsigned long pn_same_end(const struct pn_walk *w, const u64 *entry,
				 u64 ref, u64 same, unsigned int shift,
				 unsigned long end)
{
	unsigned long first = w->addr >> shift;
	unsigned int n = ((end - 1) >> shift) - first + 1;
	unsigned int run = max(1U, pn_walk_same(entry, n, ref, same));

	return run == n ? end : (first + run) << shift;
}

static void pn_add_pmds(struct pn_walk *w, pmd_t *pmdp, pmd_t pmd,
			unsigned long end)
{
	s32 status = -ENOENT;
	u64 same = PN_PMD_PRESENT;
	u8 shift = 0;

	if (pmd_present(pmd)) {
		shift = PMD_SHIFT;
		status = pn_pmd_status(w, pmdp, pmd, &same);
		if (status == -EAGAIN)
			return;
	}
	pn_add(w, pn_same_end(w, (const u64 *)pmdp, pmd_val(pmd), same,
			      PMD_SHIFT, end), status, shift);
}

/*
 * One RCU read section covers the entries of one PTE table, or neighbouring
 * entries of a PMD table, and the node map and struct pages that they led to.
 */
static void pn_walk_pmd(struct pn_walk *w, pud_t *pudp, pud_t pud,
			unsigned long end)
{
	pn_window();
	while (pn_more(w, end)) {
		pmd_t *pmdp = pmd_offset_lockless(pudp, pud, w->addr), pmd;

		rcu_read_lock();
		w->map = pn_nodemap_get();
		pn_window();
		pmd = READ_ONCE(*pmdp);
		if (pmd_present(pmd) && !pmd_leaf(pmd))
			pn_walk_pte_table(w, pmd, pmd_addr_end(w->addr, end));
		else
			pn_add_pmds(w, pmdp, pmd, end);
		rcu_read_unlock();
		w->budget--;
		pn_yield(w);
	}
}

static void pn_add_pud(struct pn_walk *w, pud_t pud, unsigned long end)
{
	unsigned int shift;
	s32 status = -ENOENT;

	if (!pn_pud_special(w->vma, pud)) {
		rcu_read_lock();
		status = pn_nodemap_status(pn_nodemap_get(), pud_pfn(pud),
					   &shift);
		rcu_read_unlock();
	}
	pn_add(w, end, status, PUD_SHIFT);
}

static void pn_walk_pud(struct pn_walk *w, p4d_t *p4dp, p4d_t p4d,
			unsigned long end)
{
	while (pn_more(w, end)) {
		pud_t *pudp = pud_offset_lockless(p4dp, p4d, w->addr);
		unsigned long next = pud_addr_end(w->addr, end);
		pud_t pud = READ_ONCE(*pudp);

		if (!pud_present(pud))
			pn_add_absent(w, pn_same_end(w, (const u64 *)pudp,
						     pud_val(pud),
						     PN_PUD_PRESENT, PUD_SHIFT,
						     end));
		else if (pud_leaf(pud))
			pn_add_pud(w, pud, next);
		else
			pn_walk_pmd(w, pudp, pud, next);
	}
	w->budget--;
}

static void pn_walk_p4d(struct pn_walk *w, pgd_t *pgdp, pgd_t pgd,
			unsigned long end)
{
	p4d_t *p4dp = p4d_offset_lockless(pgdp, pgd, w->addr);

	for (; pn_more(w, end); p4dp++) {
		unsigned long next = p4d_addr_end(w->addr, end);
		p4d_t p4d = READ_ONCE(*p4dp);

		if (p4d_present(p4d))
			pn_walk_pud(w, p4dp, p4d, next);
		else
			pn_add_absent(w, next);
	}
}

static void pn_walk_pgd(struct pn_walk *w, unsigned long end)
{
	pgd_t *pgdp = pgd_offset(w->mm, w->addr);

	for (; pn_more(w, end); pgdp++) {
		unsigned long next = pgd_addr_end(w->addr, end);
		pgd_t pgd = READ_ONCE(*pgdp);

		if (pgd_present(pgd))
			pn_walk_p4d(w, pgdp, pgd, next);
		else
			pn_add_absent(w, next);
	}
}

/*
 * Processes that map the same 1 GiB of a hugetlb file share its PMD table, and
 * huge_pmd_unshare() in any of them may drop the last reference that keeps it
 * here, without the mmap lock of this mm and, on several versions, without a
 * grace period. It holds the file's i_mmap lock for writing. The order is mmap
 * lock, then i_mmap lock, as in the kernel's own users.
 */
static struct address_space *pn_lock_shared_tables(struct vm_area_struct *vma)
{
	struct address_space *mapping;

	if (!is_vm_hugetlb_page(vma) || !(vma->vm_flags & VM_MAYSHARE))
		return NULL;
	mapping = vma->vm_file->f_mapping;
	i_mmap_lock_read(mapping);
	return mapping;
}

/*
 * The PMD table around the address, or NULL where there is none. It stays for
 * this hold of the mmap lock, like all tables above the PTE level: a list of
 * addresses in any order comes back to it. Not for hugetlb VMAs.
 */
static pmd_t *pn_pmd_table(struct pn_walk *w)
{
	unsigned long start = w->addr & PUD_MASK;
	pgd_t *pgdp = pgd_offset(w->mm, start), pgd;
	p4d_t *p4dp, p4d;
	pud_t *pudp, pud;

	if (w->pmds && w->pmds_start == start)
		return w->pmds;
	pgd = READ_ONCE(*pgdp);
	if (!pgd_present(pgd))
		return NULL;
	p4dp = p4d_offset_lockless(pgdp, pgd, start);
	p4d = READ_ONCE(*p4dp);
	if (!p4d_present(p4d))
		return NULL;
	pudp = pud_offset_lockless(p4dp, p4d, start);
	pud = READ_ONCE(*pudp);
	if (!pud_present(pud) || pud_leaf(pud))
		return NULL;
	w->pmds_start = start;
	w->pmds = pmd_offset_lockless(pudp, pud, start);
	return w->pmds;
}

/* As pn_pte_status(), but how far the status reaches is not asked. */
static s32 pn_lone_pte_status(const struct pn_walk *w, pte_t pte)
{
	const struct pn_decoder *d = &w->map->decoder;
	u64 entry = pte_val(pte), same;
	s32 status = PN_UNKNOWN;

	if (entry & PN_ENTRY_VALID && !(entry & d->odd))
		status = pn_lookup(d, entry);
	return status == PN_UNKNOWN ? pn_pte_status(w, pte, &same) : status;
}

/* One page, as pn_walk_pmd() would; false if its entry has changed meanwhile. */
static bool pn_add_page(struct pn_walk *w, pmd_t *pmdp)
{
	pmd_t pmd = READ_ONCE(*pmdp);
	s32 status = -ENOENT;
	u8 shift = 0;
	u64 same;

	pn_window();
	if (pmd_present(pmd) && !pmd_leaf(pmd)) {
		pte_t pte = __pte(pn_load((const u64 *)
					  pte_offset_kernel(&pmd, w->addr)));

		status = pn_lone_pte_status(w, pte);
		shift = pte_present(pte) ? PAGE_SHIFT : 0;
	} else if (pmd_present(pmd)) {
		status = pn_pmd_status(w, pmdp, pmd, &same);
		shift = PMD_SHIFT;
	}
	if (status == -EAGAIN)
		return false;
	pn_add_run(w, 1, status, shift, PN_RUN_SAME);
	return true;
}

/*
 * A page on its own is not worth the search for a run. False if it takes the
 * general walk: for a hugetlb VMA, and where there is no PMD table.
 */
static bool pn_walk_page(struct pn_walk *w)
{
	pmd_t *pmds;
	bool done;

	if (is_vm_hugetlb_page(w->vma))
		return false;
	pmds = pn_pmd_table(w);
	if (!pmds)
		return false;
	rcu_read_lock();
	w->map = pn_nodemap_get();
	done = pn_add_page(w, pmds + pmd_index(w->addr));
	rcu_read_unlock();
	w->budget--;
	pn_yield(w);
	return done;
}

static void pn_walk_vma(struct pn_walk *w, struct vm_area_struct *vma)
{
	u64 nr = min(w->nr, pn_pages_to(w, vma->vm_end));
	struct address_space *mapping;

	w->vma = vma;
	if (nr == 1 && pn_walk_page(w))
		return;
	mapping = pn_lock_shared_tables(vma);
	pn_walk_pgd(w, w->addr + (nr << PAGE_SHIFT));
	if (mapping)
		i_mmap_unlock_read(mapping);
}

static struct vm_area_struct *pn_find_vma(const struct pn_walk *w)
{
	struct vm_area_struct *vma = w->vma;

	if (vma && w->addr >= READ_ONCE(vma->vm_start) && w->addr < vma->vm_end)
		return vma;
	/* A page on its own has no use for the next VMA, which takes longer. */
	if (w->nr == 1)
		return pn_vma_lookup(w->mm, w->addr);
	return find_vma(w->mm, w->addr);
}

void pn_walk_locked(struct pn_walk *w)
{
	w->nr_runs = 0;
	w->nr_mixed = 0;
	w->cramped = false;

	while (w->nr && w->budget > 0) {
		struct vm_area_struct *vma = pn_find_vma(w);
		/* A stack may grow under the lock for reading, before 6.5. */
		unsigned long start = vma ? READ_ONCE(vma->vm_start) : 0;

		if (!vma)
			pn_add_run(w, w->nr, -EFAULT, 0, PN_RUN_SAME);
		else if (start > w->addr)
			pn_add_run(w, min(w->nr, pn_pages_to(w, start)), -EFAULT,
				   0, PN_RUN_SAME);
		else
			pn_walk_vma(w, vma);
		w->budget--;
	}
}

int pn_walk_chunk(struct pn_walk *w)
{
	if (mmap_read_lock_killable(w->mm))
		return -EINTR;
	w->vma = NULL;
	w->pmds = NULL;
	w->budget = PN_CHUNK_BUDGET;
	pn_walk_locked(w);
	mmap_read_unlock(w->mm);
	return 0;
}
