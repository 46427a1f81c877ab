/* SPDX-License-Identifier: GPL-2.0-only */
/* What the library's cases share: handles, and memory that is known. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <pagenode.h>

#include "query.h"

#define NR_KNOWN	64
#define NOBODY		65534

/* Handles about the process itself. Fail the case unless @backend answers. */
struct pagenode *must_open(unsigned int flags, enum pagenode_backend backend);
struct pagenode *open_the_device(void);
struct pagenode *open_move_pages(void);
/* Fails the case unless @pn, just opened, is none, and that with error @want. */
void want_no_handle(const char *what, const struct pagenode *pn, int want);

/*
 * Pages 0 to 15 on one node, 16 to 31 on the other, 32 to 47 untouched, and then
 * a hole. The statuses are what @backend has to say.
 */
char *known_pages(void);
void known_statuses(enum pagenode_backend backend, int *status);

/* Fails the case unless every question about those pages is answered so. */
void ask_about_known(const char *who, struct pagenode *pn, const char *p);
/* The same about any range of whole pages, whose statuses are @want. */
void ask_everything(const char *who, struct pagenode *pn, const char *start,
		    size_t nr_pages, const int *want);

void become_nobody(void);

#endif /* LIBRARY_H */
