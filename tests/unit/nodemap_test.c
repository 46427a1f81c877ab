// SPDX-License-Identifier: GPL-2.0-only
/*
 * module/nodemap.c while memory comes and goes, against the memory itself: each
 * section has a node, or none, or is of several nodes.
 */
#include "tests/unit/kernel/hotplug.h"

#include "module/nodemap.h"
#include "module/section.h"
#include "tests/unit/random.h"
#include "tests/unit/test.h"

#define SECTIONS	300UL
#define SECTION_PAGES	(1UL << PFN_SECTION_SHIFT)
#define OFFLINE		(-1)
#define TWO_NODES	(-2)

struct kernel kernel;

static int memory[SECTIONS];		/* a node, OFFLINE or TWO_NODES */
static unsigned long end_at_init;	/* as pn_section_end() says */
static struct notifier_block *notifier;
static int register_error;
static bool no_memory;
static unsigned int nr_allocated, grace_periods;
static void (*at_grace_period)(void);
static void (*at_register)(void);

static unsigned long random_below(unsigned long n)
{
	return random64() % n;
}

void kernel_needs(bool held, const char *what)
{
	if (!held)
		FAIL("%s", what);
}

void kernel_before_read(const volatile void *entry)
{
	(void)entry;
}

/* What a section of two nodes has, by turns. Only the first are memory. */
enum { ON_NODE_0, ON_NODE_1, GOING_DEVICE, OVERWRITTEN, NR_TURNS };

/* The memory itself */
static int page_node(unsigned long pfn)
{
	unsigned long section = pfn_to_section_nr(pfn);

	if (section >= SECTIONS || memory[section] == OFFLINE)
		return -ENOENT;
	if (memory[section] != TWO_NODES)
		return memory[section];
	return pfn % NR_TURNS <= ON_NODE_1 ? (int)(pfn % NR_TURNS) : -ENOENT;
}

/* The kernel takes a device that is about to go for memory. */
struct page *pfn_to_online_page(unsigned long pfn)
{
	static const struct page other[NR_TURNS] = {
		[GOING_DEVICE] = { .device = true },
		[OVERWRITTEN] = { .nid = nr_node_ids },
	};
	static struct page page;

	page = (struct page){ .nid = page_node(pfn) };
	if (kernel_section_online(pfn_to_section_nr(pfn)) && page.nid < 0)
		page = other[pfn % NR_TURNS];
	return page.nid < 0 ? NULL : &page;
}

bool kernel_section_online(unsigned long section)
{
	return section < SECTIONS && memory[section] != OFFLINE;
}

s16 pn_section_status(unsigned long section)
{
	CHECK(section < 2 * SECTIONS);
	return section < SECTIONS && memory[section] >= 0 ? memory[section] :
							    PN_UNKNOWN;
}

unsigned long pn_section_end(void)
{
	return end_at_init;
}

/* What the kernel does */
void *kvzalloc(size_t size, int flags)
{
	(void)flags;
	if (no_memory)
		return NULL;
	nr_allocated++;
	return calloc(1, size);
}

void kvfree(const void *p)
{
	nr_allocated--;
	free((void *)p);
}

void synchronize_rcu(void)
{
	grace_periods++;
	if (at_grace_period)
		at_grace_period();
}

int register_memory_notifier(struct notifier_block *nb)
{
	if (register_error)
		return register_error;
	notifier = nb;
	if (at_register)
		at_register();
	return 0;
}

void unregister_memory_notifier(const struct notifier_block *nb)
{
	CHECK(notifier == nb);
	notifier = NULL;
}

/* A map of the first sections, all of whose memory is there */
static void start(unsigned long sections)
{
	unsigned long i;

	memset(&kernel, 0, sizeof(kernel));
	end_at_init = sections;
	at_grace_period = NULL;
	at_register = NULL;
	no_memory = false;
	register_error = 0;
	nr_allocated = 0;
	for (i = 0; i < SECTIONS; i++)
		memory[i] = i < sections ? (int)(i / 40) : OFFLINE;
	CHECK_EQ(pn_nodemap_init(), 0);
	CHECK_EQ(kernel.mutex, 0);
}

static void unload(void)
{
	pn_nodemap_exit();
	CHECK(!notifier);
	CHECK_EQ(nr_allocated, 0);
}

/* From somewhere in the first section to the first page or the last of the last */
static void event(unsigned long action, unsigned long first, unsigned long last)
{
	struct memory_notify notify = {
		.start_pfn = first * SECTION_PAGES + random_below(2) * 512,
	};

	notify.nr_pages = last * SECTION_PAGES + SECTION_PAGES - notify.start_pfn;
	if (first < last && random_below(2))
		notify.nr_pages -= SECTION_PAGES - 1;
	CHECK_EQ(notifier->notifier_call(notifier, action, &notify), NOTIFY_OK);
	CHECK_EQ(kernel.mutex, 0);
}

static const struct pn_nodemap *map_now(void)
{
	const struct pn_nodemap *map;

	kernel.rcu++;
	map = pn_nodemap_get();
	kernel.rcu--;
	return map;
}

static bool is_block(const struct pn_nodemap *map, unsigned long section,
		     unsigned int order)
{
	unsigned long size = 1UL << order, first = section / size * size, i;

	if (first + size > map->decoder.index_mask + 1)
		return false;
	for (i = first; i < first + size; i++)
		if (map->decoder.status[i] != map->decoder.status[section])
			return false;
	return true;
}

/* One page: its node, and how far the map says that this goes */
static void check_page(const struct pn_nodemap *map, unsigned long pfn)
{
	unsigned long section = pfn_to_section_nr(pfn);
	unsigned int shift = 99, order = 0;

	CHECK_EQ(pn_nodemap_status(map, pfn, &shift), page_node(pfn));
	if (section > map->decoder.index_mask ||
	    map->decoder.status[section] == PN_UNKNOWN) {
		CHECK_EQ(shift, 0);
		return;
	}
	while (is_block(map, section, order + 1))
		order++;
	CHECK_EQ(shift, PN_SECTION_SHIFT + order);
}

static void check_extent(const struct pn_nodemap *map, unsigned long pfn)
{
	unsigned long first = pfn_to_section_nr(pfn), end = first + 1;
	const s16 *status = map->decoder.status;
	s32 node = page_node(pfn);
	u64 begin = 99, len;

	len = pn_nodemap_extent(map, pfn, node, &begin);
	if (first > map->decoder.index_mask || status[first] == PN_UNKNOWN) {
		CHECK_EQ(len, 0);
		return;
	}
	while (first && status[first - 1] == node)
		first--;
	while (end <= map->decoder.index_mask && status[end] == node)
		end++;
	CHECK_EQ(begin, (u64)first << PN_SECTION_SHIFT);
	CHECK_EQ(len, (u64)(end - first) << PN_SECTION_SHIFT);
	CHECK_EQ(pn_nodemap_extent(map, pfn, node + 1, &begin), 0);
}

static void check_decoder(const struct pn_decoder *d)
{
	u64 reach = (d->index_mask + 1) << PN_SECTION_SHIFT, bit;

	CHECK_EQ(d->status[-1], -ENOENT);
	CHECK(!(d->index_mask & (d->index_mask + 1)));
	for (bit = 1; bit; bit <<= 1) {
		bool frame = bit & PTE_PFN_MASK;
		bool odd = bit & (_PAGE_PROTNONE | _PAGE_SPECIAL);

		CHECK_EQ(!!(d->odd & bit), odd || (frame && bit >= reach));
		CHECK_EQ(!!(d->same & bit), bit == _PAGE_PRESENT ||
			 (frame && bit >> PN_SECTION_SHIFT));
	}
}

static void check_map(void)
{
	const struct pn_nodemap *map = map_now();
	unsigned long section, pfn;

	check_decoder(&map->decoder);
	for (section = 0; section < SECTIONS + 20; section++) {
		pfn = section * SECTION_PAGES;
		check_page(map, pfn);
		check_page(map, pfn + random_below(SECTION_PAGES));
		check_page(map, pfn + SECTION_PAGES - 1);
		check_extent(map, pfn);
	}
}

/* All that is known, is in the table: what is online, of one node, and in reach */
static void check_known(void)
{
	const struct pn_nodemap *map = map_now();
	unsigned long section;

	for (section = 0; section <= map->decoder.index_mask; section++)
		CHECK_EQ(map->decoder.status[section], pn_section_status(section));
}

static void check_unknown(unsigned long first, unsigned long last)
{
	const struct pn_nodemap *map = map_now();

	for (; first <= last && first <= map->decoder.index_mask; first++)
		CHECK_EQ(map->decoder.status[first], PN_UNKNOWN);
}

/* What pn_nodemap_section() tells the dump */
static void check_sections(void)
{
	unsigned long section;
	s32 want;

	CHECK(pn_nodemap_lock());
	CHECK_EQ(kernel.mutex, 1);
	for (section = 0; section < SECTIONS + 20; section++) {
		want = pn_section_status(section);
		if (section > map_now()->decoder.index_mask)
			want = PN_UNKNOWN;
		if (want == PN_UNKNOWN && !kernel_section_online(section))
			want = -ENOENT;
		CHECK_EQ(pn_nodemap_section(section), want);
	}
	pn_nodemap_unlock();
	CHECK_EQ(kernel.mutex, 0);
}

static unsigned int changes(void)
{
	unsigned int nr = pn_nodemap_lock();

	pn_nodemap_unlock();
	return nr;
}

static void load_and_unload(void)
{
	static const unsigned long sizes[] = { 1, 2, 3, 64, 65, 127, 128, 200 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		start(sizes[i]);
		CHECK(map_now()->decoder.index_mask + 1 >= sizes[i]);
		CHECK(map_now()->decoder.index_mask + 1 < 2 * sizes[i]);
		check_map();
		check_known();
		check_sections();
		unload();
	}
}

static void load_without_memory(void)
{
	no_memory = true;
	end_at_init = 10;
	CHECK_EQ(pn_nodemap_init(), -ENOMEM);
	no_memory = false;
	nr_allocated = 0;
	register_error = -EEXIST;
	CHECK_EQ(pn_nodemap_init(), -EEXIST);
	CHECK_EQ(nr_allocated, 0);
}

/* The first moment at which events may come */
static void nothing_is_known_yet(void)
{
	check_unknown(0, SECTIONS);
	check_decoder(&map_now()->decoder);
	memory[250] = 3;
	event(MEM_ONLINE, 250, 250);
}

static void memory_comes_while_loading(void)
{
	register_error = 0;
	at_register = nothing_is_known_yet;
	end_at_init = 100;
	memset(memory, 0, sizeof(memory));
	CHECK_EQ(pn_nodemap_init(), 0);
	check_map();
	check_known();
	unload();
}

static unsigned long going_first, going_last;

/* Whoever reads now, or later, must not find an answer from before. */
static void offline_grace_period(void)
{
	check_unknown(going_first, going_last);
	CHECK(kernel.mutex);
}

static void take_offline(unsigned long first, unsigned long last, bool cancel)
{
	u64 generation = pn_nodemap_generation();
	unsigned int before = changes();
	unsigned long i;

	going_first = first;
	going_last = last;
	event(MEM_GOING_OFFLINE, first, last);
	check_unknown(first, last);
	check_map();
	CHECK(changes() != before);
	CHECK_EQ(pn_nodemap_generation(), generation);
	if (cancel) {
		event(MEM_CANCEL_OFFLINE, first, last);
		CHECK_EQ(pn_nodemap_generation(), generation);
		return;
	}
	for (i = first; i <= last; i++)
		memory[i] = OFFLINE;
	grace_periods = 0;
	at_grace_period = offline_grace_period;
	event(MEM_OFFLINE, first, last);
	at_grace_period = NULL;
	CHECK_EQ(grace_periods, 1);
	CHECK_EQ(pn_nodemap_generation(), generation + 1);
}

static const struct pn_nodemap *old_map;

/* Whoever has the old table may go on with it until the grace period is over. */
static void growth_grace_period(void)
{
	unsigned long i;

	CHECK(map_now() != old_map);
	for (i = 0; i <= old_map->decoder.index_mask; i++)
		CHECK_EQ(old_map->decoder.status[i], map_now()->decoder.status[i]);
}

static void bring_online(unsigned long first, unsigned long last, int node, bool cancel)
{
	u64 generation = pn_nodemap_generation();
	unsigned int before = changes();
	unsigned long i;
	bool grows;

	event(MEM_GOING_ONLINE, first, last);
	check_unknown(first, last);
	if (cancel) {
		event(MEM_CANCEL_ONLINE, first, last);
		check_unknown(first, last);
		CHECK_EQ(pn_nodemap_generation(), generation);
		return;
	}
	for (i = first; i <= last; i++)
		memory[i] = node;
	check_map();
	old_map = map_now();
	grows = last > old_map->decoder.index_mask;
	grace_periods = 0;
	at_grace_period = growth_grace_period;
	event(MEM_ONLINE, first, last);
	at_grace_period = NULL;
	if (!no_memory) {
		CHECK(map_now()->decoder.index_mask >= last);
		CHECK_EQ(grace_periods, grows);
	}
	CHECK_EQ(pn_nodemap_generation(), generation + 1);
	CHECK(changes() != before);
}

static bool all_are(unsigned long first, unsigned long last, bool online)
{
	for (; first <= last; first++)
		if (kernel_section_online(first) != online)
			return false;
	return true;
}

static void memory_comes_and_goes(void)
{
	static const int nodes[] = { 0, 1, 2, TWO_NODES };
	unsigned long first, last;
	unsigned int round, step;

	for (round = 0; round < 12; round++) {
		start(1 + random_below(200));
		for (step = 0; step < 60; step++) {
			first = random_below(SECTIONS);
			last = min(first + random_below(20), SECTIONS - 1);
			if (all_are(first, last, true))
				take_offline(first, last, random_below(4) == 0);
			else if (all_are(first, last, false))
				bring_online(first, last, nodes[random_below(4)],
					     random_below(4) == 0);
			else
				continue;
			check_map();
			check_known();
		}
		check_sections();
		unload();
	}
}

/* Slower to ask, and not wrong */
static void no_memory_for_a_larger_table(void)
{
	start(64);
	no_memory = true;
	memory[63] = OFFLINE;
	event(MEM_OFFLINE, 63, 63);
	bring_online(63, 70, 2, false);
	check_map();
	check_sections();
	CHECK_EQ(map_now()->decoder.index_mask, 63);
	CHECK_EQ(map_now()->decoder.status[63], 2);
	no_memory = false;
	unload();
}

static const struct test tests[] = {
	TEST(load_and_unload),
	TEST(load_without_memory),
	TEST(memory_comes_while_loading),
	TEST(memory_comes_and_goes),
	TEST(no_memory_for_a_larger_table),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
