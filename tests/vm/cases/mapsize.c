// SPDX-License-Identifier: GPL-2.0-only
/*
 * How large is each page's mapping? /proc/PID/pagemap says whether there is
 * one, and from 6.7 on its ioctl says whether it is huge. Of memory without
 * struct pages it says nothing; smaps tells where that is mapped, and all of
 * the cases' is mapped by single pages.
 */
#include "case.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include "shapes.h"

/* As in the kernel's linux/fs.h, which the C library's may be older than. */
struct region {
	uint64_t start;
	uint64_t end;
	uint64_t categories;
};

struct scan {
	uint64_t size;
	uint64_t flags;
	uint64_t start;
	uint64_t end;
	uint64_t walk_end;
	uint64_t vec;
	uint64_t vec_len;
	uint64_t max_pages;
	uint64_t category_inverted;
	uint64_t category_mask;
	uint64_t category_anyof_mask;
	uint64_t return_mask;
};

#define SCAN		_IOWR('f', 16, struct scan)
#define IS_PRESENT	(1 << 3)
#define IS_HUGE		(1 << 6)

/* No process has memory from here on. */
#define LIMIT		(1UL << 56)

static void mark_huge(const struct region *region, size_t nr, uintptr_t start,
		      uint8_t *shift)
{
	uint64_t page;
	size_t i;

	for (i = 0; i < nr; i++)
		for (page = region[i].start; page < region[i].end; page += PAGE)
			shift[(page - start) / PAGE] = 21;
}

/* False if the kernel can't say. */
static bool scan_huge(int fd, uintptr_t start, size_t nr_pages, uint8_t *shift)
{
	struct region region[64];
	struct scan scan = {
		.size = sizeof(scan),
		.start = start,
		.end = start + nr_pages * PAGE,
		.vec = (uintptr_t)region,
		.vec_len = sizeof(region) / sizeof(region[0]),
		.category_mask = IS_PRESENT | IS_HUGE,
		.return_mask = IS_PRESENT | IS_HUGE,
	};
	int nr;

	while (scan.start < scan.end) {
		nr = ioctl(fd, SCAN, &scan);
		if (nr < 0 && errno == ENOTTY)
			return false;
		mark_huge(region, must(nr), start, shift);
		scan.start = scan.walk_end;
	}
	return true;
}

#define MAX_SPECIAL	16

static struct {
	bool known;
	int nr;
	struct {
		unsigned long start;
		unsigned long end;
	} range[MAX_SPECIAL];
} special;

/* Once: nobody maps more such memory after the first question about sizes. */
static void find_special(void)
{
	FILE *f = fopen(proc_path("smaps"), "re");
	unsigned long start;
	unsigned long end;
	unsigned long from = 0;
	unsigned long to = 0;
	char line[4096];

	if (!f)
		fail("opening smaps: %s", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2) {
			from = start;
			to = end;
		}
		if (strncmp(line, "VmFlags:", 8) || !strstr(line, " pf "))
			continue;
		if (special.nr == MAX_SPECIAL)
			fail("too many special mappings: raise MAX_SPECIAL");
		special.range[special.nr].start = from;
		special.range[special.nr++].end = to;
	}
	fclose(f);
	special.known = true;
}

static void mark_special(uintptr_t start, size_t nr_pages, uint8_t *shift)
{
	uintptr_t page;
	size_t i;
	int j;

	if (!special.known)
		find_special();
	for (j = 0; j < special.nr; j++)
		for (i = 0; i < nr_pages; i++) {
			page = start + i * PAGE;
			if (page >= special.range[j].start &&
			    page < special.range[j].end)
				shift[i] = 12;
		}
}

static void read_pagemap(uintptr_t start, size_t nr_pages, uint8_t *shift)
{
	uint64_t *entry = calloc(nr_pages, sizeof(*entry));
	size_t i;

	if (!entry)
		fail("no memory for %zu entries of pagemap", nr_pages);
	pagemap_entries((void *)start, entry, nr_pages);
	for (i = 0; i < nr_pages; i++)
		shift[i] = (entry[i] & PF_PRESENT) ? 12 : 0;
	free(entry);
}

void mapping_sizes(const void *start, size_t nr_pages, uint8_t *shift)
{
	size_t i;
	int fd;

	memset(shift, 0, nr_pages);
	if ((uintptr_t)start >= LIMIT)
		return;
	read_pagemap((uintptr_t)start, nr_pages, shift);
	fd = must(open(proc_path("pagemap"), O_RDONLY | O_CLOEXEC));
	if (!scan_huge(fd, (uintptr_t)start, nr_pages, shift))
		for (i = 0; i < nr_pages; i++)
			shift[i] = shift[i] ? SIZE_UNKNOWN : 0;
	close(fd);
	mark_special((uintptr_t)start, nr_pages, shift);
}
