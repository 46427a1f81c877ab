// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * segments [FILE]: what an RDMA or KV-cache engine does with a buffer. Each part
 * of it that lies on one node becomes a memory region, to be used through the
 * network card of that node. The buffer is FILE, mapped, or 64 MiB of new
 * memory: try it under numactl --interleave=all.
 */
#include <fcntl.h>
#include <pagenode.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NR_EXTENTS 16

/* Populated, which the registration with a card would do otherwise. */
static void *map_buffer(const char *path, size_t *len)
{
	int flags = path ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	struct stat file = { .st_size = 64 << 20 };

	if (path && (fd < 0 || fstat(fd, &file)))
		return MAP_FAILED;
	*len = (size_t)file.st_size;
	return mmap(NULL, *len, PROT_READ | PROT_WRITE, flags | MAP_POPULATE,
		    fd, 0);
}

/* Here an engine calls ibv_reg_mr(). */
static void register_region(const struct pagenode_extent *ext, size_t page)
{
	if (ext->status < 0)
		printf("%#llx: no memory, is there enough?\n", ext->start);
	else
		printf("%#llx: %llu bytes on node %d\n", ext->start,
		       ext->nr_pages * page, ext->status);
}

/* An answer that fills the array ends early: the next call goes on from there. */
static int register_buffer(struct pagenode *pn, const char *buffer, size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct pagenode_extent ext[NR_EXTENTS];
	const char *end = buffer + len;
	const void *next;
	ssize_t i, nr;

	for (; buffer < end; buffer = next) {
		nr = pagenode_extents(pn, buffer, (size_t)(end - buffer), ext,
				      NR_EXTENTS, &next);
		if (nr < 0)
			return -1;
		for (i = 0; i < nr; i++)
			register_region(&ext[i], page);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct pagenode *pn = pagenode_open(0);
	size_t len;
	void *buffer = map_buffer(argc > 1 ? argv[1] : NULL, &len);

	if (!pn || buffer == MAP_FAILED) {
		perror(argc > 1 ? argv[1] : "segments");
		return EXIT_FAILURE;
	}
	printf("asked %s\n", pagenode_describe(pn));
	if (register_buffer(pn, buffer, len)) {
		perror(pagenode_describe(pn));
		return EXIT_FAILURE;
	}
	pagenode_close(pn);
	return EXIT_SUCCESS;
}
