/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A zoo: one of every kind of mapping in a stretch of address space that
 * nothing else uses, with what each page must be answered as. A file of
 * builders a kind of memory; zoo.c keeps the zoo and asks about it.
 */
#ifndef ZOO_H
#define ZOO_H

#include "query.h"

struct zoo;

struct zoo *zoo_open(void);
/* With all that the builders below make. */
struct zoo *zoo_whole(void);

/* Address space of its own, with a hole of a varying width before it. */
char *zoo_room(struct zoo *z, size_t nr_pages, size_t align);
char *zoo_map(struct zoo *z, size_t nr_pages, int flags, int fd);
char *zoo_anon(struct zoo *z, size_t nr_pages);
/* Aligned to a huge page, and madvised. */
char *zoo_thp(struct zoo *z, size_t nr_pages);

/* The same numbers in every run, so that a failure comes again. */
uint64_t zoo_random(uint64_t *state);

/* Says what @nr_pages from @start on are. */
void zoo_add(struct zoo *z, const char *name, const char *start,
	     size_t nr_pages, enum kind kind, int node);
/* Says that this kernel can't have a kind. */
void zoo_absent(struct zoo *z, enum kind kind, const char *why);
/* Why the kernel can't have @kind, or NULL. */
const char *zoo_lacks(const struct zoo *z, enum kind kind);
/* A userfaultfd that must stay silent. */
void zoo_watch(struct zoo *z, int uffd);

/*
 * All of it and many parts, one after the other. Together those that are
 * @counted have every page once.
 */
typedef void zoo_part_fn(struct zoo *z, const char *start, size_t nr_pages,
			 bool counted);
void zoo_each_part(struct zoo *z, zoo_part_fn *fn);
/* Asks about all of it and about many parts, and fails if anything is wrong. */
void zoo_check(struct zoo *z);
/* Unmaps the stretch from the process that calls, which goes on asking. */
void zoo_leave(const struct zoo *z);
/* Fails unless every kind and both nodes occurred; notes how often each did. */
void zoo_tally(struct zoo *z, const char *remark);

typedef void build_fn(struct zoo *z);

build_fn zoo_anon_pages, zoo_zero_pages, zoo_thp_pages, zoo_bound_pages;
build_fn zoo_shmem, zoo_shmem_thp, zoo_file, zoo_hugetlb, zoo_dev_zero;
build_fn zoo_swapped, zoo_ksm, zoo_poisoned;
build_fn zoo_secretmem, zoo_guard, zoo_uffd, zoo_uffd_wp, zoo_pci_bar;
build_fn zoo_dax;
build_fn zoo_process, zoo_beyond;

#endif /* ZOO_H */
