// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hold of the mmap lock is what lies between two of the kernel's tracepoints.
 * A read section lies between two functions of preemptible RCU, which the
 * function tracer sees; it names the callers too, and the module's begin with
 * pn_.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "file.h"
#include "trace.h"

#define TRACING		"/sys/kernel/tracing/"

/* The first reading of both clocks: their later ones say how fast ticks run. */
static struct timespec first_time;
static unsigned long long first_tick;

static double ns_per_tick(void)
{
	struct timespec now;
	unsigned long long tick = __rdtsc();

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((now.tv_sec - first_time.tv_sec) * 1e9 +
		(now.tv_nsec - first_time.tv_nsec)) / (tick - first_tick);
}

/* Of the tracers' clocks only this one is printed in full. */
void trace_init(void)
{
	char text[40];

	clock_gettime(CLOCK_MONOTONIC, &first_time);
	first_tick = __rdtsc();

	file_write(TRACING "tracing_on", "0");
	file_write(TRACING "trace_clock", "x86-tsc");
	file_write(TRACING "buffer_size_kb", "65536");
	snprintf(text, sizeof(text), "%d", getpid());
	file_write(TRACING "set_ftrace_pid", text);
	file_write(TRACING "set_ftrace_filter",
		   "__rcu_read_lock __rcu_read_unlock");
	snprintf(text, sizeof(text), "common_pid == %d", getpid());
	file_write(TRACING "events/mmap_lock/filter", text);
	file_write(TRACING "events/mmap_lock/mmap_lock_acquire_returned/enable",
		   "1");
	file_write(TRACING "events/mmap_lock/mmap_lock_released/enable", "1");
}

void trace_holds(void)
{
	file_write(TRACING "current_tracer", "nop");
}

void trace_sections(void)
{
	file_write(TRACING "current_tracer", "function");
}

/**
 * struct event - a line of the trace
 * @tick: when
 * @what: the tracepoint with a colon, or the function
 * @from: "<-" and its caller
 */
struct event {
	unsigned long long tick;
	char what[40];
	char from[40];
};

static void end_span(struct spans *spans, unsigned long long ticks)
{
	spans->nr++;
	if (ticks > spans->longest)
		spans->longest = ticks;
}

/* Spans in ticks; both of their beginnings are kept between events. */
static void add_event(struct trace *t, const struct event *e)
{
	static unsigned long long locked, reading;
	static unsigned long before;

	if (!strcmp(e->what, "mmap_lock_acquire_returned:")) {
		locked = e->tick;
		before = t->sections.nr;
	} else if (!strcmp(e->what, "mmap_lock_released:")) {
		end_span(&t->holds, e->tick - locked);
		if (t->sections.nr - before > t->most)
			t->most = t->sections.nr - before;
	} else if (!strncmp(e->from, "<-pn_", 5)) {
		if (!strcmp(e->what, "__rcu_read_lock"))
			reading = e->tick;
		else
			end_span(&t->sections, e->tick - reading);
	}
}

/* The head of a trace says how much of it was kept. */
static void check_nothing_lost(const char *line)
{
	unsigned long kept, written;

	if (sscanf(line, "# entries-in-buffer/entries-written: %lu/%lu", &kept,
		   &written) == 2 && kept != written) {
		errno = ENOBUFS;
		die("the tracer's buffer");
	}
}

static void read_trace(struct trace *t)
{
	FILE *f = fopen(TRACING "trace", "r");
	char line[300];
	struct event e;

	if (!f)
		die(TRACING "trace");
	while (fgets(line, sizeof(line), f)) {
		check_nothing_lost(line);
		if (sscanf(line, " bench-%*d [%*d] %*s %llu: %39s %39s",
			   &e.tick, e.what, e.from) == 3)
			add_event(t, &e);
	}
	fclose(f);
}

void trace_call(struct trace *t, const struct question *question,
		struct buffer *b)
{
	double scale;

	*t = (struct trace) { 0 };
	file_write(TRACING "trace", "");
	file_write(TRACING "tracing_on", "1");
	question->ask(b);
	file_write(TRACING "tracing_on", "0");
	read_trace(t);
	scale = ns_per_tick();
	t->holds.longest *= scale;
	t->sections.longest *= scale;
}
