/* SPDX-License-Identifier: GPL-2.0-only */
/* A query from its arguments to its last chunk */
#ifndef PN_QUERY_H
#define PN_QUERY_H

#include <linux/types.h>
#include <uapi/pagenode.h>

#include "walk.h"

/**
 * pn_query_check() - the rules that all ioctls with a query share
 * @q: the arguments
 * @flags: the PAGENODE_F_* bits that the ioctl has a use for
 *
 * Return: 0, -EINVAL, or -EOPNOTSUPP for a flag whose feature is off.
 */
int pn_query_check(const struct pagenode_query *q, u32 flags);

/* As pn_query_check(), for ioctls whose start and nr_pages are a range. */
int pn_query_check_range(const struct pagenode_query *q, u32 flags);

/**
 * typedef pn_deliver_t - where the runs of a chunk go
 * @q: the query; the function moves out_count and next on
 * @w: the walk, whose runs are the chunk
 *
 * Context: no lock held, may fault.
 *
 * Return: 0, or the error that ends the query.
 */
typedef int pn_deliver_t(struct pagenode_query *q, const struct pn_walk *w);

/**
 * pn_query_run() - walk a range chunk by chunk
 * @q: the arguments, checked by pn_query_check_range()
 * @deliver: called for each chunk in turn
 *
 * Return: 0, -EINVAL without an mm, -EINTR on a fatal signal, or what
 * @deliver returned.
 */
int pn_query_run(struct pagenode_query *q, pn_deliver_t *deliver);

#endif /* PN_QUERY_H */
