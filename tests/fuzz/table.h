/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine and one of its page tables, made of the fuzzer's bytes. */
#ifndef PN_TABLE_H
#define PN_TABLE_H

#include "input.h"
#include "tests/unit/entry.h"

#define MAX_ENTRIES	512

/* The entries lie in a block of their exact size, for the sanitizer. */
struct table {
	struct machine machine;
	enum level level;
	__u64 *entry;
	unsigned int nr;
};

void make_table(struct input *in, struct table *t);
void free_table(struct table *t);

#endif /* PN_TABLE_H */
