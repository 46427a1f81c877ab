// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 10: the library in a 32-bit program on the 64-bit kernel, on its device
 * and on move_pages.
 *
 * library32 NODE NODE STATUS: the nodes to put pages on, and what move_pages
 * says of an untouched page. Prints what is wrong, if anything, and exits with 1.
 */
#include <errno.h>
#include <linux/mempolicy.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pagenode.h"

#define PAGE		4096U
#define NR_PAGES	1000
#define NR_IDS		1024

static int nodes[2];
static int untouched;
static const char *who;
static char *memory;

__attribute__((format(printf, 1, 2), noreturn))
static void fail(const char *fmt, ...)
{
	va_list args;

	printf("%s: ", who);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	exit(1);
}

#define REQUIRE(condition)						\
	do {								\
		if (!(condition))					\
			fail("not true: %s: %s", #condition,		\
			     strerror(errno));				\
	} while (0)

/* In turn: on a node, on the other, read but not written, untouched. */
static int want(size_t i)
{
	switch (i % 4) {
	case 0:
	case 1:
		return nodes[i % 4];
	case 2:
		return -EFAULT;
	}
	return untouched;
}

static void bind(int node)
{
	static unsigned long mask[NR_IDS / 8 / sizeof(long)];
	const int bits = 8 * sizeof(mask[0]);

	mask[node / bits] = 1UL << node % bits;
	REQUIRE(!syscall(SYS_set_mempolicy, MPOL_BIND, mask, NR_IDS));
	mask[node / bits] = 0;
}

static void make_memory(void)
{
	volatile char *p;
	size_t i;

	memory = mmap(NULL, NR_PAGES * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(memory != MAP_FAILED);
	madvise(memory, NR_PAGES * PAGE, MADV_NOHUGEPAGE);
	for (i = 0; i < NR_PAGES; i++) {
		p = memory + i * PAGE;
		if (i % 4 < 2) {
			bind(nodes[i % 4]);
			*p = 1;
		} else if (i % 4 == 2) {
			(void)*p;
		}
	}
	REQUIRE(!syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0));
}

static void check_status(struct pagenode *pn, size_t nr)
{
	int status[NR_PAGES + 1];
	size_t i;

	status[nr] = NR_IDS;
	REQUIRE(!pagenode_status(pn, memory + 1, nr * PAGE - 1, status, nr));
	for (i = 0; i < nr; i++)
		if (status[i] != want(i))
			fail("page %zu of %zu: %d, not %d", i, nr, status[i],
			     want(i));
	REQUIRE(status[nr] == NR_IDS);
	REQUIRE(pagenode_status(pn, memory, nr * PAGE, status, nr - 1) == -1);
	REQUIRE(errno == ENOSPC);
}

/* Backwards */
static void check_pages(struct pagenode *pn, size_t nr)
{
	int status[NR_PAGES + 1];
	static void *list[NR_PAGES];
	size_t i;

	status[nr] = NR_IDS;
	for (i = 0; i < nr; i++)
		list[i] = memory + (nr - 1 - i) * PAGE + 5;
	REQUIRE(!pagenode_pages(pn, nr, list, status));
	for (i = 0; i < nr; i++)
		if (status[i] != want(nr - 1 - i))
			fail("address %zu of %zu: %d, not %d", i, nr, status[i],
			     want(nr - 1 - i));
	REQUIRE(status[nr] == NR_IDS);
}

/* As many pages as each extent says must have its status, and the next not. */
static void check_extents(struct pagenode *pn, size_t nr, size_t room)
{
	struct pagenode_extent ext[NR_PAGES];
	const void *next = memory;
	size_t page = 0;
	ssize_t used, i;

	while (page < nr) {
		used = pagenode_extents(pn, next, (nr - page) * PAGE, ext, room,
					&next);
		REQUIRE(used > 0);
		for (i = 0; i < used; i++) {
			REQUIRE(ext[i].start ==
				(uintptr_t)memory + page * PAGE);
			for (; ext[i].nr_pages; ext[i].nr_pages--, page++)
				REQUIRE(page < nr &&
					ext[i].status == want(page));
			REQUIRE(page == nr || ext[i].status != want(page));
		}
		REQUIRE(next == memory + page * PAGE);
	}
}

static void check_counts(struct pagenode *pn, size_t nr)
{
	static uint64_t node[NR_IDS];
	struct pagenode_counts counts = { .node = node, .nr_nodes = NR_IDS };
	uint64_t expected[NR_IDS] = { 0 };
	uint64_t nr_enoent = 0;
	uint64_t nr_efault = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		nr_enoent += want(i) == -ENOENT;
		nr_efault += want(i) == -EFAULT;
		if (want(i) >= 0)
			expected[want(i)]++;
	}
	REQUIRE(!pagenode_counts(pn, memory, nr * PAGE, &counts));
	REQUIRE(!memcmp(node, expected, sizeof(node)));
	REQUIRE(counts.nr_enoent == nr_enoent);
	REQUIRE(counts.nr_efault == nr_efault);
	counts.nr_nodes = 0;
	REQUIRE(pagenode_counts(pn, memory, nr * PAGE, &counts) == -1);
	REQUIRE(errno == ENOSPC);
	REQUIRE((int)counts.nr_nodes ==
		1 + (nodes[0] > nodes[1] || nr == 1 ? nodes[0] : nodes[1]));
}

/* The last page that 32 bits can name, and what goes past it */
static void check_top(struct pagenode *pn)
{
	const char *top = (const char *)-(uintptr_t)PAGE;
	struct pagenode_extent ext;
	const void *next = top;
	int status[17];

	REQUIRE(!pagenode_status(pn, top + PAGE - 1, 1, status, 1));
	REQUIRE(status[0] < 0);
	REQUIRE(pagenode_extents(pn, top, PAGE, &ext, 1, &next) == 1);
	REQUIRE(ext.nr_pages == 1 && ext.start == (uintptr_t)top && !next);
	REQUIRE(pagenode_status(pn, top, PAGE + 1, status, 17) == -1);
	REQUIRE(errno == EINVAL);
	REQUIRE(pagenode_status(pn, top, SIZE_MAX, status, 17) == -1);
	REQUIRE(errno == EINVAL);
}

static void check(struct pagenode *pn)
{
	static const size_t sizes[] = { 1, 15, 16, 17, 18, 33, 513, NR_PAGES };
	size_t i;

	REQUIRE(pn);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		check_status(pn, sizes[i]);
		check_pages(pn, sizes[i]);
		check_extents(pn, sizes[i], NR_PAGES);
		check_extents(pn, sizes[i], 1);
		check_counts(pn, sizes[i]);
	}
	check_top(pn);
	pagenode_close(pn);
}

int main(int argc, char **argv)
{
	who = "library32";
	if (argc != 4)
		fail("usage: library32 NODE NODE STATUS");
	nodes[0] = atoi(argv[1]);
	nodes[1] = atoi(argv[2]);
	make_memory();

	who = "32-bit device";
	untouched = -ENOENT;
	check(pagenode_open(PAGENODE_OPEN_DEVICE));
	check(pagenode_open_pid(getpid(), PAGENODE_OPEN_DEVICE));
	who = "32-bit move_pages";
	untouched = atoi(argv[3]);
	check(pagenode_open(PAGENODE_OPEN_MOVE_PAGES));
	check(pagenode_open_pid(getpid(), PAGENODE_OPEN_MOVE_PAGES));
	return 0;
}
