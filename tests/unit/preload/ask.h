/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A question about 4096 pages, and what the device makes of it.
 */
#ifndef PN_PRELOAD_ASK_H
#define PN_PRELOAD_ASK_H

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device.h"
#include "tests/unit/test.h"

#define NR 4096
#define PAGE 4096

/* Any will do: nothing here looks at the memory. It is no page's first byte. */
#define SOMEWHERE ((char *)0x7f0012345678)

/* What no query leaves behind. */
#define KEPT 4711

static struct fake *fake;
static void *pages[NR];
static int status[NR];

static inline void reset(void)
{
	size_t i;

	memset(fake, 0, sizeof(*fake));
	for (i = 0; i < NR; i++)
		status[i] = UNTOUCHED;
	errno = KEPT;
}

/* Neighbours in memory. */
static inline void set_run(size_t first, size_t nr)
{
	size_t i;

	for (i = first; i < first + nr; i++)
		pages[i] = SOMEWHERE + i * PAGE;
}

static inline long ask(size_t nr)
{
	return syscall(SYS_move_pages, 0, nr, pages, NULL, status, 0);
}

/* The device has answered, and right. */
static inline void check_answered(size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		CHECK_EQ(status[i], fake_node((uintptr_t)pages[i]));
	for (; i < NR; i++)
		CHECK_EQ(status[i], UNTOUCHED);
	CHECK_EQ(fake->kernel_calls, 0);
	CHECK_EQ(errno, KEPT);
}

/* Is the device preloaded at all? */
static inline int find_fake(void)
{
	fake = dlsym(RTLD_DEFAULT, "fake");
	if (!fake)
		fprintf(stderr, "the fake device is not preloaded\n");
	return !!fake;
}

#endif /* PN_PRELOAD_ASK_H */
