// SPDX-License-Identifier: GPL-2.0-only
/* KCOV: which code of the module this thread ran. */
#include "fuzz.h"

#include <fcntl.h>
#include <linux/kcov.h>
#include <sys/ioctl.h>

#define WORDS	(64UL << 10)
#define KCOV	"/sys/kernel/debug/kcov"
#define MODULE	"/pagenode.ko"

/* How many there are, and each of them */
static uint64_t *trace;

size_t cover_open(void)
{
	int fd = open(KCOV, O_RDWR | O_CLOEXEC);
	size_t points;

	if (fd < 0)
		return 0;
	points = points_load(MODULE);
	if (!points)
		fail(MODULE " is not built for KCOV, which this kernel has");
	must(ioctl(fd, KCOV_INIT_TRACE, WORDS));
	trace = mmap(NULL, WORDS * sizeof(*trace), PROT_READ | PROT_WRITE,
		     MAP_SHARED, fd, 0);
	must((long)trace);
	must(ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC));
	return points;
}

void cover_begin(void)
{
	if (trace)
		__atomic_store_n(&trace[0], 0, __ATOMIC_RELAXED);
}

unsigned int cover_end(void)
{
	unsigned int new = 0;
	uint64_t i, nr;

	if (!trace)
		return 0;
	nr = __atomic_load_n(&trace[0], __ATOMIC_RELAXED);
	for (i = 1; i <= nr && i < WORDS; i++)
		new += point_reached(trace[i]);
	return new;
}
