/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process has mapped, as /proc/PID/maps says */
#ifndef PN_MAPS_H
#define PN_MAPS_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "size.h"

#define COMM_TEXT	20

/**
 * struct mapping - one of them
 * @range: its addresses
 * @perms: as in "rw-p"
 * @offset: of its first byte in the file
 * @name: the file, or "[heap]" and the like, or "". Safe to print
 */
struct mapping {
	struct range range;
	char perms[5];
	uint64_t offset;
	char *name;
};

/* In order of address; without the kernel's own page at the top */
struct maps {
	struct mapping *list;
	size_t nr;
};

/* Each returns 0, or -1 with errno: ESRCH where there is no such process. */
int maps_read(struct maps *maps, FILE *file);
int maps_of(struct maps *maps, pid_t pid);
void maps_free(struct maps *maps);

/* The name of a process, safe to print; "?" if it has gone */
const char *comm_of(char text[COMM_TEXT], pid_t pid);

/*
 * Puts '?' where a terminal would see a control character, and for what is not
 * UTF-8.
 */
void text_make_safe(char *text);

#endif /* PN_MAPS_H */
