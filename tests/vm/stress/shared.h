/* SPDX-License-Identifier: GPL-2.0-only */
/* What the processes of the stress program share: counters, and when to stop. */
#ifndef SHARED_H
#define SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define NR_HOSTS	2

enum kind_of_query {
	ASK_STATUS,
	ASK_EXTENTS,
	ASK_EXTENTS_BY_SIZE,
	ASK_COUNTS,
	ASK_PAGES,
	NR_QUERIES
};

/* Who is asked about. All but the first two through an mm_fd. */
enum subject {
	OWN,
	OWN_COPY,	/* a child that asks about itself */
	OWN_FD,
	OTHER_HOST,
	PARENT,
	COPY,		/* a child that is what fork() made */
	PASSING,	/* a child that becomes something else */
	NR_SUBJECTS
};

#define MAX_OPS	64

struct count {
	atomic_ulong done;
	atomic_ulong refused;
};

/*
 * The child of a host that others may ask about; @turn tells a child from the
 * next. A pid is taken back before it is given up.
 */
struct child {
	atomic_uint turn;
	atomic_int pid;
	atomic_int subject;
};

struct shared {
	atomic_bool go;
	atomic_bool stop;
	atomic_uint ready;
	atomic_ulong seconds;
	atomic_int host[NR_HOSTS];
	struct child child[NR_HOSTS];

	struct count op[MAX_OPS];
	atomic_ulong query[NR_QUERIES][NR_SUBJECTS];
	atomic_ulong pages;
	atomic_ulong signals;	/* that came while a query ran */
	atomic_ulong gone;	/* ESRCH, of a process that exits */
	atomic_ulong into_noise;	/* answered into memory that may go */
	atomic_ulong into_nothing;	/* the same, where it went */
};

extern struct shared *shared;

static inline bool stopped(void)
{
	return atomic_load(&shared->stop);
}

#endif /* SHARED_H */
