// SPDX-License-Identifier: GPL-2.0-only
/* The module itself: that it can't be unloaded in use, memory hotplug. */
#include "case.h"

#include <stdatomic.h>

#include "blocks.h"
#include "reload.h"
#include "watch.h"

static void rmmod_busy(void)
{
	char *p = map_anon(PAGE);

	touch_on(node_b(), p, PAGE);
	device();
	if (!unload())
		fail("the module was unloaded though its device is open");
	if (errno != EBUSY && errno != EAGAIN)
		fail("delete_module: %s, not EBUSY or EAGAIN", strerror(errno));
	expect("afterwards", p, 1, NORMAL, node_b());
}

#define NR_PAGES (64UL << 20 >> 12)

static struct {
	char *_Atomic pages;
	atomic_bool stop;
	atomic_ulong queries;
} hotplug;

/* While pages are moved out of the block: on a node, or under migration. */
static void *ask_meanwhile(void *arg)
{
	struct watch *w = new_watch(hotplug.pages, NR_PAGES);

	(void)arg;
	watch_want(w, 0, NR_PAGES, MOVES);
	while (!atomic_load(&hotplug.stop)) {
		w->start = hotplug.pages;
		watch_once(w);
		atomic_fetch_add(&hotplug.queries, 1);
	}
	return NULL;
}

/* How many of our pages lie in @block. */
static size_t pages_in(unsigned long block)
{
	static uint64_t entry[NR_PAGES];
	unsigned long size = block_pages();
	size_t nr = 0;
	size_t i;

	pagemap_entries(hotplug.pages, entry, NR_PAGES);
	for (i = 0; i < NR_PAGES; i++)
		if (pagemap_pfn(entry[i]) / size == block)
			nr++;
	return nr;
}

/* The right answers, by the kernel's own word, now that nothing moves. */
static void all_right(const char *when)
{
	expect(when, hotplug.pages, NR_PAGES, NORMAL, ANY_NODE);
}

static char *pages_on_node_b(void)
{
	char *p = map_anon(NR_PAGES * PAGE);

	touch_on(node_b(), p, NR_PAGES * PAGE);
	return p;
}

static void want_generation(uint64_t want)
{
	uint64_t now = module_info().nodemap_generation;

	if (now != want)
		fail("nodemap_generation is %llu, not %llu",
		     (unsigned long long)now, (unsigned long long)want);
}

static void offline_and_online(unsigned long block)
{
	uint64_t generation = module_info().nodemap_generation;

	if (!set_block(block, "offline"))
		fail("memory%lu does not go offline: %s", block,
		     strerror(errno));
	want_generation(generation + 1);
	if (pages_in(block))
		fail("memory%lu is offline, but has pages of ours", block);
	all_right("offline");
	if (!set_block(block, "online_movable"))
		fail("memory%lu does not come online again: %s", block,
		     strerror(errno));
	want_generation(generation + 2);
	all_right("online again");
}

#define ROUNDS 5

static void memory_offline(void)
{
	unsigned long block;
	unsigned long moved = 0;
	pthread_t asker;
	int round;

	block = movable_block();
	hotplug.pages = pages_on_node_b();
	asker = start_thread(ask_meanwhile, NULL);
	for (round = 0; round < ROUNDS; round++) {
		hotplug.pages = pages_on_node_b();
		if (!pages_in(block))
			fail("no new page landed in memory%lu", block);
		moved += pages_in(block);
		all_right("in the block");
		offline_and_online(block);
	}
	atomic_store(&hotplug.stop, true);
	pthread_join(asker, NULL);
	note("memory%lu: offline %d times, %lu pages moved out, %lu rounds of queries",
	     block, ROUNDS, moved, atomic_load(&hotplug.queries));
}

const struct test_case module_cases[] = {
	{ "rmmod-busy", rmmod_busy },
	{ "memory-offline", memory_offline },
	{ NULL, NULL },
};
