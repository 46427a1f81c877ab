/* SPDX-License-Identifier: GPL-2.0-only */
/* The nodes of this machine */
#ifndef PN_NODES_H
#define PN_NODES_H

#include <stddef.h>

/* The highest possible node id + 1 */
size_t nodes_possible(void);

/*
 * The nodes that have memory, in the order of their ids: how many there are, of
 * which up to @nr are written to @ids.
 */
size_t nodes_with_memory(int *ids, size_t nr);

#endif /* PN_NODES_H */
