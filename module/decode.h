/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page table entries to statuses, many at a time. Pure functions: the same text
 * runs in the module, in a unit test and in a native benchmark.
 *
 * An entry's node is a function of its page frame number. The bits of the entry
 * from the section size up select a section of physical memory, and a table
 * gives the section's node, so no struct page is touched.
 */
#ifndef PN_DECODE_H
#define PN_DECODE_H

#include <linux/types.h>

/* The includer gives READ_ONCE() and log2 of the section size in bytes. */
#if !defined(READ_ONCE) || !defined(PN_SECTION_SHIFT)
#error "decode.h needs READ_ONCE() and PN_SECTION_SHIFT"
#endif

/* How many entries are decoded together: those of one cache line. */
#define PN_GROUP	8

/* Set in every entry that the processor itself would use. */
#define PN_ENTRY_VALID	1ULL

/* The highest bit of an address, and how long a span may be. */
#define PN_ENTRY_FAR	0x0008000000000000ULL

/* A section whose pages must be asked one by one. Far below any status. */
#define PN_UNKNOWN	(-0x8000)

/**
 * struct pn_decoder - what turns an entry into a status
 * @status: a section's node or PN_UNKNOWN, by section number; index -1 holds
 *	the status of an entry without PN_ENTRY_VALID
 * @index_mask: the highest section number of @status, all bits set
 * @odd: entry bits that need more than the table: flags of unusual entries,
 *	and the frame bits that @index_mask does not reach
 * @same: entry bits that are all equal in a run: PN_ENTRY_VALID, and the frame
 *	bits that select a section
 */
struct pn_decoder {
	const __s16 *status;
	__u64 index_mask;
	__u64 odd;
	__u64 same;
};

/*
 * The tables are live: another CPU or the processor's own page walk may change
 * an entry at any time. Each is read once, and what was read is decided upon.
 */
static inline __u64 pn_load(const __u64 *entry)
{
	return READ_ONCE(*entry);
}

/*
 * The bits in which an entry differs from @ref, added to those of others. The
 * empty asm makes the compiler finish one entry before the next: left alone it
 * loads a whole group first and runs out of registers.
 */
static inline __u64 pn_differ(__u64 bits, const __u64 *entry, __u64 ref)
{
	bits |= pn_load(entry) ^ ref;
	__asm__("" : "+r"(bits));
	return bits;
}

static inline __u64 pn_differ_group(__u64 bits, const __u64 *e, __u64 ref)
{
	bits = pn_differ(bits, e, ref);
	bits = pn_differ(bits, e + 1, ref);
	bits = pn_differ(bits, e + 2, ref);
	bits = pn_differ(bits, e + 3, ref);
	bits = pn_differ(bits, e + 4, ref);
	bits = pn_differ(bits, e + 5, ref);
	bits = pn_differ(bits, e + 6, ref);
	return pn_differ(bits, e + 7, ref);
}

/**
 * pn_same() - the length of a run
 * @e: entries
 * @n: how many
 * @ref: an entry whose status is known
 * @mask: the bits that decide it
 *
 * Return: how many entries from @e on equal @ref in all bits of @mask.
 */
static inline unsigned int pn_same(const __u64 *e, unsigned int n, __u64 ref,
				   __u64 mask)
{
	const __u64 *p = e, *end = e + n;

	for (; end - p >= 4 * PN_GROUP; p += 4 * PN_GROUP) {
		__u64 bits = pn_differ_group(0, p, ref);

		bits = pn_differ_group(bits, p + PN_GROUP, ref);
		bits = pn_differ_group(bits, p + 2 * PN_GROUP, ref);
		bits = pn_differ_group(bits, p + 3 * PN_GROUP, ref);
		if (bits & mask)
			break;
	}
	for (; end - p >= PN_GROUP; p += PN_GROUP)
		if (pn_differ_group(0, p, ref) & mask)
			break;
	while (p < end && !((pn_load(p) ^ ref) & mask))
		p++;
	return p - e;
}

/**
 * pn_repeats() - how far groups of entries repeat
 * @e: entries
 * @n: how many
 * @ref: PN_GROUP entries whose statuses are known; not live
 * @mask: the bits that decide them
 *
 * Pages interleaved over two, four or eight nodes repeat, and so do every second
 * or fourth page.
 *
 * Return: how many entries from @e on, a multiple of PN_GROUP, equal those of
 * @ref group by group in all bits of @mask.
 */
static inline unsigned int pn_repeats(const __u64 *e, unsigned int n,
				      const __u64 *ref, __u64 mask)
{
	const __u64 *p = e, *end = e + n;

	for (; end - p >= PN_GROUP; p += PN_GROUP) {
		__u64 bits = pn_differ(0, p, ref[0]);

		bits = pn_differ(bits, p + 1, ref[1]);
		bits = pn_differ(bits, p + 2, ref[2]);
		bits = pn_differ(bits, p + 3, ref[3]);
		bits = pn_differ(bits, p + 4, ref[4]);
		bits = pn_differ(bits, p + 5, ref[5]);
		bits = pn_differ(bits, p + 6, ref[6]);
		bits = pn_differ(bits, p + 7, ref[7]);
		if (bits & mask)
			break;
	}
	return p - e;
}

/**
 * struct pn_span - entries whose frames lie in one stretch of memory
 * @base: PN_ENTRY_VALID, the address of the first frame, and those other bits of
 *	an address that all have
 * @len: its length in bytes, at most PN_ENTRY_FAR
 */
struct pn_span {
	__u64 base;
	__u64 len;
};

/* What the frames of entries are like, seen from the start of a span */
struct pn_place {
	__u64 offset;		/* the distances, their bits added */
	__u64 excess;		/* those by which they miss the end, likewise */
};

/*
 * Below the frame only PN_ENTRY_VALID is set in @base. So the difference shows
 * that bit of an entry without it, while one that has it borrows nothing from
 * its frame, and shows its other flags. Modulo 2^52 the difference is below the
 * length just for frames of the span: for any other the highest bit is set in
 * it, or in what it exceeds the length by.
 */
static inline void pn_put_place(struct pn_place *place, const __u64 *entry,
				const struct pn_span *span)
{
	__u64 offset = pn_load(entry) - span->base;

	place->offset |= offset;
	place->excess |= offset + (PN_ENTRY_FAR - span->len);
	__asm__("" : "+r"(place->offset), "+r"(place->excess));
}

/**
 * pn_within() - the length of a run of frames in any order
 * @e: entries
 * @n: how many
 * @span: where their frames lie
 * @odd: entry bits that are clear in all of them
 *
 * Return: how many entries from @e on, a multiple of PN_GROUP, have
 * PN_ENTRY_VALID, no bit of @odd, and a frame of @span.
 */
static inline unsigned int pn_within(const __u64 *e, unsigned int n,
				     const struct pn_span *span, __u64 odd)
{
	const __u64 *p = e, *end = e + n;

	for (; end - p >= PN_GROUP; p += PN_GROUP) {
		struct pn_place place = { .offset = 0, .excess = 0 };

		pn_put_place(&place, p, span);
		pn_put_place(&place, p + 1, span);
		pn_put_place(&place, p + 2, span);
		pn_put_place(&place, p + 3, span);
		pn_put_place(&place, p + 4, span);
		pn_put_place(&place, p + 5, span);
		pn_put_place(&place, p + 6, span);
		pn_put_place(&place, p + 7, span);
		if (place.offset & (PN_ENTRY_VALID | PN_ENTRY_FAR | odd) ||
		    place.excess & PN_ENTRY_FAR)
			break;
	}
	return p - e;
}

/*
 * Memory hotplug may change the table at any time. The empty asm makes the
 * compiler use what it has read, and not read again. A volatile access would do
 * that too, but costs two instructions for the address.
 */
static inline __s32 pn_table_load(const struct pn_decoder *d, long index)
{
	__s32 status = d->status[index];

	__asm__("" : "+r"(status));
	return status;
}

/*
 * The mask keeps the index inside the table even where the processor runs ahead
 * of the caller's check of @odd: the bits of an entry without PN_ENTRY_VALID
 * are a swap offset, which user space can choose.
 */
static inline __u64 pn_section(const struct pn_decoder *d, __u64 entry)
{
	return entry >> PN_SECTION_SHIFT & d->index_mask;
}

static inline __s32 pn_lookup(const struct pn_decoder *d, __u64 entry)
{
	return pn_table_load(d, pn_section(d, entry));
}

/* As pn_lookup(), but an entry without PN_ENTRY_VALID selects index -1. */
static inline __s32 pn_lookup_sparse(const struct pn_decoder *d, __u64 entry)
{
	__u64 absent = (entry & PN_ENTRY_VALID) - 1;

	return pn_table_load(d, pn_section(d, entry) | absent);
}

/* What the entries of a group have in common, and what their statuses add up to */
struct pn_seen {
	__u64 any;		/* set in at least one of them */
	__u64 all;		/* set in each of them */
	__s32 sum;
};

static inline __u64 pn_see(struct pn_seen *seen, const __u64 *entry)
{
	__u64 v = pn_load(entry);

	seen->any |= v;
	seen->all &= v;
	__asm__("" : "+r"(seen->any), "+r"(seen->all));
	return v;
}

enum pn_group {
	PN_GROUP_DONE,		/* decoded */
	PN_GROUP_SPARSE,	/* not decoded: some entries are absent */
	PN_GROUP_STOP,		/* not decoded: odd entries, or a run */
};

/*
 * No odd entry, no run, and no PN_UNKNOWN: one of those outweighs the statuses
 * of any other seven entries.
 */
static inline bool pn_is_mixed(const struct pn_decoder *d,
			       const struct pn_seen *seen)
{
	return !(seen->any & d->odd) && (seen->any ^ seen->all) & d->same &&
	       seen->sum > PN_UNKNOWN / 2;
}

static inline void pn_put_full(const struct pn_decoder *d,
			       struct pn_seen *seen, const __u64 *e, __s32 *out)
{
	*out = pn_lookup(d, pn_see(seen, e));
	seen->sum += *out;
}

static inline enum pn_group pn_decode_full(const struct pn_decoder *d,
					   const __u64 *e, __s32 *out)
{
	struct pn_seen seen = { .any = 0, .all = ~0ULL };

	pn_put_full(d, &seen, e, out);
	pn_put_full(d, &seen, e + 1, out + 1);
	pn_put_full(d, &seen, e + 2, out + 2);
	pn_put_full(d, &seen, e + 3, out + 3);
	pn_put_full(d, &seen, e + 4, out + 4);
	pn_put_full(d, &seen, e + 5, out + 5);
	pn_put_full(d, &seen, e + 6, out + 6);
	pn_put_full(d, &seen, e + 7, out + 7);
	if (!(seen.all & PN_ENTRY_VALID))
		return PN_GROUP_SPARSE;
	return pn_is_mixed(d, &seen) ? PN_GROUP_DONE : PN_GROUP_STOP;
}

static inline void pn_put_sparse(const struct pn_decoder *d,
				 struct pn_seen *seen, const __u64 *e,
				 __s32 *out)
{
	*out = pn_lookup_sparse(d, pn_see(seen, e));
	seen->sum += *out;
}

/* False if not decoded: odd entries, or a run. */
static inline bool pn_decode_sparse(const struct pn_decoder *d,
				    const __u64 *e, __s32 *out)
{
	struct pn_seen seen = { .any = 0, .all = ~0ULL };

	pn_put_sparse(d, &seen, e, out);
	pn_put_sparse(d, &seen, e + 1, out + 1);
	pn_put_sparse(d, &seen, e + 2, out + 2);
	pn_put_sparse(d, &seen, e + 3, out + 3);
	pn_put_sparse(d, &seen, e + 4, out + 4);
	pn_put_sparse(d, &seen, e + 5, out + 5);
	pn_put_sparse(d, &seen, e + 6, out + 6);
	pn_put_sparse(d, &seen, e + 7, out + 7);
	return pn_is_mixed(d, &seen);
}

/**
 * pn_decode_mixed() - statuses of entries that do not form runs
 * @decoder: the decoder
 * @e: entries
 * @n: how many, and the capacity of @out
 * @out: their statuses
 *
 * Stops before a group that holds an odd entry or a page of an unknown section,
 * and before one that a run would answer better.
 *
 * Return: how many were decoded, a multiple of PN_GROUP. What @out holds beyond
 * them is not meant for anyone.
 */
static inline unsigned int pn_decode_mixed(const struct pn_decoder *decoder,
					   const __u64 *e, unsigned int n,
					   __s32 *out)
{
	/* A copy that no store through @out can change stays in registers. */
	const struct pn_decoder d = *decoder;
	const __u64 *p = e, *end = e + n;
	enum pn_group group = PN_GROUP_DONE;

	for (; end - p >= PN_GROUP; p += PN_GROUP, out += PN_GROUP) {
		group = pn_decode_full(&d, p, out);
		if (group != PN_GROUP_DONE)
			break;
	}
	if (group == PN_GROUP_SPARSE)
		for (; end - p >= PN_GROUP; p += PN_GROUP, out += PN_GROUP)
			if (!pn_decode_sparse(&d, p, out))
				break;
	return p - e;
}

#endif /* PN_DECODE_H */
