/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * The inside of libpagenode-preload.so.
 */
#ifndef PN_PRELOAD_H
#define PN_PRELOAD_H

#include <stddef.h>

struct pagenode;

/* 0, or -1 if any address has no answer; then @status holds part of them. */
int pn_list_answer(struct pagenode *pn, void *const *pages, size_t count,
		   int *status);

#endif /* PN_PRELOAD_H */
