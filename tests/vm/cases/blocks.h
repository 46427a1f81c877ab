/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory blocks, which the kernel can set offline and online. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "case.h"

unsigned long block_pages(void);
unsigned long highest_block(void);
bool block_on_node(unsigned long block, int node);
/* @state as in the block's file of that name; false with errno if refused. */
bool set_block(unsigned long block, const char *state);
/*
 * A block of node_b() that holds nothing that can't move, online. New pages of
 * its node go there first, for the node has no other memory that is movable.
 */
unsigned long movable_block(void);

#endif /* BLOCKS_H */
