/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory to ask about, and what move_pages(2) itself says of it.
 */
#ifndef PN_MEMORY_H
#define PN_MEMORY_H

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

/* No status has this value. */
#define GUARD 0x5a5a5a5a

/* Three chunks of the library, and a part of a fourth. */
#define NR_PAGES 1700
#define HOLE_AT 700
#define HOLE_PAGES 11

static size_t page_size;

__attribute__((constructor)) static void find_page_size(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
}

static inline int raw_status(uintptr_t page)
{
	void *pages[] = { (void *)page };
	int status = GUARD;

	if (syscall(SYS_move_pages, 0, 1UL, pages, NULL, &status, 0))
		SKIP("move_pages of one page: %s", strerror(errno));
	return status;
}

/* Of a range, page by page. */
static inline void raw_statuses(const void *addr, size_t nr_pages, int *status)
{
	size_t i;

	for (i = 0; i < nr_pages; i++)
		status[i] = raw_status((uintptr_t)addr + i * page_size);
}

/* Of small pages only. */
static inline char *map(size_t nr_pages)
{
	char *p = mmap(NULL, nr_pages * page_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	madvise(p, nr_pages * page_size, MADV_NOHUGEPAGE);
	return p;
}

static inline void unmap(char *p, size_t nr_pages)
{
	CHECK_EQ(munmap(p, nr_pages * page_size), 0);
}

static inline void read_page(const char *p)
{
	(void)*(const volatile char *)p;
}

/* A third written, a third only read, a third untouched, and a hole. */
static inline char *map_zoo(void)
{
	char *p = map(NR_PAGES);
	size_t i;

	for (i = 0; i < NR_PAGES; i++) {
		if (i % 3 == 0)
			p[i * page_size] = 1;
		else if (i % 3 == 1)
			read_page(p + i * page_size);
	}
	unmap(p + HOLE_AT * page_size, HOLE_PAGES);
	return p;
}

#endif /* PN_MEMORY_H */
