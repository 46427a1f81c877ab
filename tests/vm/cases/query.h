/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions to the module and to the kernel's own move_pages, and the rule by
 * which their answers are judged (doc/design.md 3).
 */
#ifndef QUERY_H
#define QUERY_H

#include <uapi/pagenode.h>

#include "case.h"

/* The descriptor of /dev/pagenode, open from the first call on. */
int device(void);

/*
 * Questions, also those to the kernel, are about @pid from now on; 0: about the
 * process that asks. The arrays that they take are always its own.
 */
void ask_about(pid_t pid);
/* A file of the process that questions are about, in a static buffer. */
const char *proc_path(const char *file);

/* A question about @nr_pages from @start on that is valid so far. */
struct pagenode_query question(const void *start, uint64_t nr_pages,
			       int *out);
/* 0, or the error as a negative number. */
int ask(unsigned long request, void *arg);
/* Fails the case unless every page is answered. */
void module_status(const void *start, uint64_t nr_pages, int *status);
/* Without NUMA there is no move_pages: what the module says, once more. */
void kernel_status(const void *start, size_t nr_pages, int *status);
struct pagenode_info module_info(void);

const char *status_name(int status);

/* An array of @nr statuses with a page after it that nobody may touch. */
int *new_statuses(size_t nr);
void free_statuses(int *status, size_t nr);

/* What a page can be. The contract gives one status to each. */
enum kind {
	NORMAL,
	PROT_NONE_PAGE,
	SECRET,
	UNTOUCHED,
	UNTOUCHED_FILE,
	SWAPPED,
	UFFD_MISSING,
	UFFD_MARKER,
	GUARD,
	POISONED,
	DEVICE,
	NO_STRUCT_PAGE,
	PROT_NONE_PUD,
	HOLE,
	ZERO,
	HUGE_ZERO,
	PROT_NONE_ZERO,
	KSM_ZERO,
	VSYSCALL,
	KERNEL_ADDRESS,
	NR_KINDS
};

#define ANY_NODE	(-1)

/* A run of pages of a kind; @node is the one they lie on, or ANY_NODE. */
struct run {
	const char *name;
	const char *start;
	size_t nr_pages;
	enum kind kind;
	int node;
};

const char *kind_name(enum kind kind);
/* The contract's status of @kind, or 0 where it is the page's node. */
int kind_status(enum kind kind);

/* With NUMA balancing on, pages move and are marked at any time. */
extern bool pages_may_move;
/* Ask move_pages only: whether a case keeps to the contract itself. */
extern bool kernel_alone;

struct answer {
	int ours;
	int kernels;
};

void ask_both(const void *start, size_t nr_pages, int *ours, int *kernels);
/*
 * Fails the case unless @a, about page @i of @run, is right. Where pages may
 * move it asks again, a bounded number of times, and returns what was right.
 */
struct answer settle(const struct run *run, size_t i, struct answer a);
/* Fails the case unless module and kernel say the right thing of each page. */
void expect(const char *name, const void *start, size_t nr_pages,
	    enum kind kind, int node);

#endif /* QUERY_H */
