/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel's own tracers say of a call's holds and read sections */
#ifndef PN_TRACE_H
#define PN_TRACE_H

#include "question.h"

/**
 * struct spans - the times between a beginning and its end
 * @nr: how many
 * @longest: of them, in nanoseconds
 */
struct spans {
	unsigned long nr;
	double longest;
};

/**
 * struct trace - one call
 * @holds: of the mmap lock, by the calling thread
 * @sections: RCU read sections that the module's own code began
 * @most: sections in one hold
 */
struct trace {
	struct spans holds;
	struct spans sections;
	unsigned long most;
};

/* Takes the tracers for this thread. */
void trace_init(void);

/*
 * What is traced: holds alone, or sections too, which makes a hold longer by
 * what the tracer itself takes.
 */
void trace_holds(void);
void trace_sections(void);

void trace_call(struct trace *trace, const struct question *question,
		struct buffer *buffer);

#endif /* PN_TRACE_H */
