// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 14: ids of nodes are ids, whatever nodes there are, and sections of
 * memory that nodes share.
 */
#include "case.h"

#include "shapes.h"

/* The ids of the nodes that have memory, in order. */
static int ids[64];
static int nr_ids;

static void find_ids(void)
{
	int id;

	for (id = 0; nr_ids < nr_nodes(); id++)
		if (is_node(id))
			ids[nr_ids++] = id;
}

static const char *id_list(void)
{
	static char buf[256];
	size_t len = 0;
	int i;

	for (i = 0; i < nr_ids; i++)
		len += snprintf(buf + len, sizeof(buf) - len, " %d", ids[i]);
	return buf;
}

#define NR_PAGES 3000

/* All four ioctls and move_pages: page by page the node that it was bound to. */
static void case14_node_ids(void)
{
	char *p = map_anon(NR_PAGES * PAGE);
	int *kernels = new_statuses(NR_PAGES);
	int *ours = new_statuses(NR_PAGES);
	size_t i;

	find_ids();
	for (i = 0; i < NR_PAGES; i++)
		touch_on(ids[i % nr_ids], p + i * PAGE, PAGE);
	ask_both(p, NR_PAGES, ours, kernels);
	for (i = 0; i < NR_PAGES; i++)
		if (ours[i] != ids[i % nr_ids] || kernels[i] != ours[i])
			fail("page %zu: pagenode says %s, move_pages %s, not %s",
			     i, status_name(ours[i]), status_name(kernels[i]),
			     status_name(ids[i % nr_ids]));
	check_shapes(p, NR_PAGES, ours);
	note("nodes%s", id_list());
}

static void case14_node_ids_thp(void)
{
	char *p;
	int i;

	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	find_ids();
	p = map_thp(nr_ids * HUGE);
	for (i = 0; i < nr_ids; i++)
		touch_on(ids[i], p + i * HUGE, HUGE);
	if (!page_is(p, KPF_THP))
		fail("writing a huge page gave no THP");
	for (i = 0; i < nr_ids; i++)
		expect("a huge page", p + i * HUGE, HUGE_PAGES, NORMAL, ids[i]);
	note("nodes%s", id_list());
}

/* The n-th node has n + 1 pages, all other elements none. */
static void case14_counts_by_id(void)
{
	const size_t possible = module_info().nr_node_ids;
	uint64_t *node = calloc(possible, sizeof(*node));
	char *p = map_anon(NR_PAGES * PAGE);
	char *next = p;
	size_t id;
	int i;

	find_ids();
	if (possible <= (size_t)ids[nr_ids - 1])
		fail("%zu nodes are possible, but there is node %d", possible,
		     ids[nr_ids - 1]);
	for (i = 0; i < nr_ids; i++, next += i * PAGE)
		touch_on(ids[i], next, (i + 1) * PAGE);
	module_counts(p, NR_PAGES, node, possible);
	for (i = 0; i < nr_ids; i++) {
		if (node[ids[i]] != (uint64_t)i + 1)
			fail("node %d: %llu pages, not %d", ids[i],
			     (unsigned long long)node[ids[i]], i + 1);
		node[ids[i]] = 0;
	}
	for (id = 0; id < possible; id++)
		if (node[id])
			fail("node %zu has no memory, but %llu pages", id,
			     (unsigned long long)node[id]);
	note("nodes%s of %zu possible", id_list(), possible);
}

static void too_short(const char *page, int id, uint64_t out_len)
{
	uint64_t node[64];
	struct pagenode_query q = shape_question(page, 1, node, out_len);

	memset(node, 0x55, sizeof(node));
	want_answer("counts", PAGENODE_IOC_COUNTS, &q, -ENOSPC);
	if (q.out_count != (uint64_t)id + 1)
		fail("node %d in %llu elements: out_count is %llu", id,
		     (unsigned long long)out_len,
		     (unsigned long long)q.out_count);
	if (out_len && node[0] != 0x5555555555555555)
		fail("node %d in %llu elements: the array was written", id,
		     (unsigned long long)out_len);
	q.out_len = q.out_count;
	want_answer("counts with the length needed", PAGENODE_IOC_COUNTS, &q,
		    0);
	if (node[id] != 1)
		fail("node %d: %llu pages, not 1", id,
		     (unsigned long long)node[id]);
}

/* A page on each node, and room for each number of nodes that leaves it out. */
static void case14_counts_too_short(void)
{
	char *p = map_anon(PAGE * 64);
	int len;
	int i;

	find_ids();
	for (i = 0; i < nr_ids; i++) {
		touch_on(ids[i], p + i * PAGE, PAGE);
		for (len = 0; len <= ids[i]; len++)
			too_short(p + i * PAGE, ids[i], len);
	}
}

/* The kernel says where a process on such a node gets its memory from. */
static void case14_no_memory(void)
{
	char *p = map_anon(64 * PAGE);
	char path[64];
	int id;

	for (id = 0;; id++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d",
			 id);
		if (!have_path(path))
			skip("every node has memory");
		if (!is_node(id))
			break;
	}
	run_on(id);
	touch(p, 64 * PAGE);
	expect("local to a node without memory", p, 64, NORMAL, ANY_NODE);
	note("node %d has no memory", id);
}

#define MEMORY	"/sys/devices/system/memory"
#define NODE	"/sys/devices/system/node"

/* The kernel's own word on which blocks of memory nodes share. */
static int nodes_of(unsigned long block)
{
	char path[80];
	int nr = 0;
	int i;

	for (i = 0; i < nr_ids; i++) {
		snprintf(path, sizeof(path), NODE "/node%d/memory%lu", ids[i],
			 block);
		nr += have_path(path);
	}
	return nr;
}

#define MAX_BLOCKS	256

/* What was found in a block that nodes share: pages by position in ids. */
static struct {
	bool mixed;
	unsigned long pages[64];
} blocks[MAX_BLOCKS];

static int find_mixed_blocks(void)
{
	int nr = 0;
	int i;

	for (i = 0; i < MAX_BLOCKS; i++) {
		blocks[i].mixed = nodes_of(i) > 1;
		nr += blocks[i].mixed;
	}
	return nr;
}

static unsigned long block_size(void)
{
	char buf[32];

	read_file(MEMORY "/block_size_bytes", buf, sizeof(buf));
	return strtoul(buf, NULL, 16);
}

static int position(int id)
{
	int i = 0;

	while (ids[i] != id)
		i++;
	return i;
}

/*
 * So much of the free memory that pages at the nodes' borders are among it: the
 * first node becomes as full as it can be, and then the others in order.
 */
static size_t most_memory(void)
{
	static char buf[4096];
	char *line;

	run_on(ids[0]);
	write_file("/proc/sys/vm/min_free_kbytes", "8192");
	read_file("/proc/meminfo", buf, sizeof(buf));
	line = strstr(buf, "MemFree:");
	if (!line)
		fail("/proc/meminfo has no MemFree");
	return (strtoul(line + 8, NULL, 10) * 1024 / 16 * 15) & ~(HUGE - 1);
}

/* Whether any page of a huge page's worth is in such a block. */
static bool count_in_blocks(const char *p, const int *status)
{
	unsigned long size = block_size() / PAGE;
	uint64_t entry[HUGE_PAGES];
	bool any = false;
	uint64_t block;
	size_t i;

	pagemap_entries(p, entry, HUGE_PAGES);
	for (i = 0; i < HUGE_PAGES; i++) {
		block = pagemap_pfn(entry[i]) / size;
		if (!block || block >= MAX_BLOCKS || !blocks[block].mixed)
			continue;
		blocks[block].pages[position(status[i])]++;
		any = true;
	}
	return any;
}

/* Part by part, for memory is scarce now. */
static void check_all(const char *p, size_t len)
{
	const char *end = p + len;
	int status[HUGE_PAGES];

	for (; p < end; p += HUGE) {
		expect("all memory", p, HUGE_PAGES, NORMAL, ANY_NODE);
		module_status(p, HUGE_PAGES, status);
		if (count_in_blocks(p, status))
			check_shapes(p, HUGE_PAGES, status);
	}
}

/* A block of whose pages this process has some on two nodes. */
static int shared_block(void)
{
	int nr;
	int i;
	int n;

	for (i = 0; i < MAX_BLOCKS; i++) {
		for (n = 0, nr = 0; n < nr_ids; n++)
			nr += blocks[i].pages[n] > 0;
		if (nr > 1)
			return i;
	}
	return -1;
}

static void note_blocks(void)
{
	int i;
	int n;

	for (i = 0; i < MAX_BLOCKS; i++)
		for (n = 0; n < nr_ids; n++)
			if (blocks[i].pages[n])
				printf("memory%d: %lu pages on node %d; ", i,
				       blocks[i].pages[n], ids[n]);
	putchar('\n');
}

static void mixed_sections(void *(*map)(size_t len))
{
	size_t len;
	char *p;

	find_ids();
	if (!find_mixed_blocks())
		skip("no two nodes share a block of memory");
	len = most_memory();
	p = map(len);
	touch(p, len);
	check_all(p, len);
	if (shared_block() < 0)
		fail("no block of two nodes has pages of ours on both");
	note_blocks();
}

static void case14_mixed_sections(void)
{
	mixed_sections(map_anon);
}

static void case14_mixed_sections_thp(void)
{
	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
	mixed_sections(map_thp);
}

const struct test_case topology_cases[] = {
	{ "case14-node-ids", case14_node_ids },
	{ "case14-node-ids-thp", case14_node_ids_thp },
	{ "case14-counts-by-id", case14_counts_by_id },
	{ "case14-counts-too-short", case14_counts_too_short },
	{ "case14-no-memory", case14_no_memory },
	{ "case14-mixed-sections", case14_mixed_sections },
	{ "case14-mixed-sections-thp", case14_mixed_sections_thp },
	{ NULL, NULL },
};
