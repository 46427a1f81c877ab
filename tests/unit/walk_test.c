// SPDX-License-Identifier: GPL-2.0-only
/*
 * module/walk.c over page tables that the test has made, against the plainest
 * reading of them, one page at a time. Here a chunk can be cut anywhere, an entry
 * can change between any two reads, and each lock is a counter.
 */
#include "tests/unit/kernel/space.h"

#include <string.h>

#include "module/nodemap.h"
#include "module/walk.h"
#include "tests/unit/random.h"
#include "tests/unit/test.h"

#define PTES	PTRS_PER_TABLE

struct kernel kernel;

static struct pn_nodemap node_map;
static s16 node_table[1 + NR_SECTIONS];

/* True once in @n times */
static bool once_in(unsigned int n)
{
	return random64() % n == 0;
}

void kernel_needs(bool held, const char *what)
{
	if (!held)
		FAIL("%s", what);
}

/* What a test does before an entry is read, and where the walk has a barrier */
static void (*before_read)(const volatile void *entry);
static void (*at_barrier)(void);

void kernel_before_read(const volatile void *entry)
{
	if (before_read)
		before_read(entry);
}

void kernel_barrier(void)
{
	if (at_barrier)
		at_barrier();
}

/* module/nodemap.c's part, with the memory of space.c */
const struct pn_nodemap *pn_nodemap_get(void)
{
	kernel_needs(kernel.rcu, "the node map is read without RCU");
	return &node_map;
}

s32 pn_nodemap_status(const struct pn_nodemap *map, unsigned long pfn,
		      unsigned int *shift)
{
	unsigned long section = pfn_to_section_nr(pfn);

	CHECK(map == &node_map);
	*shift = 0;
	if (space_section(section) != PN_UNKNOWN)
		*shift = PN_SECTION_SHIFT + space_order(section);
	return space_node(pfn);
}

u64 pn_nodemap_extent(const struct pn_nodemap *map, unsigned long pfn,
		      s32 status, u64 *start)
{
	unsigned long first = pfn_to_section_nr(pfn), end = first + 1;

	CHECK(map == &node_map);
	if (space_section(first) != status)
		return 0;
	while (first && space_section(first - 1) == status)
		first--;
	while (space_section(end) == status)
		end++;
	*start = (u64)first << PN_SECTION_SHIFT;
	return (u64)(end - first) << PN_SECTION_SHIFT;
}

static void make_decoder(void)
{
	u64 reach = (NR_SECTIONS << PN_SECTION_SHIFT) - 1;

	node_map.decoder = (struct pn_decoder){
		.status = node_table + 1,
		.index_mask = NR_SECTIONS - 1,
		.odd = PN_PTE_ODD | (PTE_PFN_MASK & ~reach),
		.same = PN_ENTRY_VALID |
			(PTE_PFN_MASK & PAGE_SECTION_MASK << PAGE_SHIFT),
	};
}

static void start(void)
{
	unsigned int i;

	space_reset();
	before_read = NULL;
	at_barrier = NULL;
	memset(&kernel, 0, sizeof(kernel));
	node_table[0] = -ENOENT;
	for (i = 0; i < NR_SECTIONS; i++)
		node_table[1 + i] = space_section(i);
	make_decoder();
}

/* Entries */
static u64 frame(unsigned long section)
{
	return (section << PFN_SECTION_SHIFT |
		random64() % SECTION_PAGES) << PAGE_SHIFT;
}

static u64 pte_on(unsigned long section)
{
	return frame(section) | _PAGE_PRESENT | (random64() & _PAGE_DIRTY);
}

/* Its memory lies in two blocks. */
static u64 pte_on_node_2(void)
{
	return pte_on(40 + random64() % 24);
}

static u64 prot_none(u64 entry)
{
	return (~entry & PTE_PFN_MASK) | _PAGE_PROTNONE;
}

/* Not present, whatever its other bits say */
static u64 swap_entry(void)
{
	return random64() & ~(_PAGE_PRESENT | _PAGE_PROTNONE | _PAGE_PSE);
}

static unsigned long any_section(void)
{
	return random64() % (NR_SECTIONS + 16);
}

static u64 any_pte(void)
{
	switch (random64() % 16) {
	case 0:
		return swap_entry();
	case 1:
		return prot_none(frame(any_section()));
	case 2:
		return ZERO_PFN << PAGE_SHIFT | _PAGE_PRESENT | _PAGE_SPECIAL;
	case 3:
		return (ZERO_PFN + 1) << PAGE_SHIFT | _PAGE_PRESENT | _PAGE_SPECIAL;
	case 4:
		return pte_on(any_section()) | _PAGE_SPECIAL;
	case 5 ... 6:
		return 0;
	case 7:
		return pte_on(any_section());
	default:
		return pte_on(random64() % 4 * 8 + 10);
	}
}

static u64 any_leaf(int shift)
{
	u64 entry = any_pte();

	if (shift == PUD_SHIFT && !(entry & _PAGE_PRESENT))
		return swap_entry();
	if (!(entry & (_PAGE_PRESENT | _PAGE_PROTNONE)))
		return entry & ~_PAGE_PSE;
	if (entry & _PAGE_PRESENT)
		entry &= ~((1ULL << shift) - PAGE);
	entry |= _PAGE_PSE | (once_in(2) ? _PAGE_RW : 0);
	return entry | (once_in(8) ? TEST_PAGE_SHADOW : 0);
}

/* What the pages of one table are like */
static void fill_table(u64 *pte)
{
	unsigned int style = random64() % 8, period = 1 + random64() % 8, i;
	u64 one = any_pte();

	for (i = 0; i < PTES; i++) {
		if (style == 0)
			pte[i] = any_pte();
		else if (style == 1)
			pte[i] = (i % period) ? pte_on(1) : 0;
		else if (style == 2)
			pte[i] = pte_on(8 + i % period);
		else if (style == 3)
			pte[i] = i % 64 ? one : any_pte();
		else if (style == 6)
			pte[i] = once_in(60) ? pte_on(4) : pte_on(8 + i % 8);
		else if (style == 7)
			pte[i] = once_in(60) ? any_pte() : pte_on_node_2();
		else if (i && style == 4)
			pte[i] = once_in(20) ? any_pte() : pte[i - 1] + PAGE;
		else
			pte[i] = i >= period ? pte[i - period] : any_pte();
	}
}

/* The same but for one thing that may decide, or may not */
static u64 other_leaf(u64 leaf)
{
	static const u64 bits[] = {
		_PAGE_RW, _PAGE_DIRTY, TEST_PAGE_SHADOW, _PAGE_SPECIAL,
		1ULL << PMD_SHIFT, 1ULL << (PMD_SHIFT + 1), 1ULL << PN_SECTION_SHIFT,
	};

	return leaf ^ bits[random64() % ARRAY_SIZE(bits)];
}

static void fill_pmds(unsigned long from, unsigned long to)
{
	unsigned long addr;
	u64 leaf = 0;

	for (addr = from; addr < to; addr += 1UL << PMD_SHIFT) {
		if (once_in(2)) {
			fill_table(space_entry(addr, PAGE_SHIFT));
			continue;
		}
		if (once_in(4))
			leaf = any_leaf(PMD_SHIFT);
		else if (once_in(2) && leaf & _PAGE_PRESENT)
			leaf = other_leaf(leaf);
		*space_entry(addr, PMD_SHIFT) = leaf;
	}
}

/* Where tables of each level end */
static unsigned long any_base(void)
{
	static const int shifts[] = { PMD_SHIFT, PUD_SHIFT, P4D_SHIFT, PGDIR_SHIFT };

	return (1 + random64() % 100) << shifts[random64() % ARRAY_SIZE(shifts)];
}

static unsigned long any_flags(void)
{
	static const unsigned long flags[] = {
		0, TEST_VM_ANON, TEST_VM_ANON, VM_PFNMAP, VM_MIXEDMAP, TEST_VM_DAX,
		VM_MAYSHARE, TEST_VM_HUGETLB, TEST_VM_HUGETLB | VM_MAYSHARE,
	};

	return flags[random64() % ARRAY_SIZE(flags)];
}

#define BASE	(3UL << PGDIR_SHIFT)
#define SIDE	(4UL << PMD_SHIFT)	/* to each side of the base */

/* Up to five mappings with holes between them */
static unsigned long random_space(void)
{
	unsigned long base = any_base(), addr, end;
	static const int shifts[] = { PUD_SHIFT, P4D_SHIFT, PGDIR_SHIFT };

	start();
	base = max(base, 2 * SIDE);
	fill_pmds(base - SIDE, base + SIDE);
	if (once_in(4))
		*space_entry(base, PUD_SHIFT) = any_leaf(PUD_SHIFT);
	if (once_in(4))
		*space_entry(base, shifts[random64() % 3]) = 0;
	for (addr = base - SIDE; addr < base + SIDE; addr = end) {
		if (once_in(3))
			addr += random64() % 600 * PAGE;
		end = addr + (1 + random64() % 2000) * PAGE;
		space_map(addr, end, any_flags());
	}
	return base;
}

/* The walk, and what it says */
static struct pn_walk walk_of(unsigned long addr, u64 nr, unsigned int max_runs,
			      unsigned int max_mixed)
{
	struct pn_walk w = {
		.mm = &space_mm,
		.addr = addr,
		.nr = nr,
		.runs = malloc(max_runs * sizeof(*w.runs)),
		.mixed = malloc(max_mixed * sizeof(*w.mixed)),
		.max_runs = max_runs,
		.max_mixed = max_mixed,
	};

	if (!w.runs || !w.mixed)
		FAIL("no memory");
	return w;
}

static void walk_end(struct pn_walk *w)
{
	free(w->runs);
	free(w->mixed);
}

static void check_place(unsigned long addr, s32 status, u8 shift)
{
	struct place want = space_place(addr);

	if (status != want.status || shift != want.shift)
		FAIL("%#lx: status %d, shift %u, not %d, %u", addr, status, shift,
		     want.status, want.shift);
}

static bool alike(const struct pn_run *a, const struct pn_run *b)
{
	return a->kind == PN_RUN_SAME && b->kind == PN_RUN_SAME &&
	       a->status == b->status && a->shift == b->shift;
}

/* One of w->mixed: those that are not mapped are among those that are. */
static void check_mixed(unsigned long addr, s32 status)
{
	check_place(addr, status, status < 0 ? 0 : PAGE_SHIFT);
}

/* Each page of the chunk that begins at @addr. Returns how many there are. */
static u64 check_runs(const struct pn_walk *w, unsigned long addr)
{
	const s32 *mixed = w->mixed;
	const struct pn_run *run;
	u64 nr = 0, i;

	for (run = w->runs; run < w->runs + w->nr_runs; run++) {
		CHECK(run->nr > 0);
		CHECK(run == w->runs || !alike(run - 1, run));
		CHECK(run->kind != PN_RUN_REPEATED || run->nr % PN_GROUP == 0);
		for (i = 0; i < run->nr; i++, nr++) {
			if (run->kind == PN_RUN_SAME)
				check_place(addr + nr * PAGE, run->status, run->shift);
			else if (run->kind == PN_RUN_MIXED)
				check_mixed(addr + nr * PAGE, mixed[i]);
			else
				check_mixed(addr + nr * PAGE, mixed[i % PN_GROUP]);
		}
		mixed += pn_run_mixed(run);
	}
	CHECK_EQ(mixed - w->mixed, w->nr_mixed);
	return nr;
}

static void check_unlocked(void)
{
	CHECK_EQ(kernel.rcu, 0);
	CHECK_EQ(kernel.i_mmap_lock, 0);
	CHECK_EQ(kernel.mmap_lock, 0);
}

/* A chunk ends for one of three reasons, and has looked at 64 tables at most. */
static void check_end(const struct pn_walk *w)
{
	bool full = w->nr_runs == w->max_runs ||
		    w->max_mixed - w->nr_mixed < 2 * PN_GROUP;

	CHECK(w->nr_runs <= w->max_runs && w->nr_mixed <= w->max_mixed);
	CHECK_EQ(w->cramped, full);
	CHECK(!w->nr || w->budget <= 0);
	CHECK(kernel.windows <= 2 * 64);
}

static void check_walk(unsigned long addr, u64 nr, unsigned int max_runs,
		       unsigned int max_mixed)
{
	struct pn_walk w = walk_of(addr, nr, max_runs, max_mixed);
	u64 done;

	kernel.vma = &w.vma;
	while (w.nr) {
		kernel.windows = 0;
		CHECK_EQ(pn_walk_chunk(&w), 0);
		check_unlocked();
		check_end(&w);
		done = check_runs(&w, addr);
		CHECK(done > 0);
		addr += done * PAGE;
		nr -= done;
		CHECK_EQ(w.addr, addr);
		CHECK_EQ(w.nr, nr);
	}
	walk_end(&w);
}

static void random_ranges(void)
{
	unsigned int round, i;
	unsigned long base, addr;

	for (round = 0; round < 1500; round++) {
		base = random_space();
		for (i = 0; i < 4; i++) {
			addr = base - SIDE - PAGE + random64() % (2 * SIDE / PAGE) * PAGE;
			check_walk(addr, 1 + random64() % 3000, 1 + random64() % 40,
				   2 * PN_GROUP + random64() % 300);
		}
	}
}

/* From each page of mappings and holes of one to three pages */
static void short_ranges(void)
{
	unsigned long at = BASE, addr;
	unsigned int i, nr;

	start();
	for (i = 0; i < 6; i++) {
		at += (1 + i / 2) * PAGE;
		space_map(at, at + (1 + i % 3) * PAGE, 0);
		at += (1 + i % 3) * PAGE;
	}
	for (addr = BASE; addr < at + PAGE; addr += PAGE)
		for (nr = 1; nr <= 6; nr++)
			check_walk(addr, nr, 10, 100);
}

/* As PAGES asks: any order, under one hold of the lock */
static void lone_pages(void)
{
	struct pn_walk w = walk_of(0, 0, 1, 2 * PN_GROUP);
	unsigned int round, i;
	unsigned long base, addr;

	for (round = 0; round < 1500; round++) {
		base = random_space();
		w.vma = NULL;
		w.pmds = NULL;
		kernel.vma = &w.vma;
		kernel.mmap_lock = 1;
		for (i = 0; i < 200; i++) {
			addr = base - SIDE - PAGE + random64() % (2 * SIDE / PAGE) * PAGE;
			w.addr = addr;
			w.nr = 1;
			w.budget = 1;
			pn_walk_locked(&w);
			CHECK(w.budget <= 0);
			CHECK_EQ(check_runs(&w, addr), 1);
			CHECK_EQ(w.nr, 0);
			CHECK_EQ(kernel.rcu, 0);
			CHECK_EQ(kernel.i_mmap_lock, 0);
		}
	}
	walk_end(&w);
}

/* Only the ends of each run: there are 2^52 pages. */
static void all_addresses(void)
{
	struct pn_walk w = walk_of(0, 1ULL << 52, 30, 100);
	unsigned long addr = 0;
	const struct pn_run *run;

	random_space();
	kernel.vma = &w.vma;
	while (w.nr) {
		CHECK_EQ(pn_walk_chunk(&w), 0);
		for (run = w.runs; run < w.runs + w.nr_runs; run++) {
			if (run->kind == PN_RUN_SAME) {
				check_place(addr, run->status, run->shift);
				check_place(addr + (run->nr - 1) * PAGE,
					    run->status, run->shift);
			}
			addr += run->nr * PAGE;
		}
		CHECK_EQ(w.addr, addr);
	}
	CHECK_EQ(addr, 0);
	walk_end(&w);
}

/* How far does a chunk come that has room for all it finds? */
static unsigned long chunk_length(unsigned long addr, u64 nr)
{
	struct pn_walk w = walk_of(addr, nr, 1000, 1000);

	kernel.vma = &w.vma;
	CHECK_EQ(pn_walk_chunk(&w), 0);
	check_unlocked();
	walk_end(&w);
	return w.addr - addr;
}

/* One table of pages of @nr sections in any order */
static void check_node_is_run(unsigned long section, unsigned long nr, u64 encryption)
{
	struct pn_walk w = walk_of(BASE, PTES, 10, 100);
	unsigned int i;

	start();
	kernel.encryption = encryption;
	make_decoder();
	space_map(BASE, BASE + PTES * PAGE, 0);
	for (i = 0; i < PTES; i++)
		space_entry(BASE, PAGE_SHIFT)[i] = encryption |
			pte_on(section + random64() % nr);
	kernel.vma = &w.vma;
	CHECK_EQ(pn_walk_chunk(&w), 0);
	CHECK_EQ(check_runs(&w, BASE), PTES);
	CHECK(w.nr_mixed < PN_GROUP);
	walk_end(&w);
}

/* But for less than a group, however the memory of the node is aligned */
static void frames_of_a_node_are_a_run(void)
{
	unsigned int i;

	for (i = 0; i < 50; i++) {
		check_node_is_run(0, 12, 0);
		check_node_is_run(40, 24, 0);
		check_node_is_run(40, 24, 1ULL << 51);
	}
}

/* The bound on the hold of the mmap lock. Each costs one, and a mapping one more. */
static void a_chunk_is_64_tables_or_mappings(void)
{
	unsigned long length, i;
	int shift;

	for (shift = PAGE_SHIFT; shift <= PUD_SHIFT; shift += PUD_SHIFT - PAGE_SHIFT) {
		length = PTES << shift;
		start();
		space_map(BASE, BASE + 200 * length, 0);
		for (i = 0; i < 200; i++)
			space_entry(BASE + i * length, shift);
		CHECK_EQ(chunk_length(BASE, 200 * length / PAGE), 64 * length);
	}
	start();
	for (i = 0; i < 60; i++)
		space_map(BASE + 4 * i * PAGE, BASE + (4 * i + 1) * PAGE, 0);
	length = chunk_length(BASE, 4 * 60);
	CHECK_EQ(length, 32 * 4 * PAGE);
}

/* Someone waits for the lock or the processor: one table, and no more. */
static void a_wanted_chunk_is_one_table(void)
{
	unsigned int i;

	start();
	space_map(BASE, BASE + (10UL << PMD_SHIFT), 0);
	for (i = 0; i < 10; i++)
		fill_table(space_entry(BASE + ((unsigned long)i << PMD_SHIFT), PAGE_SHIFT));
	kernel.resched = true;
	CHECK_EQ(chunk_length(BASE, 10 * PTES), 1UL << PMD_SHIFT);
	kernel.resched = false;
	kernel.contended = true;
	CHECK_EQ(chunk_length(BASE, 10 * PTES), 1UL << PMD_SHIFT);
}

/* The rest of a budget of 10 after one page on its own: a table and a mapping */
static int rest_of_budget(bool wanted)
{
	struct pn_walk w = walk_of(BASE, 1, 10, 100);

	start();
	space_map(BASE, BASE + PAGE, 0);
	*space_entry(BASE, PAGE_SHIFT) = pte_on(3);
	kernel.vma = &w.vma;
	kernel.mmap_lock = 1;
	kernel.resched = wanted;
	w.budget = 10;
	pn_walk_locked(&w);
	walk_end(&w);
	return w.budget;
}

static void lone_pages_use_up_the_budget(void)
{
	CHECK_EQ(rest_of_budget(false), 8);
	CHECK(rest_of_budget(true) <= 0);
}

static void a_killed_process_walks_nothing(void)
{
	struct pn_walk w = walk_of(BASE, 10, 10, 100);

	start();
	kernel.killed = true;
	CHECK_EQ(pn_walk_chunk(&w), -EINTR);
	check_unlocked();
	CHECK_EQ(w.nr, 10);
	walk_end(&w);
}

/* Between two holds of the lock tables and mappings come and go. */
static void chunks_keep_nothing(void)
{
	struct pn_walk w = walk_of(0, 0, 1, 2 * PN_GROUP);
	unsigned int section;

	for (section = 10; section < 20; section++) {
		start();
		kernel.vma = &w.vma;
		if (section % 3)
			space_map(BASE, BASE + 10 * PAGE,
				  section % 2 ? TEST_VM_ANON : 0);
		*space_entry(BASE, PAGE_SHIFT) = pte_on(section);
		w.addr = BASE;
		w.nr = 1;
		CHECK_EQ(pn_walk_chunk(&w), 0);
		CHECK_EQ(check_runs(&w, BASE), 1);
	}
	walk_end(&w);
}

/* A huge page of an anonymous mapping that was only read, and what it becomes */
static u64 *read_only_leaf;
static u64 next_leaf;
static unsigned int barriers;

static void leaf_changes_before_its_page_is_read(void)
{
	if (barriers++)
		return;
	space_set_page_anon(kernel_entry_pfn(*read_only_leaf), false);
	*read_only_leaf = next_leaf;
}

static void leaf_changes_after(void)
{
	if (++barriers == 2)
		*read_only_leaf = next_leaf;
}

static void check_changing_leaf(void (*change)(void), bool zero, u64 next, u64 nr)
{
	u64 leaf = 12ULL << PN_SECTION_SHIFT | _PAGE_PRESENT | _PAGE_PSE;

	start();
	space_map(BASE, BASE + (1UL << PMD_SHIFT), TEST_VM_ANON);
	space_set_page_anon(kernel_entry_pfn(leaf), !zero);
	read_only_leaf = space_entry(BASE, PMD_SHIFT);
	*read_only_leaf = leaf;
	next_leaf = next;
	barriers = 0;
	at_barrier = change;
	check_walk(BASE, nr, 10, 100);
	CHECK(!change || barriers >= 2);
}

static void huge_zero_page_is_looked_at_between_two_reads(void)
{
	u64 other = 20ULL << PN_SECTION_SHIFT | _PAGE_PRESENT | _PAGE_PSE | _PAGE_RW;
	u64 nr;

	for (nr = 1; nr <= PTES; nr += PTES - 1) {
		check_changing_leaf(leaf_changes_before_its_page_is_read, false, 0, nr);
		check_changing_leaf(leaf_changes_before_its_page_is_read, false, other, nr);
		check_changing_leaf(leaf_changes_after, true, other, nr);
		check_changing_leaf(leaf_changes_after, false, other, nr);
		check_changing_leaf(NULL, true, 0, nr);
	}
}

/* The last of four leaves that are alike but for what their pages are */
static void huge_zero_page_beside_others(void)
{
	unsigned long pfn = SECTION_PAGES, i;

	start();
	space_map(BASE, BASE + (4UL << PMD_SHIFT), TEST_VM_ANON);
	for (i = 0; i < 4; i++) {
		pfn += PTES;
		CHECK_EQ(space_page_anon(pfn), i < 3);
		*space_entry(BASE + (i << PMD_SHIFT), PMD_SHIFT) =
			(u64)pfn << PAGE_SHIFT | _PAGE_PRESENT | _PAGE_PSE;
	}
	CHECK_EQ(space_place(BASE + (3UL << PMD_SHIFT)).status, -EFAULT);
	check_walk(BASE, 4 * PTES, 10, 100);
}

/*
 * Entries that change between any two reads: each has two values, pmds a table
 * among them, and each page one of the answers that they allow.
 */
#define NR_LIVE	3

static struct live {
	u64 *pmd;
	u64 *pte;
	u64 pmds[2];
	u64 ptes[2][PTES];
} live[NR_LIVE];

static void change_before_read(const volatile void *entry)
{
	const volatile u64 *e = entry;
	struct live *l;

	for (l = live; l < live + NR_LIVE; l++) {
		if (e == l->pmd && once_in(3))
			*l->pmd = l->pmds[random64() % 2];
		if (e >= l->pte && e < l->pte + PTES && once_in(3))
			l->pte[e - l->pte] = l->ptes[random64() % 2][e - l->pte];
	}
}

static void live_start(unsigned long flags)
{
	unsigned long addr = BASE;
	struct live *l;

	start();
	space_map(BASE, BASE + ((unsigned long)NR_LIVE << PMD_SHIFT), flags);
	for (l = live; l < live + NR_LIVE; l++, addr += 1UL << PMD_SHIFT) {
		l->pte = space_entry(addr, PAGE_SHIFT);
		l->pmd = space_entry(addr, PMD_SHIFT);
		l->pmds[0] = *l->pmd;
		l->pmds[1] = once_in(2) ? *l->pmd : any_leaf(PMD_SHIFT);
		fill_table(l->ptes[0]);
		fill_table(l->ptes[1]);
		memcpy(l->pte, l->ptes[0], sizeof(l->ptes[0]));
	}
	before_read = change_before_read;
}

static void check_live(unsigned long addr, s32 status)
{
	const struct live *l = &live[(addr - BASE) >> PMD_SHIFT];
	unsigned int i = (addr >> PAGE_SHIFT) % PTES;
	bool leaf = l->pmds[1] != l->pmds[0];

	if (status != space_pte_place(l->ptes[0][i]).status &&
	    status != space_pte_place(l->ptes[1][i]).status &&
	    !(leaf && status == space_pmd_place(space_mm.vmas, l->pmds[1]).status))
		FAIL("%#lx: status %d is neither entry's", addr, status);
}

static void check_live_runs(const struct pn_walk *w, unsigned long addr)
{
	const s32 *mixed = w->mixed;
	const struct pn_run *run;
	u64 i;

	for (run = w->runs; run < w->runs + w->nr_runs; run++) {
		CHECK(run->nr > 0);
		for (i = 0; i < run->nr; i++, addr += PAGE)
			check_live(addr, run->kind == PN_RUN_SAME ? run->status :
				   mixed[run->kind == PN_RUN_MIXED ? i : i % PN_GROUP]);
		mixed += pn_run_mixed(run);
	}
	CHECK_EQ(w->addr, addr);
}

static void changing_entries(void)
{
	unsigned int round, step;
	unsigned long addr;
	struct pn_walk w;

	for (round = 0; round < 600; round++) {
		live_start(any_flags());
		w = walk_of(BASE, NR_LIVE * PTES, 1 + random64() % 40, 100);
		kernel.vma = &w.vma;
		for (step = 0; w.nr; step++) {
			CHECK(step < 100000);
			addr = w.addr;
			CHECK_EQ(pn_walk_chunk(&w), 0);
			check_unlocked();
			check_live_runs(&w, addr);
		}
		walk_end(&w);
	}
}

static void changing_lone_pages(void)
{
	unsigned int round, i;
	unsigned long addr;
	struct pn_walk w = walk_of(0, 0, 1, 100);

	for (round = 0; round < 300; round++) {
		live_start(any_flags());
		kernel.vma = &w.vma;
		for (i = 0; i < 200; i++) {
			addr = BASE + random64() % (NR_LIVE * PTES) * PAGE;
			w.addr = addr;
			for (w.nr = 1; w.nr; ) {
				CHECK_EQ(pn_walk_chunk(&w), 0);
				check_unlocked();
			}
			check_live_runs(&w, addr);
		}
	}
	walk_end(&w);
}

static const struct test tests[] = {
	TEST(random_ranges),
	TEST(short_ranges),
	TEST(lone_pages),
	TEST(all_addresses),
	TEST(frames_of_a_node_are_a_run),
	TEST(a_chunk_is_64_tables_or_mappings),
	TEST(a_wanted_chunk_is_one_table),
	TEST(lone_pages_use_up_the_budget),
	TEST(a_killed_process_walks_nothing),
	TEST(chunks_keep_nothing),
	TEST(huge_zero_page_is_looked_at_between_two_reads),
	TEST(huge_zero_page_beside_others),
	TEST(changing_entries),
	TEST(changing_lone_pages),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
