// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer's target: module/decode.h with the masks of module/arch_x86.h,
 * against one entry at a time. As in a live page table, entries change while
 * they are read: what counts is the value that was read last.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "table.h"
#include "wrong.h"

static __u64 read_entry(const __u64 *entry);

#define READ_ONCE(x) read_entry(&(x))

#include "module/arch_x86.h"
#include "module/decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

u64 physical_mask;

/* Of each entry what was read last, and what changes meanwhile. */
static struct {
	__u64 *entry;
	__u64 seen[MAX_ENTRIES];
	unsigned int every;	/* reads from one change to the next, or 0 */
	unsigned int nr_reads;
	__u64 change;
} live;

static __u64 read_entry(const __u64 *entry)
{
	size_t i = (size_t)(entry - live.entry);
	__u64 value = *entry;

	live.seen[i] = value;
	if (live.every && ++live.nr_reads % live.every == 0)
		live.entry[i] ^= live.change;
	return value;
}

/* A part of the table, and an entry to compare with */
struct part {
	const struct table *t;
	const __u64 *entry;
	const __u64 *seen;
	unsigned int nr;
	__u64 ref;
};

static bool agrees(const struct part *p, unsigned int i, __u64 ref, __u64 mask)
{
	return !((p->seen[i] ^ ref) & mask);
}

static unsigned int check_same(const struct part *p, __u64 mask)
{
	unsigned int i, nr = pn_same(p->entry, p->nr, p->ref, mask);

	REQUIRE(nr <= p->nr);
	for (i = 0; i < nr; i++)
		REQUIRE(agrees(p, i, p->ref, mask));
	REQUIRE(nr == p->nr || !agrees(p, nr, p->ref, mask));
	return nr;
}

static void check_repeats(const struct part *p, __u64 mask)
{
	__u64 ref[GROUP];
	unsigned int i, nr;

	if (p->nr < GROUP)
		return;
	for (i = 0; i < GROUP; i++)
		ref[i] = p->entry[i];
	nr = pn_repeats(p->entry, p->nr, ref, mask);
	REQUIRE(nr <= p->nr && nr % GROUP == 0);
	for (i = 0; i < nr; i++)
		REQUIRE(agrees(p, i, ref[i % GROUP], mask));
	if (p->nr - nr < GROUP)
		return;
	for (i = 0; i < GROUP && agrees(p, nr + i, ref[i], mask); i++)
		;
	REQUIRE(i < GROUP);
}

/* The bits that walk.c compares, where memory is alike in blocks of @shift. */
static __u64 walk_mask(enum level level, __u64 ref, unsigned int shift)
{
	__u64 block = pn_arch_frame_bits() & ~((1ULL << shift) - 1);

	if (!entry_present(level, ref))
		return level == PTE ? PN_PTE_PRESENT :
		       level == PMD ? PN_PMD_PRESENT : PN_PUD_PRESENT;
	return (level == PTE ? PN_PTE_FLAGS : PN_PMD_FLAGS) | block;
}

/* Entries that agree in these bits mean the same. */
static void check_meaning(const struct part *p, unsigned int shift)
{
	const struct machine *m = &p->t->machine;
	enum level level = p->t->level;
	bool present = entry_present(level, p->ref);
	unsigned int i, nr;

	if (level == PUD && present)
		return;		/* walk.c looks at each of these. */
	nr = check_same(p, walk_mask(level, p->ref, shift));
	for (i = 0; i < nr; i++) {
		__u64 entry = p->seen[i];

		REQUIRE(entry_present(level, entry) == present);
		if (!present)
			continue;
		REQUIRE(entry_leaf(level, entry) == entry_leaf(level, p->ref));
		REQUIRE((entry & SPECIAL) == (p->ref & SPECIAL));
		if (level == PMD)
			REQUIRE((entry & WRITABLE) == (p->ref & WRITABLE));
		REQUIRE(entry_address(m, level, entry) >> shift ==
			entry_address(m, level, p->ref) >> shift);
	}
}

static bool lies_within(const struct machine *m, __u64 entry, __u64 start,
			__u64 len)
{
	__u64 address = entry_address(m, PTE, entry);

	return entry & PRESENT && !(entry & (PROTNONE | SPECIAL)) &&
	       address >= start && address - start < len;
}

/* Sections around that of @ref, whose frame's other bits count for all. */
static void check_within(const struct part *p, unsigned int before,
			 unsigned int after)
{
	const struct machine *m = &p->t->machine;
	__u64 section = entry_section(m, PTE, p->ref);
	__u64 first = section - (section < before ? section : before);
	__u64 start = first << PN_SECTION_SHIFT;
	__u64 len = (section + 1 + after - first) << PN_SECTION_SHIFT;
	__u64 others = FRAME_BITS & ~m->frame_bits;
	struct pn_span span = {
		.base = PRESENT | start | (p->ref & others), .len = len,
	};
	unsigned int i, nr;

	if (!(p->ref & PRESENT) || section >= m->nr_sections)
		return;
	nr = pn_within(p->entry, p->nr, &span, PN_PTE_ODD);
	REQUIRE(nr <= p->nr && nr % GROUP == 0);
	for (i = 0; i < nr; i++)
		REQUIRE(lies_within(m, p->seen[i], start, len));
	if (p->nr - nr < GROUP)
		return;
	for (i = nr; i < nr + GROUP && lies_within(m, p->seen[i], start, len) &&
	     !((p->seen[i] ^ p->ref) & others); i++)
		;
	REQUIRE(i < nr + GROUP);
}

static void check_mixed(const struct part *p, const struct pn_decoder *d,
			bool changing)
{
	const struct machine *m = &p->t->machine;
	__s32 *out = malloc(p->nr * sizeof(*out) + 1);
	unsigned int i, nr;

	REQUIRE(out);
	nr = pn_decode_mixed(d, p->entry, p->nr, out);
	REQUIRE(nr <= p->nr && nr % GROUP == 0);
	for (i = 0; i < nr; i++)
		if (out[i] != entry_status(m, p->seen[i]))
			wrong("entry %u of %u, %#llx: %d, not %d", i, p->nr,
			      p->seen[i], out[i], entry_status(m, p->seen[i]));
	if (p->nr - nr >= GROUP && !changing)
		REQUIRE(entries_need_care(m, p->entry + nr));
	free(out);
}

static void check_lookup(const struct part *p, const struct pn_decoder *d)
{
	int status = entry_status(&p->t->machine, p->ref);
	int got = pn_lookup_sparse(d, p->ref);

	if (status == ODD)
		status = PN_UNKNOWN;
	if (!(p->ref & PN_ENTRY_VALID))
		REQUIRE(got == -ENOENT);
	else if (!(p->ref & d->odd))
		REQUIRE(got == status && pn_lookup(d, p->ref) == status);
	else
		(void)pn_lookup(d, p->ref);	/* inside the table */
}

/* As nodemap.c makes it */
static struct pn_decoder decoder(const struct machine *m)
{
	__u64 reach = ((__u64)m->nr_sections << PN_SECTION_SHIFT) - 1;
	__u64 section = (1ULL << PN_SECTION_SHIFT) - 1;

	return (struct pn_decoder) {
		.status = m->node,
		.index_mask = m->nr_sections - 1,
		.odd = PN_PTE_ODD | (pn_arch_frame_bits() & ~reach),
		.same = PN_ENTRY_VALID | (pn_arch_frame_bits() & ~section),
	};
}

static void choose_part(struct input *in, const struct table *t,
			struct part *p)
{
	unsigned int from = take_below(in, t->nr);

	p->t = t;
	p->entry = t->entry + from;
	p->seen = live.seen + from;
	p->nr = t->nr - from - take_below(in, t->nr - from);
	p->ref = p->entry[take_below(in, p->nr)];
	live.entry = t->entry;
	live.every = take_below(in, 2) ? take(in, 1) : 0;
	live.change = take_below(in, 2) ? take64(in) :
					  1ULL << take_below(in, 64);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned int shifts[] = { 0, 27, 27, 28, 30, 34 };
	struct input in = { .byte = data, .left = size };
	struct pn_decoder d;
	struct table t;
	struct part p;

	make_table(&in, &t);
	physical_mask = t.machine.frame_bits | 0xfff;
	d = decoder(&t.machine);
	do {
		choose_part(&in, &t, &p);
		check_lookup(&p, &d);
		check_meaning(&p, TAKE_FROM(&in, shifts));
		check_same(&p, take64(&in));
		check_repeats(&p, take_below(&in, 2) ? d.same : take64(&in));
		check_within(&p, take_below(&in, 5), take_below(&in, 5));
		check_mixed(&p, &d, live.every);
	} while (in.left);
	free_table(&t);
	return 0;
}
