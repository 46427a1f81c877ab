// SPDX-License-Identifier: GPL-2.0-only
/* PAGENODE_IOC_EXTENTS: extents that a case knows beforehand, one by one. */
#include "case.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/mman.h>
#include <sys/stat.h>

#include "zoo.h"

#include "shapes.h"

#define SPLIT		PAGENODE_F_SPLIT_PAGE_SIZE
#define GIB		(1UL << 30)
#define GIB_PAGES	(GIB / PAGE)

/* What a case expects, put together from the front to the back. */
struct plan {
	const char *start;
	uint64_t nr_pages;
	struct pagenode_extent *extent;
	size_t nr;
	size_t room;
};

static struct plan new_plan(const void *start, size_t room)
{
	struct plan plan = { .start = start, .room = room };

	plan.extent = calloc(room, sizeof(*plan.extent));
	if (!plan.extent)
		fail("no memory for a plan of %zu extents", room);
	return plan;
}

static void plan_extent(struct plan *plan, uint64_t nr_pages, int status,
			unsigned int shift)
{
	if (plan->nr == plan->room)
		fail("a plan has more than %zu extents", plan->room);
	plan->extent[plan->nr++] = (struct pagenode_extent){
		.start = (uintptr_t)plan->start + plan->nr_pages * PAGE,
		.nr_pages = nr_pages,
		.status = status,
		.page_shift = shift,
	};
	plan->nr_pages += nr_pages;
}

/* Adds to the last extent, if it has that status. */
static void plan_page(struct plan *plan, int status, unsigned int shift)
{
	if (plan->nr && plan->extent[plan->nr - 1].status == status) {
		plan->extent[plan->nr - 1].nr_pages++;
		plan->nr_pages++;
	} else {
		plan_extent(plan, 1, status, shift);
	}
}

static void same_extent(const char *name, size_t i,
			const struct pagenode_extent *got,
			const struct pagenode_extent *want)
{
	if (!memcmp(got, want, sizeof(*got)))
		return;
	fail("%s: extent %zu: %llu pages at %#llx, %s, page_shift %u, not %llu at %#llx, %s, %u",
	     name, i, (unsigned long long)got->nr_pages,
	     (unsigned long long)got->start, status_name(got->status),
	     got->page_shift, (unsigned long long)want->nr_pages,
	     (unsigned long long)want->start, status_name(want->status),
	     want->page_shift);
}

/*
 * In arrays of @room extents, one call after another. Each but the last fills
 * its array, and ends where the next extent begins.
 */
static void want_in_steps(const char *name, const struct plan *plan,
			  uint32_t flags, size_t room)
{
	const uint64_t end = (uintptr_t)plan->start + plan->nr_pages * PAGE;
	struct pagenode_extent *got = new_extents(room);
	struct pagenode_query q =
		shape_question(plan->start, plan->nr_pages, got, room);
	size_t done = 0;
	size_t i;

	q.flags = flags;
	while (done < plan->nr) {
		want_answer(name, PAGENODE_IOC_EXTENTS, &q, 0);
		if (q.out_count !=
		    (plan->nr - done < room ? plan->nr - done : room))
			fail("%s: %llu extents after the first %zu of %zu, in an array of %zu",
			     name, (unsigned long long)q.out_count, done,
			     plan->nr, room);
		for (i = 0; i < q.out_count; i++)
			same_extent(name, done + i, got + i,
				    plan->extent + done + i);
		done += i;
		if (q.next != (done < plan->nr ? plan->extent[done].start :
						 end))
			fail("%s: next is %#llx after %zu extents of %zu", name,
			     (unsigned long long)q.next, done, plan->nr);
		q.start = q.next;
		q.nr_pages = (end - q.start) / PAGE;
	}
	free_extents(got, room);
}

/* In one call, in arrays that just suffice or do not, and in small steps. */
static void want_plan(const char *name, const struct plan *plan, uint32_t flags)
{
	size_t step;

	want_in_steps(name, plan, flags, plan->nr + 1);
	want_in_steps(name, plan, flags, plan->nr);
	if (plan->nr > 1)
		want_in_steps(name, plan, flags, plan->nr - 1);
	for (step = 1; step <= 7; step++)
		want_in_steps(name, plan, flags, step);
}

/* Where all mappings have one size, splitting by size changes nothing. */
static void want_plan_both(const char *name, const struct plan *plan)
{
	want_plan(name, plan, 0);
	want_plan(name, plan, SPLIT);
}

static void extents_present_absent_hole(void)
{
	char *p = map_anon(100 * PAGE);
	struct plan plan = new_plan(p - 5 * PAGE, 8);

	touch_on(node_b(), p + 10 * PAGE, 20 * PAGE);
	touch_on(node_a(), p + 40 * PAGE, PAGE);
	must(munmap(p + 60 * PAGE, 3 * PAGE));
	plan_extent(&plan, 5, -EFAULT, 0);
	plan_extent(&plan, 10, -ENOENT, 0);
	plan_extent(&plan, 20, node_b(), 12);
	plan_extent(&plan, 10, -ENOENT, 0);
	plan_extent(&plan, 1, node_a(), 12);
	plan_extent(&plan, 19, -ENOENT, 0);
	plan_extent(&plan, 3, -EFAULT, 0);
	plan_extent(&plan, 37, -ENOENT, 0);
	want_plan_both("present, absent, hole", &plan);
}

static void extents_no_pages(void)
{
	struct pagenode_query q = shape_question(map_anon(PAGE), 0, NULL, 0);

	want_answer("no pages", PAGENODE_IOC_EXTENTS, &q, 0);
	if (q.out_count || q.next != q.start)
		fail("no pages: out_count %llu, next - start %llu",
		     (unsigned long long)q.out_count,
		     (unsigned long long)(q.next - q.start));
}

static void extents_no_room(void)
{
	struct pagenode_query q = shape_question(map_anon(PAGE), 1, NULL, 0);

	want_answer("no room", PAGENODE_IOC_EXTENTS, &q, 0);
	if (q.out_count || q.next != q.start)
		fail("no room: out_count %llu, next - start %llu",
		     (unsigned long long)q.out_count,
		     (unsigned long long)(q.next - q.start));
}

/* Neighbours never agree, so that each page is an extent. */
static void extents_interleaved(void)
{
	const size_t nr = 20000;
	char *p = map_anon(nr * PAGE);
	struct plan plan = new_plan(p, nr);
	size_t i;

	bind_task(node_b());
	for (i = 0; i < nr; i += 2)
		touch(p + i * PAGE, PAGE);
	for (i = 0; i < nr; i++)
		plan_extent(&plan, 1, i % 2 ? -ENOENT : node_b(),
			    i % 2 ? 0 : 12);
	want_plan_both("every second page", &plan);
	if (nr_nodes() < 2)
		return;
	bind_task(node_a());
	for (i = 1; i < nr; i += 2)
		touch(p + i * PAGE, PAGE);
	for (i = 1; i < nr; i += 2) {
		plan.extent[i].status = node_a();
		plan.extent[i].page_shift = 12;
	}
	want_plan_both("two nodes in turns", &plan);
}

/*
 * Runs of 1 to 20 pages, so that they begin and end anywhere in a group of
 * entries and in a page table, and whatever buffers there are fill up anywhere.
 */
static void extents_random_runs(void)
{
	const int status[] = { node_a(), node_b(), -ENOENT };
	const size_t nr = 30000;
	char *p = map_anon(nr * PAGE);
	struct plan plan = new_plan(p, nr);
	uint64_t state = 3;
	size_t len;
	size_t i;
	int s;

	while (plan.nr_pages < nr) {
		s = status[zoo_random(&state) % 3];
		len = 1 + zoo_random(&state) % (zoo_random(&state) % 2 ? 20 : 3);
		if (len > nr - plan.nr_pages)
			len = nr - plan.nr_pages;
		if (s >= 0)
			touch_on(s, p + plan.nr_pages * PAGE, len * PAGE);
		for (i = 0; i < len; i++)
			plan_page(&plan, s, s < 0 ? 0 : 12);
	}
	want_plan_both("random runs", &plan);
	note("%zu extents", plan.nr);
}

#define NR_VMAS 20000

/*
 * Pages of one status are one extent, however many mappings they lie in; with
 * every second one gone, each is its own.
 */
static void extents_many_vmas(void)
{
	char *p = map_anon(NR_VMAS * PAGE);
	struct plan one = new_plan(p, 1);
	struct plan many = new_plan(p, NR_VMAS);
	size_t i;

	touch_on(node_b(), p, NR_VMAS * PAGE);
	for (i = 0; i < NR_VMAS; i += 2)
		must(mprotect(p + i * PAGE, PAGE, PROT_READ));
	plan_extent(&one, NR_VMAS, node_b(), 12);
	want_plan_both("many mappings", &one);
	for (i = 0; i < NR_VMAS; i++) {
		if (i % 2)
			must(munmap(p + i * PAGE, PAGE));
		plan_extent(&many, 1, i % 2 ? -EFAULT : node_b(),
			    i % 2 ? 0 : 12);
	}
	want_plan_both("many mappings and holes", &many);
}

/* More page tables than one hold of any lock should last for. */
static void extents_many_tables(void)
{
	const size_t tables = 300;
	const size_t nr = 40000;
	char *p = map_anon(tables * HUGE);
	char *q = map_anon(nr * PAGE);
	struct plan sparse = new_plan(p, 2 * tables);
	struct plan dense = new_plan(q, 1);
	size_t i;

	bind_task(node_b());
	for (i = 0; i < tables; i++) {
		touch(p + i * HUGE, PAGE);
		plan_extent(&sparse, 1, node_b(), 12);
		plan_extent(&sparse, HUGE_PAGES - 1, -ENOENT, 0);
	}
	want_plan_both("a page in each table", &sparse);
	touch(q, nr * PAGE);
	plan_extent(&dense, nr, node_b(), 12);
	want_plan_both("full tables", &dense);
}

static void need_thp(void)
{
	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
}

static void touch_thp_on(int node, char *p)
{
	touch_on(node, p, PAGE);
	if (!page_is(p + HUGE - PAGE, KPF_THP))
		fail("writing a huge page gave no THP");
}

/* Two huge pages, one in small pieces, a huge one, and a part of one. */
static char *thp_and_small(void)
{
	char *p = map_huge_aligned(5 * HUGE);

	must(madvise(p, 2 * HUGE, MADV_HUGEPAGE));
	must(madvise(p + 2 * HUGE, HUGE, MADV_NOHUGEPAGE));
	must(madvise(p + 3 * HUGE, 2 * HUGE, MADV_HUGEPAGE));
	touch_thp_on(node_b(), p);
	touch_thp_on(node_b(), p + HUGE);
	touch_on(node_b(), p + 2 * HUGE, HUGE);
	touch_thp_on(node_b(), p + 3 * HUGE);
	touch_thp_on(node_a(), p + 4 * HUGE);
	return p;
}

static void extents_thp(void)
{
	struct plan split;
	struct plan plan;
	char *p;

	need_thp();
	p = thp_and_small() + 3 * PAGE;
	plan = new_plan(p, 4);
	split = new_plan(p, 4);
	plan_extent(&split, 2 * HUGE_PAGES - 3, node_b(), 21);
	plan_extent(&split, HUGE_PAGES, node_b(), 12);
	plan_extent(&split, HUGE_PAGES, node_b(), 21);
	if (nr_nodes() > 1) {
		plan_extent(&plan, 4 * HUGE_PAGES - 3, node_b(), 12);
		plan_extent(&plan, 5, node_a(), 21);
		plan_extent(&split, 5, node_a(), 21);
	} else {
		plan_extent(&plan, 4 * HUGE_PAGES + 2, node_b(), 12);
		split.extent[2].nr_pages += 5;
		split.nr_pages += 5;
	}
	want_plan("THP and small pages", &plan, 0);
	want_plan("THP and small pages, split", &split, SPLIT);
	plan = new_plan(p + HUGE - 10 * PAGE, 1);
	plan_extent(&plan, 20, node_b(), 21);
	want_plan_both("inside of two THP", &plan);
	plan = new_plan(p - 2 * PAGE, 1);
	plan_extent(&plan, 1, node_b(), 21);
	want_plan_both("one page of a THP", &plan);
}

/* A hole, the huge zero page and small ones: one status, three sizes. */
static void extents_zero_pages(void)
{
	struct plan split;
	struct plan plan;
	char *p;

	need_thp();
	p = map_huge_aligned(3 * HUGE);
	must(madvise(p, HUGE, MADV_HUGEPAGE));
	must(madvise(p + HUGE, 2 * HUGE, MADV_NOHUGEPAGE));
	read_touch(p, PAGE);
	if (!page_is(p, KPF_ZERO_PAGE) || !page_is(p + HUGE / 2, KPF_ZERO_PAGE))
		fail("reading a huge page gave no huge zero page");
	read_touch(p + HUGE, 7 * PAGE);
	must(munmap(p + HUGE + 7 * PAGE, 9 * PAGE));
	plan = new_plan(p - 4 * PAGE, 2);
	plan_extent(&plan, 4 + HUGE_PAGES + 7 + 9, -EFAULT, 12);
	plan_extent(&plan, 20, -ENOENT, 0);
	want_plan("hole and zero pages", &plan, 0);
	split = new_plan(p - 4 * PAGE, 5);
	plan_extent(&split, 4, -EFAULT, 0);
	plan_extent(&split, HUGE_PAGES, -EFAULT, 21);
	plan_extent(&split, 7, -EFAULT, 12);
	plan_extent(&split, 9, -EFAULT, 0);
	plan_extent(&split, 20, -ENOENT, 0);
	want_plan("hole and zero pages, split", &split, SPLIT);
	plan = new_plan(p - 4 * PAGE, 1);
	plan_extent(&plan, 4 + 10, -EFAULT, 21);
	want_plan("hole and huge zero page", &plan, 0);
	plan = new_plan(p - 4 * PAGE, 1);
	plan_extent(&plan, 4, -EFAULT, 0);
	want_plan_both("hole", &plan);
}

static void extents_hugetlb(void)
{
	char *p = quiet_room(3 * HUGE);
	struct plan plan = new_plan(p, 2);

	want_hugetlb(node_b(), 3);
	must((long)mmap(p, 3 * HUGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
			MAP_HUGE_2MB | MAP_FIXED_NOREPLACE, -1, 0));
	touch_on(node_b(), p, PAGE);
	touch_on(node_b(), p + HUGE, PAGE);
	plan_extent(&plan, 2 * HUGE_PAGES, node_b(), 21);
	plan_extent(&plan, HUGE_PAGES, -ENOENT, 0);
	want_plan_both("hugetlb", &plan);
	must(munmap(p, 3 * HUGE));
}

#define GIB_POOL \
	"/sys/devices/system/node/node%d/hugepages/hugepages-1048576kB/" \
	"nr_hugepages"

/* Maps a 1 GiB page at @p and gives the pool's file back. */
static void map_1g_page(char *p, int node, char *pool, size_t size)
{
	snprintf(pool, size, GIB_POOL, node);
	if (!have_path(pool))
		skip("this machine has no 1 GiB pages");
	if (try_write(pool, "1") || read_number(pool) < 1)
		skip("node %d has no free 1 GiB page", node);
	must((long)mmap(p, GIB, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
			MAP_HUGE_1GB | MAP_FIXED_NOREPLACE, -1, 0));
	touch_on(node, p, PAGE);
}

/* A THP, a 1 GiB page, another THP, and small pages, all on one node. */
static void extents_three_sizes(void)
{
	uintptr_t room = (uintptr_t)quiet_room(4 * GIB);
	char *p = (char *)((room + 2 * GIB) & ~(GIB - 1));
	char *q = p + GIB;
	struct plan split;
	struct plan plan;
	char pool[128];

	need_thp();
	map_1g_page(p, node_b(), pool, sizeof(pool));
	must((long)mmap(p - HUGE, HUGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			0));
	must((long)mmap(q, 2 * HUGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			0));
	must(madvise(p - HUGE, HUGE, MADV_HUGEPAGE));
	must(madvise(q, HUGE, MADV_HUGEPAGE));
	must(madvise(q + HUGE, HUGE, MADV_NOHUGEPAGE));
	touch_thp_on(node_b(), p - HUGE);
	touch_thp_on(node_b(), q);
	touch_on(node_b(), q + HUGE, 8 * PAGE);

	plan = new_plan(p - HUGE, 2);
	plan_extent(&plan, GIB_PAGES + 2 * HUGE_PAGES + 8, node_b(), 12);
	plan_extent(&plan, HUGE_PAGES - 8, -ENOENT, 0);
	want_plan("three sizes", &plan, 0);
	split = new_plan(p - HUGE, 5);
	plan_extent(&split, HUGE_PAGES, node_b(), 21);
	plan_extent(&split, GIB_PAGES, node_b(), 30);
	plan_extent(&split, HUGE_PAGES, node_b(), 21);
	plan_extent(&split, 8, node_b(), 12);
	plan_extent(&split, HUGE_PAGES - 8, -ENOENT, 0);
	want_plan("three sizes, split", &split, SPLIT);
	plan = new_plan(p - HUGE, 1);
	plan_extent(&plan, GIB_PAGES + HUGE_PAGES + 1, node_b(), 21);
	want_plan("two sizes", &plan, 0);
	plan = new_plan(p + HUGE + PAGE, 1);
	plan_extent(&plan, GIB_PAGES / 2, node_b(), 30);
	want_plan_both("inside of the 1 GiB page", &plan);
	must(munmap(p, GIB));
	write_file(pool, "0");
}

#define PCI "/sys/bus/pci/devices"

/* The first BAR of memory that some device has, or -1. */
static int open_bar(size_t *nr_pages)
{
	DIR *dir = opendir(PCI);
	struct dirent *entry;
	char path[512];
	struct stat st;
	int fd = -1;
	void *p;

	while (dir && fd < 0 && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), PCI "/%s/resource0",
			 entry->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		must(fstat(fd, &st));
		*nr_pages = st.st_size / PAGE;
		p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED && *nr_pages) {
			munmap(p, PAGE);
			break;
		}
		close(fd);
		fd = -1;
	}
	if (dir)
		closedir(dir);
	return fd;
}

/* Between two absent pages, whose status it shares. */
static void extents_device_memory(void)
{
	struct plan split;
	struct plan plan;
	size_t nr_pages;
	int fd = open_bar(&nr_pages);
	char *p;

	if (fd < 0)
		skip("no device has a memory BAR 0");
	p = map_anon((nr_pages + 2) * PAGE);
	must((long)mmap(p + PAGE, nr_pages * PAGE, PROT_READ,
			MAP_SHARED | MAP_FIXED, fd, 0));
	plan = new_plan(p + PAGE, 1);
	plan_extent(&plan, nr_pages, -ENOENT, 12);
	want_plan_both("BAR", &plan);
	plan = new_plan(p, 1);
	plan_extent(&plan, nr_pages + 2, -ENOENT, 12);
	want_plan("BAR and absent pages", &plan, 0);
	split = new_plan(p, 3);
	plan_extent(&split, 1, -ENOENT, 0);
	plan_extent(&split, nr_pages, -ENOENT, 12);
	plan_extent(&split, 1, -ENOENT, 0);
	want_plan("BAR and absent pages, split", &split, SPLIT);
	note("%zu pages", nr_pages);
}

/* All that a 64-bit address can name, in one question. */
static void extents_all_addresses(void)
{
	struct pagenode_extent *e = new_extents(1000);
	size_t nr = module_extents(NULL, 1UL << 52, SPLIT, e, 1000);
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (e[i].start != end)
			fail("extent %zu starts at %#llx, not %#llx", i,
			     (unsigned long long)e[i].start,
			     (unsigned long long)end);
		end += e[i].nr_pages * PAGE;
	}
	if (end)
		fail("the extents end at %#llx, not 2^64",
		     (unsigned long long)end);
	i = nr - 1;
	if (e[i].status != -EFAULT || e[i].page_shift || e[i].start >> 56)
		fail("kernel addresses are %s, page_shift %u, from %#llx on",
		     status_name(e[i].status), e[i].page_shift,
		     (unsigned long long)e[i].start);
	note("%zu extents", nr);
}

/* The array's own pages are asked about while it is written. */
static void extents_out_inside_range(void)
{
	const size_t nr = 8192;
	const size_t room = nr * sizeof(struct pagenode_extent) + PAGE;
	char *p = map_anon(room + nr * PAGE);
	struct pagenode_extent *e = (void *)p;
	struct plan plan = new_plan(p + room, nr);
	size_t got;
	size_t i;

	bind_task(node_b());
	for (i = 0; i < nr; i++) {
		plan_extent(&plan, 1, i % 2 ? -ENOENT : node_b(),
			    i % 2 ? 0 : 12);
		if (i % 2 == 0)
			touch(p + room + i * PAGE, PAGE);
	}
	unbind_task();
	got = module_extents(p, room / PAGE + nr, 0, e, room / sizeof(*e));
	while (got && e->start < plan.extent->start) {
		if (e->status != -ENOENT && !is_node(e->status))
			fail("the array: %s", status_name(e->status));
		e++;
		got--;
	}
	if (got != nr && got + 1 != nr)
		fail("%zu extents after the array, not %zu", got, nr);
	for (i = nr - got; i < nr; i++)
		same_extent("after the array", i, e + i - (nr - got),
			    plan.extent + i);
}

const struct test_case extents_cases[] = {
	{ "extents-present-absent-hole", extents_present_absent_hole },
	{ "extents-no-pages", extents_no_pages },
	{ "extents-no-room", extents_no_room },
	{ "extents-interleaved", extents_interleaved },
	{ "extents-random-runs", extents_random_runs },
	{ "extents-many-vmas", extents_many_vmas },
	{ "extents-many-tables", extents_many_tables },
	{ "extents-thp", extents_thp },
	{ "extents-zero-pages", extents_zero_pages },
	{ "extents-hugetlb", extents_hugetlb },
	{ "extents-three-sizes", extents_three_sizes },
	{ "extents-device-memory", extents_device_memory },
	{ "extents-all-addresses", extents_all_addresses },
	{ "extents-out-inside-range", extents_out_inside_range },
	{ NULL, NULL },
};
