/* SPDX-License-Identifier: GPL-2.0-only */
/* How far it is, for a person at a terminal */
#ifndef PN_PROGRESS_H
#define PN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct progress - work that takes a while. Zeroed, it shows nothing
 * @watched: stderr is a terminal
 * @shown: there is a line on it
 * @all: how much there is to do
 * @next: when to say again how far it is, in milliseconds
 */
struct progress {
	bool watched;
	bool shown;
	uint64_t all;
	uint64_t next;
};

void progress_begin(struct progress *progress, uint64_t all);
void progress_at(struct progress *progress, uint64_t done);
void progress_end(struct progress *progress);

#endif /* PN_PROGRESS_H */
