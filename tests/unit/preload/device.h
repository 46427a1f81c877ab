/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device that is preloaded behind libpagenode-preload.so: its open(), ioctl(),
 * malloc() and syscall() are those that the library finds.
 */
#ifndef PN_FAKE_DEVICE_H
#define PN_FAKE_DEVICE_H

#include <stdint.h>

#define MAX_QUESTIONS 16

/* No node, and no error: nobody has written here. */
#define UNTOUCHED 0x5a5a5a5a

struct question {
	int is_list;
	uint64_t start;
	uint64_t nr_pages;
};

struct fake {
	/* how it behaves */
	int absent;
	int failing_question;	/* counted from 1 */
	int kernel_errno;	/* of move_pages(2) */
	int swallows;		/* syscall() goes no further */

	/* what it was asked */
	int opens;
	int questions;
	struct question question[MAX_QUESTIONS];
	int mallocs;
	int kernel_calls;	/* of move_pages(2) */
	long call[7];		/* of syscall(), the last one */
};

/* On which node an address lies, for the device. */
static inline int fake_node(uint64_t addr)
{
	return (int)((addr >> 12) % 1021);
}

#endif /* PN_FAKE_DEVICE_H */
