// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of the world that never change. What keeps each page where it is:
 *
 * - mlock(2) against reclaim, and against compaction while unevictable pages are
 *   none of its business (vm.compact_unevictable_allowed), which the program
 *   sees to;
 * - a policy of the mapping's own against NUMA balancing, which leaves those
 *   without MPOL_F_MOF alone;
 * - MADV_NOHUGEPAGE against khugepaged, or a huge page that is there already;
 * - the memory block that goes offline is offline while this is made;
 * - nobody writes here later, so that no fork(2) leads to a copy on write;
 * - whoever calls migrate_pages(2), which respects none of this, unmaps it first.
 *
 * Pages of hugetlb, of the device and zero pages are not moved by any of these.
 */
#include "world.h"

#include <fcntl.h>
#include <sys/syscall.h>

uint64_t entry_on_a;
uint64_t entry_on_b;

static char *map_part(size_t page, size_t nr_pages, int flags, int fd)
{
	char *p = world + page * PAGE;

	must((long)mmap(p, nr_pages * PAGE, PROT_READ | PROT_WRITE,
			MAP_FIXED_NOREPLACE | flags, fd, 0));
	return p;
}

static char *map_own(size_t page, size_t nr_pages)
{
	char *p = map_part(page, nr_pages, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	no_thp(p, nr_pages * PAGE);
	return p;
}

static char *map_own_huge(size_t page)
{
	char *p = map_part(page, HUGE_PAGES, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	must(madvise(p, HUGE, MADV_HUGEPAGE));
	return p;
}

/* Data that no kernel takes for zeroes, and that names node_a() as a table. */
static void fill(char *p, size_t nr_pages)
{
	uint64_t *word = (uint64_t *)p;
	size_t i;

	for (i = 0; i < nr_pages * PAGE / sizeof(*word); i++)
		word[i] = entry_on_a;
}

static void keep(char *p, size_t nr_pages)
{
	bind_range(node_b(), p, nr_pages * PAGE);
	must(mlock(p, nr_pages * PAGE));
}

static void want(size_t page, size_t nr_pages, uint64_t may, uint8_t shift)
{
	size_t i;

	for (i = page; i < page + nr_pages; i++) {
		host_wants.may[i] = may;
		host_wants.shift[i] = shift;
	}
}

static void want_status(size_t page, size_t nr_pages, int status, uint8_t shift)
{
	want(page, nr_pages, status_bit(status), shift);
}

static void put_in_turn(size_t page, size_t nr_pages)
{
	size_t i;
	int node;

	for (i = page; i < page + nr_pages; i++) {
		node = i % 2 ? node_b() : node_a();
		touch_on(node, world + i * PAGE, PAGE);
		want_status(i, 1, node, 12);
	}
}

static uint64_t entry_of(const char *page)
{
	uint64_t entry;
	uint64_t pfn;

	pagemap_entries(page, &entry, 1);
	pfn = pagemap_pfn(entry);
	if (!pfn)
		fail("/proc/self/pagemap tells no frame number");
	/* present, writable, of user space, accessed, dirty */
	return pfn * PAGE | 0x67;
}

static void make_small(size_t page)
{
	char *p = map_own(page, HUGE_PAGES);

	touch_on(node_a(), p, 128 * PAGE);
	touch_on(node_b(), p + 128 * PAGE, 128 * PAGE);
	want_status(page, 128, node_a(), 12);
	want_status(page + 128, 128, node_b(), 12);
	put_in_turn(page + 256, 128);
	want_status(page + 384, 128, -ENOENT, 0);
	keep(p, 384);
	entry_on_a = entry_of(p);
	entry_on_b = entry_of(p + 128 * PAGE);
}

static void make_beside(size_t page)
{
	char *p = map_own(page, 256);

	put_in_turn(page, 256);
	keep(p, 256);
}

static char *make_thp(size_t page)
{
	char *p = map_own_huge(page);

	touch_on(node_b(), p, HUGE);
	if (!page_is(p, KPF_THP))
		fail("writing a huge page gave no THP");
	fill(p, HUGE_PAGES);
	keep(p, HUGE_PAGES);
	want_status(page, HUGE_PAGES, node_b(), 21);
	return p;
}

static void make_hugetlb(size_t page)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB;
	char *p;

	bind_task(node_b());
	p = map_part(page, HUGE_PAGES, flags, -1);
	touch(p, PAGE);
	unbind_task();
	fill(p, HUGE_PAGES);
	want_status(page, HUGE_PAGES, node_b(), 21);
}

static void make_shmem(size_t page)
{
	char *p = map_part(page, 128, MAP_SHARED, files.steady);

	no_thp(p, 128 * PAGE);
	put_in_turn(page, 128);
	keep(p, 128);
}

/* After it, only the part's last pages, which are a hole, are left. */
static void make_secret(size_t page)
{
	int fd = syscall(SYS_memfd_secret, O_CLOEXEC);
	char *p;

	if (fd < 0)
		return;
	must(ftruncate(fd, 8 * PAGE));
	p = map_part(page, 8, MAP_SHARED, fd);
	touch_on(node_b(), p, 8 * PAGE);
	want_status(page, 8, node_b(), 12);
	close(fd);
}

/* No PC has memory there, as the zoo knows. */
#define DEVICE_ADDRESS	0xfea00000UL

static void make_device(size_t page)
{
	int fd = open("/dev/mem", O_RDONLY | O_CLOEXEC);
	void *p;

	if (fd < 0)
		return;
	p = mmap(world + page * PAGE, 4 * PAGE, PROT_READ,
		 MAP_SHARED | MAP_FIXED_NOREPLACE, fd, DEVICE_ADDRESS);
	if (p != MAP_FAILED)
		want_status(page, 4, -ENOENT, 12);
	close(fd);
}

static void make_mixed(size_t page)
{
	want_status(page, HUGE_PAGES, -EFAULT, 0);
	make_shmem(page);
	read_touch(map_own(page + 128, 64), 64 * PAGE);
	want_status(page + 128, 64, -EFAULT, 12);
	make_secret(page + 256);
	make_device(page + 320);
}

static void make_huge_zero(size_t page)
{
	char *p = map_own_huge(page);

	read_touch(p, PAGE);
	if (!page_is(p + PAGE, KPF_ZERO_PAGE))
		fail("reading a huge page gave no huge zero page");
	want_status(page, HUGE_PAGES, -EFAULT, 21);
}

static void make_none_small(size_t page)
{
	char *p = map_own(page, 256);

	want_status(page, HUGE_PAGES, -EFAULT, 0);
	put_in_turn(page, 256);
	keep(p, 256);
	must(mprotect(p, 256 * PAGE, PROT_NONE));
}

/*
 * Of shared mappings, and of those with zero pages only, fork(2) leaves it to the
 * copy to find the pages again.
 */
static void may_lack(size_t page, size_t nr_pages)
{
	size_t i;

	for (i = page; i < page + nr_pages; i++) {
		copy_wants.may[i] = host_wants.may[i] | ABSENT;
		copy_wants.shift[i] = 0;
	}
}

static void plan_copy(void)
{
	size_t i;

	copy_wants = host_wants;
	for (i = ONE_NODE * HUGE_PAGES; i < WORLD_PAGES; i++)
		if (i < GAP * HUGE_PAGES || i >= POOL * HUGE_PAGES)
			copy_wants.may[i] = any_status;
	may_lack(MIXED_PART * HUGE_PAGES, 128 + 64);
	may_lack(MIXED_PART * HUGE_PAGES + 256, 8);
	may_lack(HUGE_ZERO_PART * HUGE_PAGES, HUGE_PAGES);
}

static void map_pool(void)
{
	map_part(POOL * HUGE_PAGES, POOL_SIZE / PAGE,
		 MAP_SHARED | MAP_NORESERVE, files.pool);
}

void make_world(void)
{
	make_small(SMALL_PART * HUGE_PAGES);
	make_thp(THP_PART * HUGE_PAGES);
	make_beside(BESIDE_PART * HUGE_PAGES);
	must(mprotect(make_thp(NONE_PART * HUGE_PAGES), HUGE, PROT_NONE));
	make_hugetlb(HUGETLB_PART * HUGE_PAGES);
	make_mixed(MIXED_PART * HUGE_PAGES);
	make_huge_zero(HUGE_ZERO_PART * HUGE_PAGES);
	make_none_small(NONE_SMALL_PART * HUGE_PAGES);
	want_status(GAP * HUGE_PAGES, (POOL - GAP) * HUGE_PAGES, -EFAULT, 0);
	map_pool();
	plan_copy();
}
