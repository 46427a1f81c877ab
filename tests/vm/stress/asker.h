/* SPDX-License-Identifier: GPL-2.0-only */
/* Questions, and the rules for their answers. */
#ifndef ASKER_H
#define ASKER_H

#include "world.h"

#include "../cases/dice.h"
#include "shared.h"

/* What is asked, for a message too */
struct question {
	enum kind_of_query kind;
	enum subject subject;
	int fd;				/* of its pagemap; -1 for OWN */
	const struct wants *wants;	/* NULL: nothing particular */
	uint64_t start;
	uint64_t nr_pages;
};

/* Room for answers. One a thread. */
struct asker {
	unsigned int number;
	uint64_t seed;
	unsigned long step;
	struct dice dice;
	int host;
	size_t nr_ids;
	int *status;
	uint64_t *page;
	uint64_t *node;
	struct pagenode_extent *extent;
};

/* More than the world with what lies beside it */
#define MAX_ASKED	(WORLD_PAGES + 2 * HUGE_PAGES)
#define MAX_EXTENTS	256

/* report.c */
const char *kind_of(enum kind_of_query kind);
const char *subject_of(enum subject subject);

/* judge.c: fail, with the question, where an answer is wrong. */
void wrong(const struct question *q, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));
/* @shift: as in an extent of one mapping size, or ANY_SHIFT */
#define ANY_SHIFT	(-1)
void judge_run(const struct question *q, uint64_t start, uint64_t nr_pages,
	       int status, int shift);
void judge_statuses(const struct question *q, const int *status, size_t nr);
void judge_counts(const struct question *q, const uint64_t *node, size_t nr_ids,
		  uint64_t nr_enoent, uint64_t nr_efault);

/* queries.c: asks and judges. */
void ask_one(struct asker *a, struct question q);

/* asker.c */
void init_asker(struct asker *a, unsigned int number, uint64_t seed, int host);
/* One question of its dice's choice. */
void ask_something(struct asker *a);
/* The same about this process or about its parent, for a child. */
void ask_as_copy(struct asker *a);
void ask_about_parent(struct asker *a);
/* A thread: asks until it is time to stop. */
void *ask_often(void *asker);
/* That a signal which interrupts a query is noticed */
void count_signals(void);

#endif /* ASKER_H */
