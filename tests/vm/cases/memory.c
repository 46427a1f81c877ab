// SPDX-License-Identifier: GPL-2.0-only
/* Mappings, and pages put on a node. No libnuma: the raw system calls. */
#include "case.h"

#include <linux/memfd.h>
#include <linux/mempolicy.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#define MASK_WORDS	16
#define MASK_BITS	(MASK_WORDS * 64)

struct nodemask {
	unsigned long word[MASK_WORDS];
};

static struct nodemask mask_of(int node)
{
	struct nodemask mask = { 0 };

	mask.word[node / 64] = 1UL << (node % 64);
	return mask;
}

/* Far below everything that the kernel places by itself. */
#define QUIET_BASE	(1UL << 45)

void *quiet_room(size_t len)
{
	static atomic_uintptr_t next = QUIET_BASE;
	size_t size = (len + 2 * HUGE - 1) & ~(HUGE - 1);

	return (void *)atomic_fetch_add(&next, size + HUGE);
}

void *map_huge_aligned(size_t len)
{
	void *p = quiet_room(len);

	must((long)mmap(p, len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			MAP_FIXED_NOREPLACE, -1, 0));
	return p;
}

/* A kernel without THP refuses the advice. */
void no_thp(void *addr, size_t len)
{
	if (madvise(addr, len, MADV_NOHUGEPAGE) && have_thp())
		fail("MADV_NOHUGEPAGE: %s", strerror(errno));
}

void *map_anon(size_t len)
{
	void *p = map_huge_aligned(len);

	no_thp(p, len);
	return p;
}

void *map_thp(size_t len)
{
	void *p = map_huge_aligned(len);

	must(madvise(p, len, MADV_HUGEPAGE));
	return p;
}

void touch(void *addr, size_t len)
{
	volatile char *p = addr;
	size_t i;

	for (i = 0; i < len; i += PAGE)
		p[i] = 1;
}

void read_touch(const void *addr, size_t len)
{
	const volatile char *p = addr;
	size_t i;

	for (i = 0; i < len; i += PAGE)
		(void)p[i];
}

void bind_task(int node)
{
	struct nodemask mask = mask_of(node);

	if (have_numa())
		must(syscall(SYS_set_mempolicy, MPOL_BIND, &mask, MASK_BITS));
}

void unbind_task(void)
{
	if (have_numa())
		must(syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0));
}

/*
 * The task's policy decides where the pages go, so that the mapping has none
 * of its own and NUMA balancing takes it for what it is.
 */
void touch_on(int node, void *addr, size_t len)
{
	bind_task(node);
	touch(addr, len);
	unbind_task();
}

void bind_range(int node, void *addr, size_t len)
{
	struct nodemask mask = mask_of(node);

	if (have_numa())
		must(syscall(SYS_mbind, addr, len, MPOL_BIND, &mask, MASK_BITS,
			     0));
}

int new_memfd(size_t len, unsigned int flags)
{
	int fd = must(memfd_create("cases", MFD_CLOEXEC | flags));

	must(ftruncate(fd, len));
	return fd;
}

/*
 * A huge writable buffer that takes the memory of one huge page: the same page
 * of a file mapped again and again.
 */
void *map_repeated(size_t len)
{
	char *p = quiet_room(len);
	size_t i;
	int fd;

	want_hugetlb(node_a(), 1);
	fd = new_memfd(HUGE, MFD_HUGETLB | MFD_HUGE_2MB);
	for (i = 0; i < len; i += HUGE)
		must((long)mmap(p + i, HUGE, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0));
	close(fd);
	return p;
}
