/* SPDX-License-Identifier: GPL-2.0-only */
/* On which node do the pages of a memory section lie? */
#ifndef PN_SECTION_H
#define PN_SECTION_H

#include <linux/types.h>

/**
 * pn_section_status() - ask a section's own pages and the spans of the nodes
 * @section: its number
 *
 * Context: may sleep. Memory of the section does not go away meanwhile.
 *
 * Return: the node on which all its pages lie, or PN_UNKNOWN where there are
 * several, or where not all of the section is online memory.
 */
s16 pn_section_status(unsigned long section);

/* One beyond the last section that the span of a node reaches. */
unsigned long pn_section_end(void);

#endif /* PN_SECTION_H */
