// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "nodes.h"

#define NODES	"/sys/devices/system/node/"

/* A list of the form 0-1,4. A kernel without NUMA has none, and node 0. */
static size_t list_of(const char *path, int *ids, size_t nr, int *highest)
{
	FILE *file = fopen(path, "re");
	int first = 0, last;
	size_t found = 0;

	*highest = 0;
	while (file && fscanf(file, "%d", &first) == 1) {
		last = first;
		if (fscanf(file, "-%d", &last) < 0)
			last = first;
		for (; first <= last; first++, found++)
			if (found < nr)
				ids[found] = first;
		*highest = last;
		if (fgetc(file) != ',')
			break;
	}
	if (file)
		fclose(file);
	if (!found && nr)
		ids[0] = 0;
	return found ? found : 1;
}

size_t nodes_possible(void)
{
	int highest;

	list_of(NODES "possible", NULL, 0, &highest);
	return (size_t)highest + 1;
}

size_t nodes_with_memory(int *ids, size_t nr)
{
	int highest;

	return list_of(NODES "has_memory", ids, nr, &highest);
}
