// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/mempolicy.h>

#include <uapi/pagenode.h>

#include "buffer.h"
#include "file.h"

#define HUGE		(2 * MIB)
#define THP		"/sys/kernel/mm/transparent_hugepage/"

/* More than boot leaves of them */
#define FRAGMENTS	(256 * MIB)

/* How much memory is mapped more than once where a range is to be larger */
#define REPEATED	(1 * GIB)

/* As many as there are patterns, or more */
#define MAX_BUFFERS	24

static void *map(size_t size, int flags)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

/* Where answers go. Every page is touched, so that no fault is timed. */
static void *populated(size_t size)
{
	return map(size, MAP_POPULATE);
}

/* Address space that starts where a huge page can */
static char *reserve(size_t size)
{
	char *p = map(size + HUGE, MAP_NORESERVE);

	return p + (-(uintptr_t)p & (HUGE - 1));
}

static void policy(char *addr, size_t size, int mode, unsigned long nodes)
{
	if (syscall(SYS_mbind, addr, size, mode, &nodes, 8 * sizeof(nodes), 0))
		die("mbind");
}

static void advise(char *addr, size_t size, int advice)
{
	if (madvise(addr, size, advice))
		die("madvise");
}

static void touch(char *addr, size_t size, size_t step)
{
	size_t i;

	for (i = 0; i < size; i += step)
		addr[i] = 1;
}

static void bind_halves(char *addr, size_t size)
{
	policy(addr, size / 2, MPOL_BIND, 1);
	policy(addr + size / 2, size - size / 2, MPOL_BIND, 2);
}

static void fill_small_halves(char *addr, size_t size)
{
	advise(addr, size, MADV_NOHUGEPAGE);
	bind_halves(addr, size);
	touch(addr, size, PAGE);
}

static void fill_large_halves(char *addr, size_t size)
{
	advise(addr, size, MADV_HUGEPAGE);
	bind_halves(addr, size);
	touch(addr, size, PAGE);
}

static void fill_small(char *addr, size_t size)
{
	advise(addr, size, MADV_NOHUGEPAGE);
	policy(addr, size, MPOL_BIND, 1);
	touch(addr, size, PAGE);
}

static void fill_large(char *addr, size_t size)
{
	advise(addr, size, MADV_HUGEPAGE);
	policy(addr, size, MPOL_BIND, 1);
	touch(addr, size, PAGE);
}

static void shuffle(void **list, size_t nr)
{
	uint64_t seed = 1;
	size_t i;

	for (i = 1; i < nr; i++) {
		void *swap = list[i];
		size_t j;

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		j = (seed >> 33) % (i + 1);
		list[i] = list[j];
		list[j] = swap;
	}
}

static void **list_pages(char *addr, size_t nr)
{
	void **list = populated(nr * sizeof(*list));
	size_t i;

	for (i = 0; i < nr; i++)
		list[i] = addr + i * PAGE;
	return list;
}

/* Frames are handed out in the order of the faults, more or less. */
static void fill_random(char *addr, size_t size)
{
	size_t nr = size / PAGE, i;
	void **list = list_pages(addr, nr);

	shuffle(list, nr);
	advise(addr, size, MADV_NOHUGEPAGE);
	/* Not the first node, whose memory has a hole in the middle. */
	policy(addr, size, MPOL_BIND, 2);
	for (i = 0; i < nr; i++)
		*(char *)list[i] = 1;
	munmap(list, nr * sizeof(*list));
}

static void fill_interleaved(char *addr, size_t size)
{
	advise(addr, size, MADV_NOHUGEPAGE);
	policy(addr, size, MPOL_INTERLEAVE, 3);
	touch(addr, size, PAGE);
}

static void fill_sparse(char *addr, size_t size)
{
	advise(addr, size, MADV_NOHUGEPAGE);
	policy(addr, size, MPOL_BIND, 1);
	touch(addr, size, 2 * PAGE);
}

/* Half of the pages are mappings of their own, with holes between them. */
static void fill_mappings(char *addr, size_t size)
{
	size_t i;

	fill_small(addr, size);
	for (i = PAGE; i < size; i += 2 * PAGE)
		if (munmap(addr + i, PAGE))
			die("munmap");
}

static void map_over(char *addr, size_t size, int flags, int fd)
{
	if (mmap(addr, size, PROT_READ | PROT_WRITE, MAP_FIXED | flags, fd,
		 0) == MAP_FAILED)
		die("mmap");
}

/* Shared, so that a query takes the file's lock too. */
static void fill_hugetlb(char *addr, size_t size)
{
	char number[24];

	snprintf(number, sizeof(number), "%zu", size / HUGE);
	file_write("/proc/sys/vm/nr_hugepages", number);
	map_over(addr, size, MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB |
		 MAP_POPULATE, -1);
}

/* More than there is memory for: the same pages again and again */
static void fill_repeated(char *addr, size_t size)
{
	int fd = memfd_create("pages", MFD_CLOEXEC);
	size_t i;

	if (fd < 0 || ftruncate(fd, REPEATED))
		die("memfd_create");
	for (i = 0; i < size; i += REPEATED) {
		map_over(addr + i, REPEATED, MAP_SHARED, fd);
		if (!i)
			bind_halves(addr, REPEATED);
		advise(addr + i, REPEATED, MADV_NOHUGEPAGE);
		touch(addr + i, REPEATED, PAGE);
	}
	close(fd);
}

/* Boot leaves fragments of memory behind, more or less of them each time. */
void buffer_use_up_fragments(void)
{
	char *p = reserve(FRAGMENTS);

	fill_interleaved(p, FRAGMENTS);
}

const struct pattern small_halves = {
	.name = "4K", .size = GIB, .fill = fill_small_halves,
};

const struct pattern huge_halves = {
	.name = "THP", .size = GIB, .folio_kb = 2048, .fill = fill_large_halves,
};

const struct pattern small_node = {
	.name = "4K, one node", .size = 256 * MIB, .fill = fill_small,
};

const struct pattern small_random = {
	.name = "4K, random frames", .size = 256 * MIB, .fill = fill_random,
};

const struct pattern small_interleaved = {
	.name = "4K, interleaved", .size = 256 * MIB, .fill = fill_interleaved,
};

const struct pattern small_sparse = {
	.name = "4K, every second", .size = 256 * MIB, .fill = fill_sparse,
};

const struct pattern one_page = {
	.name = "one page", .size = PAGE, .fill = fill_small,
};

const struct pattern folios_64k = {
	.name = "64K folios", .size = 256 * MIB, .folio_kb = 64,
	.fill = fill_large,
};

const struct pattern folios_256k = {
	.name = "256K folios", .size = 256 * MIB, .folio_kb = 256,
	.fill = fill_large,
};

const struct pattern folios_1m = {
	.name = "1M folios", .size = 256 * MIB, .folio_kb = 1024,
	.fill = fill_large,
};

const struct pattern folios_2m = {
	.name = "2M folios", .size = 256 * MIB, .folio_kb = 2048,
	.fill = fill_large,
};

const struct pattern small_list = {
	.name = "4K, in order", .size = 256 * MIB, .fill = fill_small,
};

const struct pattern shuffled_list = {
	.name = "4K, random order", .size = 256 * MIB, .shuffled = true,
	.fill = fill_small,
};

const struct pattern hole_none = {
	.name = "64 MiB", .size = 64 * MIB, .fill = fill_small,
};

const struct pattern hole_around = {
	.name = "64 MiB in 16 TiB", .size = 64 * MIB, .around = 8192 * GIB,
	.fill = fill_small,
};

const struct pattern many_mappings = {
	.name = "8192 mappings", .size = 64 * MIB, .fill = fill_mappings,
};

const struct pattern hugetlb_shared = {
	.name = "hugetlb, shared", .size = GIB, .fill = fill_hugetlb,
};

const struct pattern small_repeated = {
	.name = "4K, repeated", .size = 16 * GIB, .fill = fill_repeated,
};

/* Kernels before 6.8 have no choice, but 2 MiB. */
static bool allow_only(unsigned int folio_kb)
{
	bool found = false;
	char wanted[80];
	glob_t dirs;
	size_t i;

	snprintf(wanted, sizeof(wanted), THP "hugepages-%ukB/enabled",
		 folio_kb);
	if (glob(THP "hugepages-*kB/enabled", 0, NULL, &dirs))
		return folio_kb == 2048;
	for (i = 0; i < dirs.gl_pathc; i++) {
		const char *path = dirs.gl_pathv[i];
		bool same = !strcmp(path, wanted);

		file_write(path, same ? "madvise" : "never");
		found |= same;
	}
	globfree(&dirs);
	return found;
}

/* How many bytes were handed out in folios of that size */
static size_t folio_bytes(unsigned int folio_kb)
{
	char path[100];

	snprintf(path, sizeof(path), THP
		 "hugepages-%ukB/stats/anon_fault_alloc", folio_kb);
	return file_number(path) * folio_kb * 1024;
}

static bool fill_with_folios(const struct pattern *p, char *addr, size_t size)
{
	size_t before, after;

	if (!allow_only(p->folio_kb))
		return false;
	before = folio_bytes(p->folio_kb);
	p->fill(addr, size);
	after = folio_bytes(p->folio_kb);
	return !after || after - before == size;
}

/* False if the kernel has no such folios. */
static bool buffer_make(struct buffer *b, const struct pattern *p, size_t size)
{
	char *populated_part;

	b->pattern = p;
	b->start = reserve(size + 2 * p->around);
	b->range = (size + 2 * p->around) / PAGE;
	populated_part = b->start + p->around;
	if (!p->folio_kb)
		p->fill(populated_part, size);
	else if (!fill_with_folios(p, populated_part, size))
		return false;
	b->pages = size / PAGE;
	b->list = list_pages(populated_part, b->pages);
	if (p->shuffled)
		shuffle(b->list, b->pages);
	b->truth = populated(b->pages * sizeof(*b->truth));
	if (syscall(SYS_move_pages, 0, b->pages, b->list, NULL, b->truth, 0))
		die("move_pages");
	b->status = populated(b->pages * sizeof(*b->status));
	b->resident = populated(b->pages);
	b->extents = map(MAX_EXTENTS * sizeof(*b->extents), MAP_NORESERVE);
	return true;
}

struct buffer *buffer_of(const struct pattern *pattern, size_t limit)
{
	static struct buffer made[MAX_BUFFERS];
	static size_t nr_made;
	size_t size = pattern->size < limit ? pattern->size : limit, i;

	for (i = 0; i < nr_made; i++)
		if (made[i].pattern == pattern)
			return made + i;
	if (nr_made == MAX_BUFFERS) {
		errno = ENOBUFS;
		die(pattern->name);
	}
	if (!buffer_make(made + nr_made, pattern, size))
		return NULL;
	return made + nr_made++;
}

struct buffer buffer_part(const struct buffer *b, size_t first, size_t nr)
{
	struct buffer part = *b;

	part.start += first * PAGE;
	part.list += first;
	part.truth += first;
	part.status += first;
	part.resident += first;
	part.range = nr;
	part.pages = nr;
	return part;
}
