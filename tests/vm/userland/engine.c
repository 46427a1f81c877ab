// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shaped like an engine that moves memory by RDMA: it registers buffers, asks
 * libnuma about all of their pages in one call, and makes segments of neighbours
 * that lie on one node. It knows nothing of pagenode.
 *
 * With the argument "check" it then asks the kernel, by an instruction that no
 * library can come between, and compares page by page.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <numa.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#define PAGE 4096UL
#define MIB (1UL << 20)

struct buffer {
	size_t size;
	unsigned long nodes;	/* a mask */
	int policy;
	int advice;
	size_t skip;		/* each so many'th page is left untouched */
	char *start;
};

static struct buffer buffers[] = {
	{ 1536 * MIB, 1 << 0, MPOL_BIND, MADV_NOHUGEPAGE, 0, NULL },
	{ 1536 * MIB, 1 << 1, MPOL_BIND, MADV_HUGEPAGE, 0, NULL },
	{ 64 * MIB, 3, MPOL_INTERLEAVE, MADV_NOHUGEPAGE, 0, NULL },
	{ 64 * MIB, 1 << 1, MPOL_BIND, MADV_NOHUGEPAGE, 3, NULL },
};

#define NR_BUFFERS (sizeof(buffers) / sizeof(buffers[0]))

/* What the engine asks about, and what it hears. */
struct registry {
	size_t nr;
	void **pages;
	int *status;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *allocate(size_t nr, size_t size)
{
	void *memory = calloc(nr, size);

	if (!memory)
		die("calloc");
	return memory;
}

static void fill(struct buffer *buffer)
{
	size_t i;

	buffer->start = mmap(NULL, buffer->size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (buffer->start == MAP_FAILED ||
	    madvise(buffer->start, buffer->size, buffer->advice) ||
	    mbind(buffer->start, buffer->size, buffer->policy, &buffer->nodes,
		  8 * sizeof(buffer->nodes), 0))
		die("a buffer");
	for (i = 0; i < buffer->size / PAGE; i++)
		if (!buffer->skip || i % buffer->skip)
			buffer->start[i * PAGE] = 1;
}

static void enter(struct registry *registry, const struct buffer *buffer)
{
	size_t i;

	for (i = 0; i < buffer->size / PAGE; i++)
		registry->pages[registry->nr++] = buffer->start + i * PAGE;
}

static double query_ms(const struct registry *registry)
{
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	if (numa_move_pages(0, registry->nr, registry->pages, NULL,
			    registry->status, 0))
		die("numa_move_pages");
	clock_gettime(CLOCK_MONOTONIC, &to);
	return (double)(to.tv_sec - from.tv_sec) * 1e3 +
	       (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

static size_t segments(const struct registry *registry)
{
	size_t i, nr = 0;

	for (i = 0; i < registry->nr; i++)
		if (!i || registry->status[i] != registry->status[i - 1] ||
		    (char *)registry->pages[i] !=
		    (char *)registry->pages[i - 1] + PAGE)
			nr++;
	return nr;
}

static long ask_kernel(const struct registry *registry, int *status)
{
	register void *nodes __asm__("r10") = NULL;
	register int *result __asm__("r8") = status;
	register long flags __asm__("r9") = 0;
	long ret = SYS_move_pages;

	__asm__ volatile("syscall"
			 : "+a" (ret)
			 : "D" (0L), "S" (registry->nr), "d" (registry->pages),
			   "r" (nodes), "r" (result), "r" (flags)
			 : "rcx", "r11", "memory");
	return ret;
}

static size_t differences(const struct registry *registry)
{
	int *want = allocate(registry->nr, sizeof(*want));
	size_t i, nr = 0;

	if (ask_kernel(registry, want)) {
		fputs("the kernel does not answer\n", stderr);
		exit(1);
	}
	for (i = 0; i < registry->nr; i++)
		nr += registry->status[i] != want[i];
	free(want);
	return nr;
}

int main(int argc, char **argv)
{
	struct registry registry = { .nr = 0 };
	size_t i, size = 0, nr_wrong = 0;
	double ms;

	for (i = 0; i < NR_BUFFERS; i++)
		size += buffers[i].size;
	registry.pages = allocate(size / PAGE, sizeof(*registry.pages));
	registry.status = allocate(size / PAGE, sizeof(*registry.status));
	for (i = 0; i < NR_BUFFERS; i++) {
		fill(&buffers[i]);
		enter(&registry, &buffers[i]);
	}

	ms = query_ms(&registry);
	if (argc > 1 && !strcmp(argv[1], "check"))
		nr_wrong = differences(&registry);
	printf("%zu %zu %.1f %zu\n", registry.nr, segments(&registry), ms,
	       nr_wrong);
	return 0;
}
