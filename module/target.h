/* SPDX-License-Identifier: GPL-2.0-only */
/* Queries about another process */
#ifndef PN_TARGET_H
#define PN_TARGET_H

#include <linux/types.h>

#include "query.h"

/**
 * pn_target_init() - learn to know a /proc/PID/pagemap
 *
 * Nothing is held and nothing can fail: where it can't be learnt, the feature is
 * off. Never later than at module load, and never again: what a caller of the
 * device sees under /proc is what the caller mounted there.
 */
void pn_target_init(void);

/* Can other processes be asked about? */
bool pn_target_known(void);

/**
 * pn_target_query() - make a query about the process of a descriptor
 * @q: the arguments, with PAGENODE_F_MM_FD
 * @query: what to ask
 *
 * Return: what @query returns; -EOPNOTSUPP where the feature is off; -EBADF or
 * -EINVAL for a descriptor that is none, or of something else; -ESRCH where the
 * process has left the memory that it had when the file was opened.
 */
int pn_target_query(struct pagenode_query *q, pn_query_fn *query);

#endif /* PN_TARGET_H */
