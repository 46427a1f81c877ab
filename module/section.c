// SPDX-License-Identifier: GPL-2.0-only
/* On which node do the pages of a memory section lie? */
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "arch.h"
#include "compat.h"
#include "decode.h"
#include "section.h"

static bool pn_section_all_online(unsigned long start_pfn)
{
	unsigned long pfn, end_pfn = start_pfn + PAGES_PER_SECTION;

	for (pfn = start_pfn; pfn < end_pfn; pfn += PAGES_PER_SUBSECTION)
		if (!pn_pfn_to_online_page(pfn))
			return false;
	return true;
}

/* The one node whose span the section touches, or NUMA_NO_NODE. */
static int pn_section_only_node(unsigned long start_pfn)
{
	unsigned long end_pfn = start_pfn + PAGES_PER_SECTION;
	int nid, only = NUMA_NO_NODE;

	for_each_online_node(nid) {
		if (node_start_pfn(nid) >= end_pfn ||
		    node_end_pfn(nid) <= start_pfn)
			continue;
		if (only != NUMA_NO_NODE)
			return NUMA_NO_NODE;
		only = nid;
	}
	return only;
}

/* Spans of several nodes overlap here: only the pages themselves can tell. */
static s16 pn_section_scan(unsigned long start_pfn)
{
	int first = page_to_nid(pfn_to_page(start_pfn));
	unsigned long i;

	for (i = 1; i < PAGES_PER_SECTION; i++) {
		if (page_to_nid(pfn_to_page(start_pfn + i)) != first)
			return PN_UNKNOWN;
		if (!(i % MAX_ORDER_NR_PAGES))
			cond_resched();
	}
	return first;
}

/*
 * When the module loads, spans may be changing: the lock of memory hotplug is
 * not for modules. So the first page must agree with what the spans say.
 */
s16 pn_section_status(unsigned long section)
{
	unsigned long start_pfn = section_nr_to_pfn(section);
	int nid;

	if (!pn_section_all_online(start_pfn))
		return PN_UNKNOWN;
	nid = pn_section_only_node(start_pfn);
	if (nid != page_to_nid(pfn_to_page(start_pfn)))
		return pn_section_scan(start_pfn);
	return nid;
}

unsigned long pn_section_end(void)
{
	unsigned long end = 1;
	int nid;

	for_each_online_node(nid)
		end = max(end, pfn_to_section_nr(node_end_pfn(nid)) + 1);
	return end;
}
