/* SPDX-License-Identifier: GPL-2.0-only */
/* The longest holds of the mmap lock and the longest RCU read sections */
#ifndef PN_HOLDS_H
#define PN_HOLDS_H

#include "question.h"
#include "report.h"

/* Prints the table; what the clock counts is for the report to say. */
int holds(struct report *report);

/* The longest hold of the calmest of some calls, in nanoseconds */
double longest_hold(const struct question *question, struct buffer *buffer);

#endif /* PN_HOLDS_H */
