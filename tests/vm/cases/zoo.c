// SPDX-License-Identifier: GPL-2.0-only
/* The zoo itself: where its mappings go, and how it is asked about. */
#include "case.h"

#include <poll.h>
#include <stdarg.h>

#include "shapes.h"
#include "zoo.h"

/* Below everything that the kernel places by itself. */
#define BASE		(1UL << 44)
#define MAX_RUNS	4096
#define MAX_UFFDS	8
#define FOR_EVER	(1UL << 50)
#define NR_RANDOM	300
#define MAX_RANDOM	3000
#define FEW_RUNS	8

struct zoo {
	char *cursor;
	struct run run[MAX_RUNS];
	size_t nr_runs;
	int uffd[MAX_UFFDS];
	int nr_uffds;
	const char *absent[NR_KINDS];
	size_t of_kind[NR_KINDS];
	size_t on_node[2];
	size_t old_difference[NR_KINDS];
};

struct zoo *zoo_open(void)
{
	struct zoo *z = calloc(1, sizeof(*z));

	if (!z)
		fail("no memory for a zoo");
	z->cursor = (char *)BASE;
	return z;
}

char *zoo_room(struct zoo *z, size_t nr_pages, size_t align)
{
	size_t hole = z->nr_runs % 3 * PAGE;
	uintptr_t start = (uintptr_t)z->cursor + hole;

	start = (start + align - 1) & ~(align - 1);
	z->cursor = (char *)start + nr_pages * PAGE;
	return (char *)start;
}

uint64_t zoo_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

static void map_at(char *p, size_t nr_pages, int flags, int fd)
{
	void *got = mmap(p, nr_pages * PAGE, PROT_READ | PROT_WRITE,
			 flags | MAP_FIXED_NOREPLACE, fd, 0);

	if (got == MAP_FAILED)
		fail("mapping %zu pages at %p: %s", nr_pages, p,
		     strerror(errno));
}

char *zoo_map(struct zoo *z, size_t nr_pages, int flags, int fd)
{
	char *p = zoo_room(z, nr_pages, PAGE);

	map_at(p, nr_pages, flags, fd);
	return p;
}

char *zoo_anon(struct zoo *z, size_t nr_pages)
{
	char *p = zoo_map(z, nr_pages, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	no_thp(p, nr_pages * PAGE);
	return p;
}

char *zoo_thp(struct zoo *z, size_t nr_pages)
{
	char *p = zoo_room(z, nr_pages, HUGE);

	map_at(p, nr_pages, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	must(madvise(p, nr_pages * PAGE, MADV_HUGEPAGE));
	return p;
}

void zoo_add(struct zoo *z, const char *name, const char *start,
	     size_t nr_pages, enum kind kind, int node)
{
	if (z->nr_runs == MAX_RUNS)
		fail("the zoo is full: raise MAX_RUNS");
	z->run[z->nr_runs++] =
		(struct run){ name, start, nr_pages, kind, node };
}

void zoo_absent(struct zoo *z, enum kind kind, const char *why)
{
	z->absent[kind] = why;
}

const char *zoo_lacks(const struct zoo *z, enum kind kind)
{
	return z->absent[kind];
}

void zoo_watch(struct zoo *z, int uffd)
{
	if (z->nr_uffds == MAX_UFFDS)
		fail("too many userfaultfds: raise MAX_UFFDS");
	z->uffd[z->nr_uffds++] = uffd;
}

static int by_start(const void *a, const void *b)
{
	const struct run *x = a;
	const struct run *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static const char *run_end(const struct run *run)
{
	return run->start + run->nr_pages * PAGE;
}

/* The run that @page is in; in none: a hole up to the next. */
static struct run run_at(const struct zoo *z, const char *page)
{
	struct run hole = { "hole", page, FOR_EVER, HOLE, 0 };
	size_t low = 0;
	size_t high = z->nr_runs;
	size_t mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (run_end(&z->run[mid]) - 1 < page)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == z->nr_runs)
		return hole;
	if (z->run[low].start <= page)
		return z->run[low];
	hole.nr_pages = (z->run[low].start - page) / PAGE;
	return hole;
}

static void count(struct zoo *z, const struct run *run, struct answer a)
{
	int status = kernel_alone ? a.kernels : a.ours;

	z->of_kind[run->kind]++;
	if (!kernel_alone && a.ours != a.kernels)
		z->old_difference[run->kind]++;
	if (status == node_a())
		z->on_node[0]++;
	else if (status == node_b())
		z->on_node[1]++;
}

static void check_part(struct zoo *z, const char *start, size_t nr_pages,
		       bool counted)
{
	int *kernels = new_statuses(nr_pages);
	int *ours = new_statuses(nr_pages);
	struct run run = run_at(z, start);
	struct answer a;
	const char *page;
	size_t i;

	ask_both(start, nr_pages, ours, kernels);
	check_shapes(start, nr_pages, ours);
	for (i = 0; i < nr_pages; i++) {
		page = start + i * PAGE;
		if (page >= run_end(&run))
			run = run_at(z, page);
		a = (struct answer){ ours[i], kernels[i] };
		a = settle(&run, (page - run.start) / PAGE, a);
		if (counted)
			count(z, &run, a);
	}
	free_statuses(kernels, nr_pages);
	free_statuses(ours, nr_pages);
}

/* Where a walk can go wrong: both ends of a run, and inside a huge page. */
static void each_end(struct zoo *z, const struct run *run, zoo_part_fn *fn)
{
	const char *end = run_end(run);

	fn(z, run->start, 1, false);
	fn(z, end - PAGE, 1, false);
	fn(z, run->start - PAGE, 2, false);
	fn(z, end - PAGE, 2, false);
	fn(z, run->start - 3 * PAGE, 8, false);
	fn(z, end - 5 * PAGE, 8, false);
	if (run->nr_pages < HUGE_PAGES)
		return;
	fn(z, run->start + PAGE, HUGE_PAGES - 1, false);
	fn(z, run->start + 257 * PAGE, 300, false);
	fn(z, run->start - 5 * PAGE, 30, false);
	fn(z, run->start + 511 * PAGE, 1, false);
}

/* A kernel that looks for its own bugs takes a hundred times as long. */
static bool is_slow(void)
{
	return !access("/sys/kernel/debug/kmemleak", F_OK) ||
	       !access("/sys/kernel/debug/kcsan", F_OK);
}

static void each_random_part(struct zoo *z, zoo_part_fn *fn)
{
	size_t nr_pages = (z->cursor - (char *)BASE) / PAGE;
	uint64_t state = 1;
	int nr = is_slow() ? NR_RANDOM / 20 : NR_RANDOM;
	size_t first;
	int i;

	for (i = 0; i < nr; i++) {
		first = zoo_random(&state) % nr_pages;
		fn(z, (char *)BASE + first * PAGE,
		   1 + zoo_random(&state) % MAX_RANDOM, false);
	}
}

static void check_uffds(struct zoo *z)
{
	struct pollfd p = { .events = POLLIN };
	int i;

	for (i = 0; i < z->nr_uffds; i++) {
		p.fd = z->uffd[i];
		if (must(poll(&p, 1, 0)))
			fail("a query sent an event to a userfaultfd");
	}
}

static bool in_stretch(const struct zoo *z, const struct run *run)
{
	return run->start >= (char *)BASE && run->start < z->cursor;
}

/* On a slow kernel only so many runs of a kind are asked about one by one. */
static void each_run(struct zoo *z, zoo_part_fn *fn)
{
	const size_t most = is_slow() ? FEW_RUNS : MAX_RUNS;
	size_t nr_of[NR_KINDS] = { 0 };
	const struct run *run;

	for (run = z->run; run < z->run + z->nr_runs; run++) {
		if (!in_stretch(z, run))
			fn(z, run->start, run->nr_pages, true);
		else if (nr_of[run->kind]++ < most)
			each_end(z, run, fn);
	}
}

void zoo_each_part(struct zoo *z, zoo_part_fn *fn)
{
	const char *first = (char *)BASE - 3 * PAGE;

	qsort(z->run, z->nr_runs, sizeof(z->run[0]), by_start);
	fn(z, first, (z->cursor - first) / PAGE + 5, true);
	each_run(z, fn);
	each_random_part(z, fn);
}

void zoo_check(struct zoo *z)
{
	zoo_each_part(z, check_part);
	check_uffds(z);
}

void zoo_leave(const struct zoo *z)
{
	must(munmap((char *)BASE, z->cursor - (char *)BASE));
}

__attribute__((format(printf, 4, 5)))
static size_t add_text(char *buf, size_t len, size_t size, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	len += vsnprintf(buf + len, size - len, fmt, args);
	va_end(args);
	return len < size ? len : size - 1;
}

static size_t add_kinds(const struct zoo *z, const char *title, int status,
			char *buf, size_t len, size_t size)
{
	size_t all = 0;
	int kind;

	for (kind = 0; kind < NR_KINDS; kind++)
		if (kind_status(kind) == status)
			all += z->of_kind[kind];
	len = add_text(buf, len, size, "; %s %zu:", title, all);
	for (kind = 0; kind < NR_KINDS; kind++)
		if (kind_status(kind) == status && z->of_kind[kind])
			len = add_text(buf, len, size, " %s %zu",
				       kind_name(kind), z->of_kind[kind]);
	return len;
}

static void note_tally(const struct zoo *z, const char *remark)
{
	char buf[1024];
	size_t len;
	int kind;

	len = add_text(buf, 0, sizeof(buf), "node %d %zu, node %d %zu",
		       node_a(), z->on_node[0], node_b(), z->on_node[1]);
	len = add_kinds(z, "present", 0, buf, len, sizeof(buf));
	len = add_kinds(z, "-ENOENT", -ENOENT, buf, len, sizeof(buf));
	len = add_kinds(z, "-EFAULT", -EFAULT, buf, len, sizeof(buf));
	for (kind = 0; kind < NR_KINDS; kind++)
		if (z->old_difference[kind])
			len = add_text(buf, len, sizeof(buf),
				       "; move_pages differs on %s %zu",
				       kind_name(kind),
				       z->old_difference[kind]);
	for (kind = 0; kind < NR_KINDS; kind++)
		if (z->absent[kind] && !z->of_kind[kind])
			len = add_text(buf, len, sizeof(buf), "; no %s: %s",
				       kind_name(kind), z->absent[kind]);
	note("%s%s", buf, remark);
}

void zoo_tally(struct zoo *z, const char *remark)
{
	int kind;

	for (kind = 0; kind < NR_KINDS; kind++)
		if (!z->of_kind[kind] && !z->absent[kind])
			fail("no page of kind %s occurred", kind_name(kind));
	if (!z->on_node[0] || (nr_nodes() > 1 && !z->on_node[1]))
		fail("a node does not occur: %zu pages and %zu",
		     z->on_node[0], z->on_node[1]);
	note_tally(z, remark);
}
