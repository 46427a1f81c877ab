// SPDX-License-Identifier: GPL-2.0-only
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "present.h"
#include "source.h"

/* The answer to one call; a process rarely has more. */
#define NR_EXTENTS	32768

/*
 * One call of the fallback answers so many bytes at most, since it looks at
 * each page: a person can be shown how far it is.
 */
#define SLOW_CHUNK	(1ULL << 30)

#define NR_PRESENT	256

bool source_is_fast(const struct source *source)
{
	return pagenode_backend(source->pn) == PAGENODE_BACKEND_DEVICE;
}

int source_open(struct source *source, pid_t pid)
{
	int error;

	source->pagemap = -1;
	source->pn = NULL;
	source->extents = malloc(NR_EXTENTS * sizeof(*source->extents));
	if (!source->extents)
		return -1;
	source->pn = pagenode_open_pid(pid, 0);
	if (!source->pn) {
		error = errno;
		source_close(source);
		errno = error;
		return -1;
	}
	source->by_size = source_is_fast(source);
	/* Without the file all pages are asked about. */
	if (!source->by_size)
		source->pagemap = present_open(pid ? pid : getpid());
	return 0;
}

void source_refused(pid_t pid)
{
	switch (errno) {
	case ESRCH:
		errx(EXIT_FAILURE,
		     "there is no process %d, or it has no memory: gone, or the kernel's",
		     (int)pid);
	case EACCES:
	case EPERM:
		errx(EXIT_FAILURE,
		     "process %d: not permitted. Its own user and root may look at it, with the module also where move_pages(2) is forbidden",
		     (int)pid);
	default:
		err(EXIT_FAILURE, "process %d", (int)pid);
	}
}

void source_close(struct source *source)
{
	if (source->pagemap >= 0)
		close(source->pagemap);
	pagenode_close(source->pn);
	free(source->extents);
}

static ssize_t ask(const struct source *source, uint64_t start, uint64_t end,
		   const void **next)
{
	const void *addr = (const void *)(uintptr_t)start;
	size_t len = end - start;

	if (source->by_size)
		return pagenode_extents_by_size(source->pn, addr, len,
						source->extents, NR_EXTENTS,
						next);
	if (len > SLOW_CHUNK)
		len = SLOW_CHUNK;
	return pagenode_extents(source->pn, addr, len, source->extents,
				NR_EXTENTS, next);
}

int source_each(const struct source *source, const struct range *range,
		extent_fn fn, void *arg)
{
	uint64_t start = range->start;
	const void *next;
	ssize_t nr, i;
	int ret = 0;

	while (!ret && start < range->end) {
		nr = ask(source, start, range->end, &next);
		if (nr < 0)
			return -1;
		for (i = 0; !ret && i < nr; i++)
			ret = fn(arg, &source->extents[i]);
		start = (uintptr_t)next;
	}
	return ret;
}

/* What is not present needs no question. */
static int absent(uint64_t start, uint64_t end, extent_fn fn, void *arg)
{
	struct pagenode_extent extent = {
		.start = start,
		.nr_pages = (end - start) / (size_t)sysconf(_SC_PAGESIZE),
		.status = -ENOENT,
	};

	return extent.nr_pages ? fn(arg, &extent) : 0;
}

int source_each_mapped(const struct source *source, const struct range *range,
		       extent_fn fn, void *arg)
{
	struct range present[NR_PRESENT], left = *range;
	uint64_t done = range->start;
	ssize_t nr, i;
	int ret = 0;

	if (source->pagemap < 0)
		return source_each(source, range, fn, arg);
	while (!ret && left.start < left.end) {
		nr = present_list(source->pagemap, &left, present, NR_PRESENT);
		if (nr < 0)
			return -1;
		for (i = 0; !ret && i < nr; i++) {
			ret = absent(done, present[i].start, fn, arg);
			if (!ret)
				ret = source_each(source, &present[i], fn, arg);
			done = present[i].end;
		}
		if (!ret)
			ret = absent(done, left.start, fn, arg);
		done = left.start;
	}
	return ret;
}
