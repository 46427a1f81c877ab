// SPDX-License-Identifier: GPL-2.0-only
/*
 * module/decode.h on this machine, without a kernel: the entries of 16 GiB of
 * 4K pages, against loops that do less and against touching a struct page each.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tools/measure.h"
#include "report.h"

/* From here on as in the kernel: without vector registers. */
#pragma GCC push_options
#pragma GCC target("general-regs-only")

#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define PN_SECTION_SHIFT	27
#include "../../module/decode.h"

/* As module/arch_x86.h has them */
#define PAGE_SHIFT	12
#define PRESENT		(1ULL | PROTNONE)
#define PROTNONE	(1ULL << 8)
#define SPECIAL		(1ULL << 9)
#define FRAME_BITS	(((1ULL << 52) - 1) & ~0xfffULL)
#define FLAGS		0x67ULL		/* present, writable, user, … */

/* Nodes of 64 GiB, each an aligned block; the last one is of smaller blocks. */
#define NODE_SHIFT	36
#define BLOCK_SHIFT	33
#define NR_NODES	4
#define NODE_FRAMES	(1ULL << (NODE_SHIFT - PAGE_SHIFT))
#define NR_SECTIONS	((unsigned long)NR_NODES << (NODE_SHIFT - PN_SECTION_SHIFT))

#define NR_PAGES	(4UL << 20)
#define TABLE_ENTRIES	512

struct frame { uint64_t flags[8]; };	/* stands for a struct page */

static int16_t section_table[1 + NR_SECTIONS];
static struct pn_decoder decoder;

/* Page tables of one pattern, and what was made of them */
struct tables {
	const char *name;
	uint64_t (*entry)(size_t i);
	uint64_t *entries;
	int32_t *status;
};

static struct frame *frames;
static uint64_t *copy;
static volatile uint64_t sink;

/* What pn_pte_status() of module/walk.c says of ordinary entries. */
static int32_t entry_status(uint64_t entry, uint64_t *same)
{
	unsigned int shift = entry >> NODE_SHIFT == NR_NODES - 1 ? BLOCK_SHIFT :
								   NODE_SHIFT;

	if (!(entry & PRESENT)) {
		*same = PRESENT;
		return -ENOENT;
	}
	*same = PRESENT | SPECIAL | (FRAME_BITS & ~((1ULL << shift) - 1));
	return READ_ONCE(decoder.status[entry >> PN_SECTION_SHIFT &
					decoder.index_mask]);
}

/* As in module/status.c: two a store */
static void fill(int32_t *out, unsigned int nr, int32_t status)
{
	uint64_t pair = (uint32_t)status * 0x100000001ULL;

	for (; nr >= 8; nr -= 8, out += 8) {
		memcpy(out, &pair, sizeof(pair));
		memcpy(out + 2, &pair, sizeof(pair));
		memcpy(out + 4, &pair, sizeof(pair));
		memcpy(out + 6, &pair, sizeof(pair));
	}
	while (nr--)
		*out++ = status;
}

static __attribute__((noinline)) unsigned int
same_entries(const uint64_t *entry, unsigned int n, uint64_t ref, uint64_t same)
{
	return pn_same((const __u64 *)entry, n, ref, same);
}

/* As pn_walk_within() of module/walk.c */
static __attribute__((noinline)) unsigned int
entries_within(const uint64_t *entry, unsigned int n, uint64_t ref)
{
	uint64_t nid = ref >> NODE_SHIFT;
	struct pn_span span = {
		.base = nid << NODE_SHIFT | PN_ENTRY_VALID,
		.len = 1ULL << NODE_SHIFT,
	};

	return pn_within((const __u64 *)entry, n, &span, PROTNONE | SPECIAL);
}

static __attribute__((noinline)) unsigned int
mixed_entries(const uint64_t *entry, unsigned int n, int32_t *out)
{
	return pn_decode_mixed(&decoder, (const __u64 *)entry, n, out);
}

/* As in module/status.c: a pattern over and over */
static void fill_repeated(int32_t *out, unsigned int nr, const int32_t *status)
{
	uint64_t pair[PN_GROUP / 2];

	memcpy(pair, status, sizeof(pair));
	for (; nr; nr -= PN_GROUP, out += PN_GROUP) {
		memcpy(out, pair, 8);
		memcpy(out + 2, pair + 1, 8);
		memcpy(out + 4, pair + 2, 8);
		memcpy(out + 6, pair + 3, 8);
	}
}

/* As pn_walk_repeated() of module/walk.c */
static __attribute__((noinline)) unsigned int
repeated_entries(const uint64_t *entry, unsigned int n, int32_t *out)
{
	__u64 ref[PN_GROUP];
	unsigned int i, done;

	if (n < 2 * PN_GROUP)
		return 0;
	for (i = 0; i < PN_GROUP; i++)
		ref[i] = pn_load((const __u64 *)entry + i);
	if (!pn_decode_mixed(&decoder, ref, PN_GROUP, out))
		return 0;
	done = pn_repeats((const __u64 *)entry + PN_GROUP, n - PN_GROUP, ref,
			  PRESENT | SPECIAL |
			  (FRAME_BITS & ~((1ULL << PN_SECTION_SHIFT) - 1)));
	fill_repeated(out + PN_GROUP, done, out);
	return done ? PN_GROUP + done : 0;
}

/* As pn_add_ptes() of module/walk.c, which says how it works */
static unsigned int decode_some(const uint64_t *entry, unsigned int n,
				int32_t *out)
{
	uint64_t ref = pn_load((const __u64 *)entry), same;
	int32_t status = entry_status(ref, &same);
	unsigned int run = same_entries(entry, n, ref, same), done;

	if (run < PN_GROUP && n >= PN_GROUP && ref & PN_ENTRY_VALID) {
		done = entries_within(entry, n, ref);
		run = done > run ? done : run;
	}
	if (run >= PN_GROUP || run == n) {
		fill(out, run, status);
		return run;
	}
	done = repeated_entries(entry, n, out);
	if (!done)
		done = mixed_entries(entry, n, out);
	for (; done < run; done++)
		out[done] = status;
	return done;
}

static void decode(void *arg)
{
	const struct tables *t = arg;
	size_t i, end;

	for (i = 0; i < NR_PAGES;)
		for (end = i + TABLE_ENTRIES; i < end;)
			i += decode_some(t->entries + i, end - i, t->status + i);
}

static void plain_loop(void *arg)
{
	const struct tables *t = arg;
	size_t i;

	for (i = 0; i < NR_PAGES; i++)
		t->status[i] = t->entries[i] >> PN_SECTION_SHIFT;
}

/* In the order of the entries: that of the frames, or at random */
static void touch_frames(void *arg)
{
	const struct tables *t = arg;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < NR_PAGES; i++)
		sum += frames[(t->entries[i] & FRAME_BITS) >> PAGE_SHIFT].flags[0];
	sink = sum;
}

#pragma GCC pop_options

static void copy_entries(void *arg)
{
	const struct tables *t = arg;

	memcpy(copy, t->entries, NR_PAGES * sizeof(*copy));
}

static uint64_t make_entry(uint64_t frame)
{
	return frame << PAGE_SHIFT | FLAGS;
}

static uint64_t consecutive(size_t i)
{
	return make_entry(i);
}

/* Each frame once: an odd factor permutes the numbers below a power of two. */
static uint64_t random_frames(size_t i)
{
	uint64_t x = i;

	x = (x * 0x9e3779b1ULL + 12345) % NR_PAGES;
	x ^= x >> 11;
	x = x * 0x85ebca6bULL % NR_PAGES;
	x ^= x >> 13;
	return make_entry(x);
}

static uint64_t random_blocks(size_t i)
{
	return random_frames(i) + ((NR_NODES - 1ULL) << NODE_SHIFT);
}

static uint64_t interleaved(size_t i)
{
	return make_entry(i / 2 + i % 2 * NODE_FRAMES);
}

static uint64_t every_second(size_t i)
{
	return i % 2 ? 0 : make_entry(i / 2);
}

static struct tables tables[] = {
	{ "4K, consecutive", consecutive, NULL, NULL },
	{ "4K, random frames", random_frames, NULL, NULL },
	{ "4K, random blocks", random_blocks, NULL, NULL },
	{ "4K, interleaved", interleaved, NULL, NULL },
	{ "4K, every second", every_second, NULL, NULL },
};

enum { CONSECUTIVE, RANDOM, BLOCKS, INTERLEAVED, EVERY_SECOND };

static const struct row {
	const char *against;
	void (*theirs)(void *arg);
	int about;
	int their_about;
	struct rule rule;
} rows[] = {
	{ "plain loop", plain_loop, CONSECUTIVE, CONSECUTIVE, WITHIN(1.5) },
	{ "plain loop", plain_loop, RANDOM, RANDOM, WITHIN(1.5) },
	{ "plain loop", plain_loop, INTERLEAVED, INTERLEAVED, NO_RULE },
	{ "plain loop", plain_loop, EVERY_SECOND, EVERY_SECOND, NO_RULE },
	{ "4K, consecut.", decode, RANDOM, CONSECUTIVE, WITHIN(2) },
	{ "4K, consecut.", decode, BLOCKS, CONSECUTIVE, WITHIN(2) },
	{ "4K, consecut.", decode, INTERLEAVED, CONSECUTIVE, WITHIN(2) },
	{ "4K, consecut.", decode, EVERY_SECOND, CONSECUTIVE, WITHIN(2) },
	{ "memcpy", copy_entries, CONSECUTIVE, CONSECUTIVE, NO_RULE },
	{ "struct page", touch_frames, CONSECUTIVE, CONSECUTIVE, NO_RULE },
	{ "struct page", touch_frames, RANDOM, RANDOM, NO_RULE },
};

static void *populated(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		perror("decode: mmap");
		exit(1);
	}
	/* The kernel maps both its page tables and its struct pages so. */
	madvise(p, size, MADV_HUGEPAGE);
	return memset(p, 1, size);
}

static void make_decoder(void)
{
	uint64_t reach = ((uint64_t)NR_SECTIONS << PN_SECTION_SHIFT) - 1;
	size_t i;

	section_table[0] = -ENOENT;
	for (i = 0; i < NR_SECTIONS; i++)
		section_table[1 + i] = i / (NR_SECTIONS / NR_NODES);
	decoder = (struct pn_decoder) {
		.status = section_table + 1,
		.index_mask = NR_SECTIONS - 1,
		.odd = PROTNONE | SPECIAL | (FRAME_BITS & ~reach),
		.same = PN_ENTRY_VALID |
			(FRAME_BITS & ~((1ULL << PN_SECTION_SHIFT) - 1)),
	};
}

static void make_tables(struct tables *t)
{
	size_t i;

	t->entries = populated(NR_PAGES * sizeof(*t->entries));
	t->status = populated(NR_PAGES * sizeof(*t->status));
	for (i = 0; i < NR_PAGES; i++)
		t->entries[i] = t->entry(i);
}

static bool right(struct tables *t)
{
	size_t i;

	memset(t->status, 1, NR_PAGES * sizeof(*t->status));
	decode(t);
	for (i = 0; i < NR_PAGES; i++) {
		uint64_t entry = t->entry(i);
		int32_t status = entry ? (int)(entry >> NODE_SHIFT) : -ENOENT;

		if (t->status[i] != status)
			return false;
	}
	return true;
}

static void report_row(struct report *report, const struct row *row)
{
	struct tables *about = tables + row->about;
	struct call ours = { decode, about, 0 };
	struct call theirs = { row->theirs, tables + row->their_about, 0 };
	struct figure figure = {
		.question = "decode",
		.subject = about->name,
		.against = row->against,
		.rule = row->rule,
		.wrong = !right(about),
	};

	measure(&ours, &theirs);
	figure.ours = ours.ns / NR_PAGES;
	figure.theirs = theirs.ns / NR_PAGES;
	figure.ratio = theirs.ns / ours.ns;
	report_figure(report, &figure);
}

int main(int argc, char **argv)
{
	struct report report = {
		.name = "decode",
		.kernel = "no kernel",
		.machine = "native",
		.cpu = "an unknown CPU",
		.unit = "ns a page",
		.method = "Nanoseconds a page, the shortest of many passes over 16 GiB",
	};
	size_t i;

	for (i = 1; i < (size_t)argc; i++) {
		if (!strcmp(argv[i], "--json"))
			report.format = REPORT_JSON;
		else
			report.cpu = argv[i];
	}
	make_decoder();
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		make_tables(tables + i);
	frames = populated(NR_PAGES * sizeof(*frames));
	copy = populated(NR_PAGES * sizeof(*copy));
	report_begin(&report);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		report_row(&report, rows + i);
	return report_end(&report);
}
