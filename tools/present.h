/* SPDX-License-Identifier: GPL-2.0-only */
/* Which pages of a process are present at all, as /proc/PID/pagemap says */
#ifndef PN_PRESENT_H
#define PN_PRESENT_H

#include <stddef.h>
#include <sys/types.h>

#include "size.h"

/* A descriptor, or -1 with errno: ENOENT where the kernel has no such file */
int present_open(pid_t pid);

/**
 * present_list - the present pages of a range, as ranges
 * @fd: from present_open()
 * @range: where to look; moved on past what was looked at
 * @list: the ranges that were found
 * @nr: how many fit in there
 *
 * Return: how many were found, or -1 with errno. All were if @range is empty
 * afterwards.
 */
ssize_t present_list(int fd, struct range *range, struct range *list,
		     size_t nr);

#endif /* PN_PRESENT_H */
