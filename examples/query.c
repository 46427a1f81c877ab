// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * The shortest query: on which NUMA node does each page of a buffer lie?
 * Compiled with $(pkg-config --cflags --libs libpagenode).
 */
#include <pagenode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NR_PAGES 4

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *buffer = aligned_alloc(page, NR_PAGES * page);
	struct pagenode *pn = pagenode_open(0);
	int status[NR_PAGES];
	int i;

	if (!buffer || !pn) {
		perror("query");
		return EXIT_FAILURE;
	}
	memset(buffer, 1, NR_PAGES * page);

	if (pagenode_status(pn, buffer, NR_PAGES * page, status, NR_PAGES)) {
		perror(pagenode_describe(pn));
		return EXIT_FAILURE;
	}
	for (i = 0; i < NR_PAGES; i++)
		printf("page %d: %d\n", i, status[i]);

	pagenode_close(pn);
	free(buffer);
	return EXIT_SUCCESS;
}
