/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one entry of an x86-64 page table means, in the plainest words: those of
 * the processor's manual (volume 3, 4.5) and of the kernel's descriptions of
 * pte_present(), pmd_present(), pte_special(), pte_pfn() and of swap entries.
 * Nothing here is taken from module/decode.h.
 */
#ifndef PN_ENTRY_H
#define PN_ENTRY_H

#include <errno.h>
#include <linux/types.h>
#include <stdbool.h>

/* Bits of the processor, and bits that it leaves to the kernel */
#define PRESENT		(1ULL << 0)
#define WRITABLE	(1ULL << 1)
#define ACCESSED	(1ULL << 5)
#define DIRTY		(1ULL << 6)
#define LEAF		(1ULL << 7)	/* in the levels above the last */
#define PROTNONE	(1ULL << 8)	/* without PRESENT */
#define SPECIAL		(1ULL << 9)
#define NX		(1ULL << 63)
#define FRAME_BITS	0x000ffffffffff000ULL

#define SECTION_BITS	27
#define GROUP		8

/* Neither a node nor an error: it takes more than the entry and the table. */
#define ODD		1000000
/* In the table: each page of the section has to be asked. */
#define ASK_PAGES	(-0x8000)

enum level { PTE, PMD, PUD };

/**
 * struct machine - what entries lead to
 * @node: of each section of memory, or ASK_PAGES; -ENOENT at index -1
 * @nr_sections: how many there are, a power of two
 * @frame_bits: the bits of an entry that hold the address of its memory
 */
struct machine {
	const __s16 *node;
	unsigned int nr_sections;
	__u64 frame_bits;
};

/* The kernel takes more for present than the processor does. */
static inline bool entry_present(enum level level, __u64 entry)
{
	if (entry & PRESENT)
		return true;
	if (level == PUD)
		return false;
	if (entry & PROTNONE)
		return true;
	return level == PMD && entry & LEAF;
}

static inline bool entry_leaf(enum level level, __u64 entry)
{
	return level == PTE || entry & LEAF;
}

/* Where the memory lies. Without PRESENT the kernel keeps it inverted. */
static inline __u64 entry_address(const struct machine *m, enum level level,
				  __u64 entry)
{
	static const unsigned int shift[] = { [PTE] = 12, [PMD] = 21, [PUD] = 30 };
	__u64 address = (entry & PRESENT) ? entry : ~entry;

	return (address & m->frame_bits) >> shift[level] << shift[level];
}

static inline __u64 entry_section(const struct machine *m, enum level level,
				  __u64 entry)
{
	return entry_address(m, level, entry) >> SECTION_BITS;
}

/* What a section says of an entry in the last level. */
static inline int entry_status(const struct machine *m, __u64 entry)
{
	__u64 section = entry_section(m, PTE, entry);

	if (!entry_present(PTE, entry))
		return -ENOENT;
	if (entry & SPECIAL || !(entry & PRESENT))
		return ODD;
	if (section >= m->nr_sections || m->node[section] == ASK_PAGES)
		return ODD;
	return m->node[section];
}

/* Eight entries that are all absent, or all pages of one section */
static inline bool entries_are_run(const struct machine *m, const __u64 *e)
{
	bool absent = true, together = true;
	unsigned int i;

	for (i = 0; i < GROUP; i++) {
		absent = absent && !(e[i] & PRESENT);
		together = together && e[i] & PRESENT &&
			   (e[i] & m->frame_bits) >> SECTION_BITS ==
			   (e[0] & m->frame_bits) >> SECTION_BITS;
	}
	return absent || together;
}

/*
 * May eight entries be left to somebody who looks at each? Of an absent one the
 * bits may be anything.
 */
static inline bool entries_need_care(const struct machine *m, const __u64 *e)
{
	__u64 reach = (__u64)m->nr_sections << SECTION_BITS;
	unsigned int i;

	for (i = 0; i < GROUP; i++)
		if (entry_status(m, e[i]) == ODD ||
		    e[i] & (SPECIAL | PROTNONE) ||
		    (e[i] & m->frame_bits) >= reach)
			return true;
	return entries_are_run(m, e);
}

#endif /* PN_ENTRY_H */
