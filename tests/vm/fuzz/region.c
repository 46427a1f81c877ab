// SPDX-License-Identifier: GPL-2.0-only
/* The steady region: a few pages of many kinds, with holes, in one stretch. */
#include "fuzz.h"

#define REGION_PAGES	(6 * HUGE_PAGES)
#define ZERO		(3 * HUGE_PAGES)

char *region;
size_t region_pages = REGION_PAGES;

static int status[REGION_PAGES];
static int again[REGION_PAGES];

static char *at(size_t page)
{
	return region + page * PAGE;
}

static void map(size_t page, size_t nr, int flags, int fd)
{
	if (fd < 0)
		flags |= MAP_ANONYMOUS;
	must((long)mmap(at(page), nr * PAGE, PROT_READ | PROT_WRITE,
			flags | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0));
}

static void touch_every(int node, size_t page, size_t end, size_t step)
{
	for (; page < end; page += step)
		touch_on(node, at(page), PAGE);
}

/* The first huge page's worth: base pages in runs, in turns, and alone */
static void make_small(void)
{
	map(3, 477, MAP_PRIVATE, -1);
	no_thp(at(3), 477 * PAGE);
	touch_on(node_a(), at(3), 40 * PAGE);
	touch_on(node_b(), at(44), 20 * PAGE);
	touch_every(node_a(), 64, 160, 2);
	touch_every(node_b(), 65, 160, 2);
	touch_every(node_b(), 160, 260, 3);
	read_touch(at(260), 10 * PAGE);
	touch_on(node_a(), at(280), 8 * PAGE);
	must(mprotect(at(282), 3 * PAGE, PROT_NONE));
	touch_every(node_a(), 300, 330, 7);
	touch_on(node_b(), at(332), 100 * PAGE);
	touch_on(node_a(), at(450), PAGE);
	must(munmap(at(470), PAGE));
}

static void touch_shared(void)
{
	touch(at(484), 20 * PAGE);
}

static void make_shared(void)
{
	int fd = new_memfd(32 * PAGE, 0);

	map(480, 32, MAP_SHARED, fd);
	close(fd);
	bind_task(node_b());
	touch_shared();
	unbind_task();
}

/* Where the kernel has huge pages; else what it makes of that. */
static void make_huge(size_t page, int prot, bool zero)
{
	map(page, HUGE_PAGES, MAP_PRIVATE, -1);
	if (have_thp())
		must(madvise(at(page), HUGE, MADV_HUGEPAGE));
	if (zero)
		read_touch(at(page), HUGE);
	else
		touch_on(node_b(), at(page), HUGE);
	must(mprotect(at(page), HUGE, prot));
}

void region_open(void)
{
	set_thp_madvise();
	region = map_huge_aligned(REGION_PAGES * PAGE);
	must(munmap(region, REGION_PAGES * PAGE));
	make_small();
	make_shared();
	make_huge(HUGE_PAGES, PROT_READ | PROT_WRITE, false);
	make_huge(2 * HUGE_PAGES, PROT_NONE, false);
	make_huge(ZERO, PROT_READ, true);
	map(4 * HUGE_PAGES, HUGE_PAGES, MAP_PRIVATE, -1);
	no_thp(at(4 * HUGE_PAGES), HUGE);
	touch_on(node_a(), at(4 * HUGE_PAGES), HUGE);
	must(madvise(at(4 * HUGE_PAGES + 100), 50 * PAGE, MADV_DONTNEED));
	kernel_status(region, REGION_PAGES, status);
}

/* fork() leaves a zero page alone if none of its VMA was ever written to. */
void region_touch_in_child(void)
{
	touch_shared();
	read_touch(at(ZERO), HUGE);
}

static const int *known(uint64_t addr)
{
	uint64_t page = (addr - (uintptr_t)region) / PAGE;

	return addr >= (uintptr_t)region && page < REGION_PAGES ?
		&status[page] : NULL;
}

/* Before 6.12 the kernel itself says an error of more pages. */
static bool vague(int kernels)
{
	static int old = -1;

	if (old < 0)
		old = !kernel_at_least(6, 12);
	return old && kernels < 0;
}

int region_status(uint64_t addr)
{
	const int *s = known(addr);

	return s && !vague(*s) ? *s : ANY_STATUS;
}

static void add(struct region_answer *a, int s, int last)
{
	a->nr_extents += s != last;
	if (s == -ENOENT)
		a->nr_enoent++;
	else if (s >= 0)
		a->count[s]++;
	if (s >= 0 && (uint64_t)s >= a->nr_nodes)
		a->nr_nodes = s + 1;
}

/* Where an extent ends for the sake of sizes is not known. */
const struct region_answer *region_answer(const struct call *call)
{
	static struct region_answer a;
	const struct pagenode_query *q = &call->q;
	int s, last = ANY_STATUS;
	uint64_t i;

	memset(&a, 0, sizeof(a));
	if (q->nr_pages > region_pages || !call->target.ours ||
	    q->flags & PAGENODE_F_SPLIT_PAGE_SIZE)
		return &a;
	for (i = 0; i < q->nr_pages; i++, last = s) {
		s = region_status(q->start + i * PAGE);
		if (s == ANY_STATUS)
			return &a;
		add(&a, s, last);
	}
	a.known = true;
	return &a;
}

void region_check(void)
{
	size_t i;

	kernel_status(region, REGION_PAGES, again);
	for (i = 0; i < REGION_PAGES; i++)
		if (again[i] != status[i])
			fail("page %zu of the region has changed from %s to %s",
			     i, status_name(status[i]), status_name(again[i]));
}
