// SPDX-License-Identifier: GPL-2.0-only
/* The dump of the node map against what sysfs says of memory blocks. */
#include "netlink.h"

#include "../cases/blocks.h"

#define SECTION		(128ULL << 20)
#define SUBSECTION	(SECTION / 64)
#define NO_NODE		(-1)
#define MAX_RANGES	512
#define MAX_NODES	1024
/* More ranges than fit into a piece, which is no larger than our buffer */
#define MANY_RANGES	(MESSAGE / 64 + 1)

struct map {
	struct range range[MAX_RANGES];
	size_t nr;
};

struct range range_of(const struct nlattr **attrs)
{
	return (struct range){
		.start = want_u64(attrs, PAGENODE_A_START),
		.length = want_u64(attrs, PAGENODE_A_LENGTH),
		.generation = want_u64(attrs, PAGENODE_A_GENERATION),
		.node = attrs[PAGENODE_A_NODE] ?
			(int)want_u32(attrs, PAGENODE_A_NODE) : NO_NODE,
	};
}

static int take_range(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *attrs[PAGENODE_A_MAX + 1];
	struct map *map = data;

	attributes(message, attrs);
	if (map->nr == MAX_RANGES)
		fail("too many ranges: raise MAX_RANGES");
	map->range[map->nr++] = range_of(attrs);
	return MNL_CB_OK;
}

static int get_map(const struct family *f, int node, struct map *map)
{
	char buf[MESSAGE];
	struct nlmsghdr *request = new_request(f, buf, PAGENODE_CMD_GET_NODEMAP,
					       NLM_F_DUMP);

	map->nr = 0;
	if (node != NO_NODE)
		mnl_attr_put_u32(request, PAGENODE_A_NODE, node);
	return exchange(f, request, take_range, map);
}

static void want_map(const struct family *f, int node, struct map *map)
{
	int err = get_map(f, node, map);

	if (err)
		fail("GET_NODEMAP: %s", strerror(-err));
}

/* In order, whole sections, and each as long as can be. */
static void want_order(const struct map *map)
{
	uint64_t generation = module_info().nodemap_generation;
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < map->nr; i++) {
		const struct range *r = map->range + i;

		if (!r->length || r->start % SECTION || r->length % SECTION ||
		    r->start < end || r->generation != generation)
			fail("range %zu: %#llx bytes from %#llx, generation %llu",
			     i, (unsigned long long)r->length,
			     (unsigned long long)r->start,
			     (unsigned long long)r->generation);
		if (i && r->start == end && r->node == r[-1].node)
			fail("range %zu goes on from the one before", i);
		end = r->start + r->length;
	}
}

static const struct range *range_at(const struct map *map, uint64_t address)
{
	size_t i;

	for (i = 0; i < map->nr; i++)
		if (address - map->range[i].start < map->range[i].length)
			return map->range + i;
	return NULL;
}

static bool block_online(unsigned long block)
{
	char path[80];
	char state[32];

	snprintf(path, sizeof(path),
		 "/sys/devices/system/memory/memory%lu/state", block);
	if (!have_path(path))
		return false;
	read_file(path, state, sizeof(state));
	return !strncmp(state, "online", 6);
}

/* The only node of a block, or NO_NODE if it has several. */
static int node_of_block(unsigned long block)
{
	int only = NO_NODE;
	int node;

	for (node = 0; node < MAX_NODES; node++) {
		if (!block_on_node(block, node))
			continue;
		if (only != NO_NODE)
			return NO_NODE;
		only = node;
	}
	return only;
}

/* Is there memory in each piece of the section that can be added by itself? */
static bool section_is_full(uint64_t start)
{
	FILE *iomem = fopen("/proc/iomem", "r");
	uint64_t full = 0;
	unsigned long long first;
	unsigned long long last;
	char line[256];
	size_t i;

	if (!iomem)
		fail("opening /proc/iomem: %s", strerror(errno));
	while (fgets(line, sizeof(line), iomem)) {
		if (!strstr(line, "System RAM") ||
		    sscanf(line, "%llx-%llx", &first, &last) != 2)
			continue;
		for (i = 0; i < SECTION / SUBSECTION; i++)
			if (first < start + (i + 1) * SUBSECTION &&
			    last >= start + i * SUBSECTION)
				full |= 1ULL << i;
	}
	fclose(iomem);
	return !~full;
}

static void want_section(const struct map *map, unsigned long block,
			 uint64_t start)
{
	const struct range *r = range_at(map, start);
	int node = node_of_block(block);

	if (!block_online(block)) {
		if (r)
			fail("memory%lu is not online, but in a range", block);
		return;
	}
	if (!r)
		fail("memory%lu is online, but in no range", block);
	if (r->node == node)
		return;
	if (r->node != NO_NODE || section_is_full(start))
		fail("memory%lu is of node %d, not %d", block, node, r->node);
}

void netlink_nodemap(void)
{
	static struct map map;
	struct family f = open_family();
	uint64_t size = block_pages() * PAGE;
	unsigned long last = highest_block();
	unsigned long block;
	uint64_t start;

	want_map(&f, NO_NODE, &map);
	want_order(&map);
	for (block = 0; block <= last; block++)
		for (start = block * size; start < (block + 1) * size;
		     start += SECTION)
			want_section(&map, block, start);
	if (map.nr && map.range[map.nr - 1].start + map.range[map.nr - 1].length >
	    (last + 1) * size)
		fail("the last range ends beyond memory%lu", last);
	/* What ends it comes on its own. */
	if (map.nr >= MANY_RANGES && nr_received < 3)
		fail("%zu ranges in one piece", map.nr);
	note("%zu ranges in %u pieces", map.nr, nr_received - 1);
}

static bool same_range(const struct range *a, const struct range *b)
{
	return a->start == b->start && a->length == b->length &&
	       a->generation == b->generation && a->node == b->node;
}

/* For each node the ranges that it has in the whole map, and no others. */
void netlink_nodemap_one_node(void)
{
	static struct map all;
	static struct map one;
	struct family f = open_family();
	int nodes = module_info().nr_node_ids;
	size_t nr = 0;
	size_t i;
	int node;

	want_map(&f, NO_NODE, &all);
	/* The last is one that does not exist, where ids go so far. */
	for (node = 0; node < nodes + have_numa(); node++) {
		want_map(&f, node, &one);
		nr += one.nr;
		for (i = 0; i < one.nr; i++) {
			const struct range *r = range_at(&all,
							 one.range[i].start);

			if (!r || !same_range(r, one.range + i) ||
			    r->node != node)
				fail("node %d: range %zu is not in the map",
				     node, i);
		}
	}
	for (i = 0; i < all.nr; i++)
		nr += all.range[i].node == NO_NODE;
	if (nr != all.nr)
		fail("%zu ranges of single nodes, %zu in all", nr, all.nr);
}

/*
 * The kernel makes the first piece of a dump when it is asked for, and the rest
 * when that is read. A change in between must show.
 */
void netlink_nodemap_interrupted(void)
{
	static struct map map;
	struct family f = open_family();
	unsigned long block = movable_block();
	char buf[MESSAGE];
	int err;

	send_request(&f, new_request(&f, buf, PAGENODE_CMD_GET_NODEMAP,
				     NLM_F_DUMP));
	if (!set_block(block, "offline"))
		fail("memory%lu does not go offline: %s", block,
		     strerror(errno));
	err = receive(&f, take_range, &map);
	if (err != -EINTR)
		fail("a map that changed meanwhile: %s, not %s", strerror(-err),
		     strerror(EINTR));
	f = open_family();
	want_map(&f, NO_NODE, &map);
	want_section(&map, block, block * block_pages() * PAGE);
	if (!set_block(block, "online_movable"))
		fail("memory%lu does not come online again: %s", block,
		     strerror(errno));
	want_map(&f, NO_NODE, &map);
	want_section(&map, block, block * block_pages() * PAGE);
}
