// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mempolicy.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "buffer.h"
#include "nodes.h"

/* A huge page of the common kind, on x86-64 */
#define HUGE		(2UL << 20)

#define NODES		64

/*
 * A container may not be allowed to choose nodes: its memory lies where it
 * falls then.
 */
static void spread(const struct buffer *b)
{
	int ids[NODES];
	size_t nr = nodes_with_memory(ids, NODES), part, i;

	if (nr > NODES)
		nr = NODES;
	part = b->size / nr / HUGE * HUGE;
	for (i = 0; i < nr && part; i++) {
		unsigned long nodes = 1UL << (ids[i] % NODES);
		size_t size = i == nr - 1 ? b->size - i * part : part;

		if (ids[i] < NODES)
			(void)syscall(SYS_mbind, b->start + i * part, size,
				      MPOL_PREFERRED, &nodes,
				      8 * sizeof(nodes), 0);
	}
}

int buffer_make(struct buffer *b, size_t size, bool huge)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;

	*b = (struct buffer) { .size = size, .map_size = size + HUGE };
	b->map = mmap(NULL, b->map_size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->map == MAP_FAILED)
		return -1;
	b->start = (char *)b->map + (-(uintptr_t)b->map & (HUGE - 1));
	/* A kernel without huge pages refuses both. */
	(void)madvise(b->start, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	spread(b);
	for (i = 0; i < size; i += page)
		b->start[i] = 1;
	return 0;
}

void buffer_free(struct buffer *b)
{
	munmap(b->map, b->map_size);
}
