// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "wrong.h"

/* Memory in a section of the machine, or just beyond the last */
static __u64 make_address(struct input *in, const struct machine *m)
{
	__u64 section = take_below(in, m->nr_sections + 2);

	return (section << SECTION_BITS | take(in, 2) << 12) & m->frame_bits;
}

/* What hardware and kernel keep in a mapping's other bits */
static __u64 make_flags(struct input *in)
{
	__u64 low = take(in, 2) & 0xeff;	/* not bit 8 */
	__u64 high = take(in, 2) & 0xfff0;

	return low | high << 48;
}

/* Swap, migration, poison, device memory or a marker, by its type */
static __u64 make_swap(struct input *in)
{
	__u64 type = take_below(in, 32);
	__u64 offset = take64(in) & ((1ULL << 50) - 1);
	__u64 flags = take_below(in, 8) << 1;

	return type << 59 | (~offset & ((1ULL << 50) - 1)) << 9 | flags;
}

static __u64 make_mapping(struct input *in, const struct machine *m)
{
	return make_address(in, m) | (make_flags(in) & ~SPECIAL) | PRESENT;
}

/* The kernel keeps the frame inverted where the processor must not see it. */
static __u64 make_hidden(struct input *in, const struct machine *m, __u64 bit)
{
	return (~make_address(in, m) & m->frame_bits) |
	       (make_flags(in) & ~(PRESENT | LEAF)) | bit;
}

/* The first page of the machine, its zero page, or any other */
static __u64 make_special(struct input *in, const struct machine *m)
{
	__u64 address = take_below(in, 2) ? make_address(in, m) : 0;

	return address | make_flags(in) | SPECIAL | PRESENT;
}

static __u64 make_entry(struct input *in, const struct machine *m,
			__u64 previous)
{
	switch (take_below(in, 10)) {
	case 0:
		return 0;
	case 1:
		return make_swap(in);
	case 2:
		return make_hidden(in, m, PROTNONE);
	case 3:
		return make_hidden(in, m, LEAF);	/* while it is split */
	case 4:
		return make_special(in, m);
	case 5:
		return take64(in);
	case 6:
		return previous ^ 1ULL << take_below(in, 64);
	case 7:
		return previous + (1ULL << 12);
	default:
		return make_mapping(in, m);
	}
}

/* A few entries, and then these again and again */
static void add_entries(struct input *in, struct table *t)
{
	static const uint32_t lengths[] = { 2, 20, 100, MAX_ENTRIES };
	unsigned int i, first = t->nr, period = 1 + take_below(in, 2 * GROUP);
	unsigned int nr = period + take_below(in, TAKE_FROM(in, lengths));

	for (i = 0; i < nr && t->nr < MAX_ENTRIES; i++, t->nr++)
		t->entry[t->nr] = i < period ?
			make_entry(in, &t->machine,
				   t->nr ? t->entry[t->nr - 1] : 0) :
			t->entry[first + i % period];
}

/* Neighbours are often on one node. */
static void make_nodes(struct input *in, struct machine *m)
{
	static const __s16 nodes[] = { 0, 1, 2, 3, 63, 256, 1023, ASK_PAGES };
	__s16 *table = malloc((1 + m->nr_sections) * sizeof(*table));
	unsigned int i;
	__s16 node = 0;

	REQUIRE(table);
	table[0] = -ENOENT;
	for (i = 0; i < m->nr_sections; i++) {
		if (i % 4 == 0 || take_below(in, 2))
			node = TAKE_FROM(in, nodes);
		table[1 + i] = node;
	}
	m->node = table + 1;
}

/* Memory encryption takes a high bit of the frame. */
static void make_machine(struct input *in, struct machine *m)
{
	static const __u64 encryption[] = { 0, 0, 1ULL << 47, 1ULL << 51 };

	m->nr_sections = 1 << take_below(in, 7);
	m->frame_bits = FRAME_BITS & ~TAKE_FROM(in, encryption);
	make_nodes(in, m);
}

void make_table(struct input *in, struct table *t)
{
	static const enum level levels[] = { PTE, PTE, PMD, PUD };
	__u64 entry[MAX_ENTRIES] = { 0 };

	t->level = TAKE_FROM(in, levels);
	make_machine(in, &t->machine);
	t->entry = entry;
	t->nr = 0;
	do
		add_entries(in, t);
	while (in->left > 8 && t->nr < MAX_ENTRIES);
	REQUIRE(t->nr);
	t->entry = malloc(t->nr * sizeof(*t->entry));
	REQUIRE(t->entry);
	memcpy(t->entry, entry, t->nr * sizeof(*t->entry));
}

void free_table(struct table *t)
{
	free(t->entry);
	free((__s16 *)t->machine.node - 1);
}
