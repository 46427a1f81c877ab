/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * The inside of the library: a handle, and the two ways to get an answer.
 */
#ifndef PN_BACKEND_H
#define PN_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "pagenode.h"

/* The library is built with hidden symbols. This makes one public. */
#define PN_EXPORT __attribute__((visibility("default")))

#define PN_DEVICE "/dev/pagenode"

/* Whole pages; never none, for no backend is asked about none. */
struct pn_range {
	uint64_t start;
	uint64_t nr_pages;
};

/* Each returns what the function of the library that it is for returns. */
struct pn_backend {
	enum pagenode_backend id;
	int (*status)(const struct pagenode *pn, const struct pn_range *range,
		      int *status);
	ssize_t (*extents)(const struct pagenode *pn,
			   const struct pn_range *range, bool by_size,
			   struct pagenode_extent *ext, size_t nr_ext,
			   uint64_t *next);
	/* The array is cleared before. */
	int (*counts)(const struct pagenode *pn, const struct pn_range *range,
		      struct pagenode_counts *counts);
	int (*pages)(const struct pagenode *pn, size_t count,
		     void *const *pages, int *status);
};

struct pagenode {
	const struct pn_backend *backend;
	int fd;			/* the device, or -1 */
	int mm_fd;		/* /proc/PID/pagemap of another process, or -1 */
	pid_t pid;		/* the other process, or 0 */
	bool mm_refused;	/* it, and not the device, was the trouble */
	size_t page_size;
	char description[256];
};

extern const struct pn_backend pn_backend_device;
extern const struct pn_backend pn_backend_move_pages;

/* Fills in what the device needs: 0, or -1 with errno and nothing open. */
int pn_device_open(struct pagenode *pn, const char *path);
void pn_device_close(struct pagenode *pn);

/* May move_pages(2) be called for this handle's process? 0, or -1 with errno. */
int pn_move_pages_probe(const struct pagenode *pn);

/* Writes the description. The errors are 0 where all went well. */
void pn_describe(struct pagenode *pn, const char *path, int device_errno,
		 int move_pages_errno);

/* pagenode_open_pid() with a device of one's choice, for the tests. */
struct pagenode *pn_open_at(const char *path, pid_t pid, unsigned int flags);

#endif /* PN_BACKEND_H */
