/* SPDX-License-Identifier: GPL-2.0-only */
/* Extents of a process, from the module or without it */
#ifndef PN_SOURCE_H
#define PN_SOURCE_H

#include <stdbool.h>
#include <sys/types.h>

#include <pagenode.h>

#include "size.h"

/**
 * struct source - where extents come from
 * @pn: the library's handle
 * @by_size: it knows by which size pages are mapped
 * @pagemap: a descriptor to find the present pages by; else -1
 * @extents: room for them
 */
struct source {
	struct pagenode *pn;
	bool by_size;
	int pagemap;
	struct pagenode_extent *extents;
};

/* Something for each extent, in order of address; other than 0 ends it. */
typedef int (*extent_fn)(void *arg, const struct pagenode_extent *extent);

/**
 * source_open - get ready to ask about a process
 * @source: what to fill in
 * @pid: the process, or 0 for this one
 *
 * Return: 0, or -1 with an error of pagenode_open_pid()
 */
int source_open(struct source *source, pid_t pid);
/* Says why errno kept us from asking about the process, and ends the program. */
__attribute__((noreturn)) void source_refused(pid_t pid);

void source_close(struct source *source);

/* Is it the module that answers? */
bool source_is_fast(const struct source *source);

/* Return: 0, what @fn returned, or -1 with an error of pagenode_extents() */
int source_each(const struct source *source, const struct range *range,
		extent_fn fn, void *arg);

/*
 * The same for a range that lies in one mapping. move_pages(2) is then asked
 * about present pages only: a mapping may be sparse, and each page costs.
 */
int source_each_mapped(const struct source *source, const struct range *range,
		       extent_fn fn, void *arg);

#endif /* PN_SOURCE_H */
