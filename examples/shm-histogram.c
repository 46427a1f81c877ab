// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * shm-histogram /dev/shm/NAME: how many pages of a shared memory segment lie on
 * each node? A database shows that of its buffers.
 */
#include <fcntl.h>
#include <pagenode.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NR_NODES 1024	/* No kernel has more. */

static char *map_segment(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *segment;

	if (fd < 0)
		return NULL;
	*len = (size_t)lseek(fd, 0, SEEK_END);
	segment = mmap(NULL, *len, PROT_READ, MAP_SHARED, fd, 0);
	return segment == MAP_FAILED ? NULL : segment;
}

/*
 * For a process, only what it has touched itself is present. So touch what is
 * in memory, and nothing else: that would fill holes.
 */
static int touch_resident(char *segment, size_t len)
{
	size_t i, page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *resident = malloc(len / page + 1);
	int ret = resident ? mincore(segment, len, resident) : -1;

	for (i = 0; !ret && i < len; i += page)
		if (resident[i / page] & 1)
			(void)*(volatile char *)(segment + i);
	free(resident);
	return ret;
}

static int print_histogram(struct pagenode *pn, const char *segment, size_t len)
{
	static uint64_t node[NR_NODES];
	struct pagenode_counts counts = { .node = node, .nr_nodes = NR_NODES };
	int i;

	if (pagenode_counts(pn, segment, len, &counts))
		return -1;
	for (i = 0; i < NR_NODES; i++)
		if (node[i])
			printf("node %d: %ju pages\n", i, (uintmax_t)node[i]);
	printf("not in memory: %ju pages\n", (uintmax_t)counts.nr_enoent);
	return 0;
}

int main(int argc, char **argv)
{
	struct pagenode *pn = pagenode_open(0);
	size_t len = 0;
	char *segment;

	if (argc != 2) {
		fprintf(stderr, "usage: shm-histogram /dev/shm/NAME\n");
		return EXIT_FAILURE;
	}
	segment = map_segment(argv[1], &len);
	if (!pn || !segment || touch_resident(segment, len)) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	if (print_histogram(pn, segment, len)) {
		perror(pagenode_describe(pn));
		return EXIT_FAILURE;
	}
	pagenode_close(pn);
	return EXIT_SUCCESS;
}
