/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures beside what they should be, for people, for JSON and for a gate */
#ifndef PN_REPORT_H
#define PN_REPORT_H

#include <stdbool.h>

#include "tools/compare.h"

enum rule_kind {
	RULE_NONE,		/* for comparison only */
	RULE_FASTER,		/* the other takes @limit times as long, or more */
	RULE_WITHIN,		/* ours takes @limit times as long, or less */
	RULE_AT_MOST,		/* @limit a page, or less */
};

struct rule {
	enum rule_kind kind;
	double limit;
};

#define NO_RULE		{ RULE_NONE, 0 }
#define FASTER(n)	{ RULE_FASTER, n }
#define WITHIN(n)	{ RULE_WITHIN, n }
#define AT_MOST(n)	{ RULE_AT_MOST, n }

/**
 * struct figure - one row
 * @question: what was asked
 * @subject: about which memory
 * @against: what it is compared with
 * @ours: cost a page
 * @theirs: cost a page of what it is compared with
 * @ratio: how many times as long that took
 * @rule: what to reach
 * @missing: why there is no figure, or NULL
 * @wrong: the answers were not right, so the figure means nothing
 */
struct figure {
	const char *question;
	const char *subject;
	const char *against;
	double ours;
	double theirs;
	double ratio;
	struct rule rule;
	const char *missing;
	bool wrong;
};

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_VERDICTS };

/**
 * struct report - a table
 * @name: a word
 * @kernel: under which it was measured
 * @machine: whether that was emulated
 * @cpu: of the host
 * @method: how, or NULL
 * @unit: of the costs
 * @format: how to print it
 * @rows: how many were printed
 * @missed: how many of them missed their targets
 * @wrong: how many answers were not right
 */
struct report {
	const char *name;
	const char *kernel;
	const char *machine;
	const char *cpu;
	const char *method;
	const char *unit;
	enum report_format format;
	unsigned int rows;
	unsigned int missed;
	unsigned int wrong;
};

void report_begin(struct report *report);
void report_figure(struct report *report, const struct figure *figure);

/* Who is speaking: the kernel, what it runs on, and how it was measured */
void report_heading(const struct report *report);

/* Returns the exit status: 1 for a wrong answer, or a target missed at a gate. */
int report_end(struct report *report);

#endif /* PN_REPORT_H */
