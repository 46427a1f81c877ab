/* SPDX-License-Identifier: GPL-2.0-only */
/* A memory cgroup of the process's own */
#ifndef CGROUP_H
#define CGROUP_H

#include "case.h"

/*
 * Enters a new one, with its files open already: what is asked of them later
 * takes no memory that would be charged. Skips where the kernel has none.
 */
void cgroup_enter(void);
unsigned long cgroup_current(void);
/* No more than it has now, or as much as it likes. */
void cgroup_close(void);
void cgroup_open(void);
/* How often it has been at its limit, and had a process killed. */
unsigned long cgroup_event(const char *name);

#endif /* CGROUP_H */
