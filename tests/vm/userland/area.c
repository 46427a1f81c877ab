// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where hwloc finds a buffer to lie: 256 MiB, the first half on node 1 and the
 * rest on node 0, then each half alone.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <hwloc.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define HALF (128UL << 20)

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void place(char *half, unsigned long mask)
{
	size_t i;

	if (madvise(half, HALF, MADV_NOHUGEPAGE) ||
	    mbind(half, HALF, MPOL_BIND, &mask, 8 * sizeof(mask), 0))
		die("a half");
	for (i = 0; i < HALF; i += 4096)
		half[i] = 1;
}

static void print_nodes(hwloc_topology_t topology, const char *area,
			size_t len)
{
	hwloc_bitmap_t nodes = hwloc_bitmap_alloc();
	char text[64];

	if (!nodes || hwloc_get_area_memlocation(topology, area, len, nodes,
						 HWLOC_MEMBIND_BYNODESET))
		die("hwloc_get_area_memlocation");
	hwloc_bitmap_list_snprintf(text, sizeof(text), nodes);
	printf("%s ", text);
	hwloc_bitmap_free(nodes);
}

int main(void)
{
	char *area = mmap(NULL, 2 * HALF, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct timespec from, to;
	hwloc_topology_t topology;

	if (area == MAP_FAILED)
		die("mmap");
	place(area, 2);
	place(area + HALF, 1);
	if (hwloc_topology_init(&topology) || hwloc_topology_load(topology))
		die("hwloc_topology_load");

	clock_gettime(CLOCK_MONOTONIC, &from);
	print_nodes(topology, area, 2 * HALF);
	clock_gettime(CLOCK_MONOTONIC, &to);
	print_nodes(topology, area, HALF);
	print_nodes(topology, area + HALF, HALF);
	printf("%.1f\n", (double)(to.tv_sec - from.tv_sec) * 1e3 +
			 (double)(to.tv_nsec - from.tv_nsec) / 1e6);
	hwloc_topology_destroy(topology);
	return 0;
}
