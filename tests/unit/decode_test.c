// SPDX-License-Identifier: GPL-2.0-only
/* module/decode.h against the plainest reading of one entry at a time. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define PN_SECTION_SHIFT 27

#include "module/decode.h"
#include "tests/unit/entry.h"
#include "tests/unit/random.h"
#include "tests/unit/test.h"

#define FLAGS		(PRESENT | PROTNONE | SPECIAL)

#define SECTIONS	64ULL
#define ENTRIES		512

/* On the heap and of the exact size, for the sanitizer to watch its ends. */
static __s16 *table_make(void)
{
	__s16 *table = malloc((1 + SECTIONS) * sizeof(*table));
	unsigned int i;

	if (!table)
		FAIL("no memory");
	table[0] = -ENOENT;
	for (i = 0; i < SECTIONS; i++)
		table[1 + i] = i % 4;
	return table;
}

static struct pn_decoder decoder(const __s16 *table)
{
	return (struct pn_decoder) {
		.status = table + 1,
		.index_mask = SECTIONS - 1,
		.odd = PROTNONE | SPECIAL |
		       (FRAME_BITS & ~((SECTIONS << 27) - 1)),
		.same = PRESENT | (FRAME_BITS & ~((1ULL << 27) - 1)),
	};
}

/* A page somewhere in the section, with flags that mean nothing here */
static __u64 page(unsigned int section)
{
	__u64 noise = random64();

	return PRESENT | (__u64)section << 27 | (noise & 0x7fff000) |
	       (noise & (NX | 0x6e));
}

static struct machine machine(const __s16 *table)
{
	return (struct machine) {
		.node = table + 1,
		.nr_sections = SECTIONS,
		.frame_bits = FRAME_BITS,
	};
}

static unsigned int check_mixed(const __s16 *table, const __u64 *e,
				unsigned int n)
{
	struct pn_decoder d = decoder(table);
	struct machine m = machine(table);
	__s32 *out = malloc(n * sizeof(*out) + 1);
	unsigned int i, done;

	if (!out)
		FAIL("no memory");
	done = pn_decode_mixed(&d, e, n, out);
	CHECK(done <= n);
	CHECK_EQ(done % PN_GROUP, 0);
	for (i = 0; i < done; i++)
		if (out[i] != entry_status(&m, e[i]))
			FAIL("entry %u, %#llx: %d, not %d", i, e[i], out[i],
			     entry_status(&m, e[i]));
	if (n - done >= PN_GROUP && !entries_need_care(&m, e + done))
		FAIL("stopped at %u of %u for no reason", done, n);
	free(out);
	return done;
}

/* What lies beyond the entries would go on with them. */
static void same_ends_where_a_bit_differs(void)
{
	__u64 mask = FLAGS | (FRAME_BITS & ~((1ULL << 27) - 1));
	__u64 e[70 + 4 * PN_GROUP];
	unsigned int n, at, bit;

	for (n = 0; n <= 70; n++) {
		for (at = 0; at < ARRAY_SIZE(e); at++)
			e[at] = page(5);
		CHECK_EQ(pn_same(e, n, page(5), mask), n);
		for (at = 0; at < n; at++) {
			bit = random64() % 64;
			e[at] ^= 1ULL << bit;
			CHECK_EQ(pn_same(e, n, page(5), mask),
				 (mask & 1ULL << bit) ? at : n);
			e[at] ^= 1ULL << bit;
		}
	}
}

static void same_sees_each_bit_of_the_mask(void)
{
	__u64 e[16];
	unsigned int bit, at;

	for (bit = 0; bit < 64; bit++) {
		for (at = 0; at < 16; at++) {
			memset(e, 0, sizeof(e));
			e[at] = 1ULL << bit;
			CHECK_EQ(pn_same(e, 16, 0, ~0ULL), at);
			CHECK_EQ(pn_same(e, 16, 0, ~e[at]), 16);
			memset(e, 0xff, sizeof(e));
			e[at] ^= 1ULL << bit;
			CHECK_EQ(pn_same(e, 16, ~0ULL, ~0ULL), at);
		}
	}
}

/* In each place of each group, each bit in turn */
static void repeats_end_where_a_bit_differs(void)
{
	__u64 mask = FLAGS | (FRAME_BITS & ~((1ULL << 27) - 1));
	__u64 ref[PN_GROUP], e[5 * PN_GROUP];
	unsigned int n, at, bit;

	for (at = 0; at < PN_GROUP; at++)
		ref[at] = at % 3 ? page(at) : 0;
	for (at = 0; at < 5 * PN_GROUP; at++)
		e[at] = ref[at % PN_GROUP];
	for (n = 0; n <= 5 * PN_GROUP; n++)
		CHECK_EQ(pn_repeats(e, n, ref, mask), n / PN_GROUP * PN_GROUP);
	for (at = 0; at < 5 * PN_GROUP; at++) {
		for (bit = 0; bit < 64; bit++) {
			e[at] ^= 1ULL << bit;
			CHECK_EQ(pn_repeats(e, 5 * PN_GROUP, ref, mask),
				 (mask & 1ULL << bit) ? at / PN_GROUP * PN_GROUP :
							5 * PN_GROUP);
			e[at] ^= 1ULL << bit;
		}
	}
}

/* Memory of 3 sections from the second on, so not aligned to its size */
static const struct pn_span span = { .base = PRESENT | 1 << 27, .len = 3 << 27 };

static __u64 page_of_span(void)
{
	return page(1 + random64() % 3);
}

static bool is_within(__u64 entry)
{
	return entry & PRESENT && !(entry & (PROTNONE | SPECIAL)) &&
	       (entry & FRAME_BITS) >= 1 << 27 && (entry & FRAME_BITS) < 4 << 27;
}

/* In each place of each group, each bit in turn */
static void within_ends_where_a_bit_leads_out(void)
{
	__u64 e[5 * PN_GROUP];
	unsigned int n, at, bit;

	for (at = 0; at < 5 * PN_GROUP; at++)
		e[at] = page_of_span();
	for (n = 0; n <= 5 * PN_GROUP; n++)
		CHECK_EQ(pn_within(e, n, &span, PROTNONE | SPECIAL),
			 n / PN_GROUP * PN_GROUP);
	for (at = 0; at < 5 * PN_GROUP; at++) {
		for (bit = 0; bit < 64; bit++) {
			e[at] ^= 1ULL << bit;
			CHECK_EQ(pn_within(e, 5 * PN_GROUP, &span,
					   PROTNONE | SPECIAL),
				 is_within(e[at]) ? 5 * PN_GROUP :
						    at / PN_GROUP * PN_GROUP);
			e[at] ^= 1ULL << bit;
		}
	}
}

/* Alone among the best, at each end of the span and of all frames */
static void within_knows_its_ends(void)
{
	static const __u64 frames[] = {
		0, 1 << 12, (1 << 27) - (1 << 12), 1 << 27, (1 << 27) + (1 << 12),
		(4 << 27) - (1 << 12), 4 << 27, (4 << 27) + (1 << 12),
		1ULL << 50, FRAME_BITS,
	};
	__u64 e[PN_GROUP];
	unsigned int i, at;

	for (i = 0; i < 1000; i++) {
		for (at = 0; at < PN_GROUP; at++)
			e[at] = page_of_span();
		at = random64() % PN_GROUP;
		e[at] = (page(0) & ~FRAME_BITS) | frames[i % ARRAY_SIZE(frames)];
		CHECK_EQ(pn_within(e, PN_GROUP, &span, PROTNONE | SPECIAL),
			 is_within(e[at]) ? PN_GROUP : 0);
	}
}

static void mixed_page_by_page(void)
{
	__s16 *table = table_make();
	__u64 e[ENTRIES];
	unsigned int i, n;

	for (i = 0; i < ENTRIES; i++)
		e[i] = page(i % 2 ? 3 : 40);
	for (n = 0; n <= ENTRIES; n++)
		CHECK_EQ(check_mixed(table, e, n), n / PN_GROUP * PN_GROUP);
	free(table);
}

static void mixed_every_second_absent(void)
{
	__s16 *table = table_make();
	__u64 e[ENTRIES];
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		e[i] = i % 2 ? page(3) : 0;
	CHECK_EQ(check_mixed(table, e, ENTRIES), ENTRIES);
	free(table);
}

static void mixed_node_ids_of_256_and_more(void)
{
	__s16 *table = table_make();
	__u64 e[ENTRIES];
	unsigned int i;

	for (i = 0; i < SECTIONS; i++)
		table[1 + i] = 1023 - i;
	for (i = 0; i < ENTRIES; i++)
		e[i] = i % 5 ? page(i % SECTIONS) : 0;
	CHECK_EQ(check_mixed(table, e, ENTRIES), ENTRIES);
	table[1 + 7] = 256;
	for (i = 0; i < ENTRIES; i++)
		e[i] = page(i % 2 ? 7 : 8);
	CHECK_EQ(check_mixed(table, e, ENTRIES), ENTRIES);
	free(table);
}

/* At each place of a group, among pages of the highest possible node ids */
static void mixed_stops_before(__u64 entry)
{
	__s16 *table = table_make();
	__u64 e[4 * PN_GROUP];
	unsigned int i, at;

	for (i = 0; i < SECTIONS; i++)
		table[1 + i] = 1023 - i % 2;
	table[1 + 9] = PN_UNKNOWN;
	for (at = 0; at < PN_GROUP; at++) {
		for (i = 0; i < 4 * PN_GROUP; i++)
			e[i] = page(i % 2);
		e[2 * PN_GROUP + at] = entry;
		CHECK_EQ(check_mixed(table, e, 4 * PN_GROUP), 2 * PN_GROUP);
		e[0] = 0;
		CHECK_EQ(check_mixed(table, e, 4 * PN_GROUP), 2 * PN_GROUP);
	}
	free(table);
}

static void mixed_stops_before_special(void)
{
	mixed_stops_before(page(3) | SPECIAL);
}

static void mixed_stops_before_prot_none(void)
{
	mixed_stops_before((~page(3) & FRAME_BITS) | PROTNONE);
}

static void mixed_stops_before_unknown_section(void)
{
	mixed_stops_before(page(9));
}

static void mixed_stops_beyond_the_table(void)
{
	mixed_stops_before(page(SECTIONS));
	mixed_stops_before(page(0) | 1ULL << 51);
}

static void mixed_stops_before_runs(void)
{
	__s16 *table = table_make();
	__u64 e[3 * PN_GROUP];
	unsigned int i;

	for (i = 0; i < 3 * PN_GROUP; i++)
		e[i] = page(i < PN_GROUP ? i : 2);
	CHECK_EQ(check_mixed(table, e, 3 * PN_GROUP), PN_GROUP);
	e[0] = 0;
	CHECK_EQ(check_mixed(table, e, 3 * PN_GROUP), PN_GROUP);
	for (i = PN_GROUP; i < 3 * PN_GROUP; i++)
		e[i] = 0;
	CHECK_EQ(check_mixed(table, e, 3 * PN_GROUP), PN_GROUP);
	free(table);
}

/* A swap offset is the user's to choose: no index may leave the table. */
static void mixed_any_bits_at_all(void)
{
	__s16 *table = table_make();
	struct pn_decoder d = decoder(table);
	__s32 out[PN_GROUP];
	__u64 e[PN_GROUP];
	unsigned int round, i;

	for (round = 0; round < 100000; round++) {
		for (i = 0; i < PN_GROUP; i++)
			e[i] = random64();
		pn_decode_full(&d, e, out);
		pn_decode_sparse(&d, e, out);
	}
	free(table);
}

static __u64 random_entry(void)
{
	switch (random64() % 64) {
	case 0:
		return random64();
	case 1:
		return page(random64() % SECTIONS) | SPECIAL;
	case 2:
		return random64() & ~FLAGS;
	case 3:
		/* A swap entry that looks like a page */
		return page(random64() % SECTIONS) & ~PRESENT;
	case 4 ... 15:
		return 0;
	default:
		return page(random64() % SECTIONS);
	}
}

static void mixed_random_tables(void)
{
	__s16 *table = table_make();
	__u64 e[ENTRIES];
	unsigned int round, i;

	table[1 + 11] = PN_UNKNOWN;
	for (round = 0; round < 2000; round++) {
		for (i = 0; i < ENTRIES; i++)
			e[i] = random_entry();
		for (i = 0; i < ENTRIES;)
			i += check_mixed(table, e + i, ENTRIES - i) + 1;
	}
	free(table);
}

static const struct test tests[] = {
	TEST(same_ends_where_a_bit_differs),
	TEST(same_sees_each_bit_of_the_mask),
	TEST(repeats_end_where_a_bit_differs),
	TEST(within_ends_where_a_bit_leads_out),
	TEST(within_knows_its_ends),
	TEST(mixed_page_by_page),
	TEST(mixed_every_second_absent),
	TEST(mixed_node_ids_of_256_and_more),
	TEST(mixed_stops_before_special),
	TEST(mixed_stops_before_prot_none),
	TEST(mixed_stops_before_unknown_section),
	TEST(mixed_stops_beyond_the_table),
	TEST(mixed_stops_before_runs),
	TEST(mixed_any_bits_at_all),
	TEST(mixed_random_tables),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
