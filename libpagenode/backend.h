/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * The inside of the library: a handle, and the two ways to get an answer.
 */
#ifndef PN_BACKEND_H
#define PN_BACKEND_H

#include <stdint.h>

#include "pagenode.h"

/* The library is built with hidden symbols. This makes one public. */
#define PN_EXPORT __attribute__((visibility("default")))

struct pn_backend {
	enum pagenode_backend id;
	/* @start is page-aligned, @nr_pages is not 0, @status is long enough. */
	int (*status)(const struct pagenode *pn, uintptr_t start,
		      size_t nr_pages, int *status);
};

struct pagenode {
	const struct pn_backend *backend;
	int fd;			/* the device, or -1 */
	size_t page_size;
};

extern const struct pn_backend pn_backend_device;
extern const struct pn_backend pn_backend_move_pages;

/* A descriptor of our device, checked, or -1 with errno. */
int pn_device_open(const char *path);

/* pagenode_open() with a device of one's choice, for the tests. */
struct pagenode *pn_open_at(const char *path, unsigned int flags);

#endif /* PN_BACKEND_H */
