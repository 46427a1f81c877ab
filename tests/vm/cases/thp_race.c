// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 17: page tables made, split, moved and freed while they are read, all
 * around pages that nobody touches. Counted, never timed.
 */
#include "case.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>

#include "watch.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif

/* How often something happens, and is asked about meanwhile, at the least. */
#define NR_CHANGES	50
#define NR_ROUNDS	50
#define NR_EXECS	30

/*
 * One stretch of address space, in huge pages: two that change, one huge page
 * that stays, half a table of pages that stay and half of pages that change,
 * untouched memory, two that change.
 */
#define LEFT		0
#define STAYS_HUGE	(2 * HUGE)
#define STAYS		(3 * HUGE)
#define BESIDE		(STAYS + HUGE / 2)
#define UNTOUCHED_PART	(4 * HUGE)
#define RIGHT		(5 * HUGE)
#define STRETCH		(7 * HUGE)

static char *stretch;

static void need_thp(void)
{
	if (!set_thp_madvise())
		skip("this kernel has no transparent huge pages");
}

static void touch_in_turn(char *p, size_t nr_pages)
{
	size_t i;

	for (i = 0; i < nr_pages; i++)
		touch_on(i % 2 ? node_b() : node_a(), p + i * PAGE, PAGE);
}

static struct watch *watch_stretch(void)
{
	struct watch *w;
	size_t i;

	stretch = map_huge_aligned(STRETCH);
	if (set_thp_madvise())
		must(madvise(stretch + STAYS_HUGE, HUGE, MADV_HUGEPAGE));
	touch_on(node_b(), stretch + STAYS_HUGE, HUGE);
	no_thp(stretch + STAYS, RIGHT - STAYS);
	touch_in_turn(stretch + STAYS, HUGE_PAGES / 2);

	w = new_watch(stretch, STRETCH / PAGE);
	watch_want(w, STAYS_HUGE / PAGE, HUGE_PAGES, node_b());
	for (i = 0; i < HUGE_PAGES / 2; i++)
		watch_want(w, STAYS / PAGE + i, 1, i % 2 ? node_b() : node_a());
	watch_want(w, UNTOUCHED_PART / PAGE, HUGE_PAGES, -ENOENT);
	return w;
}

static void race_with(const struct watch *w, void (*change)(void))
{
	unsigned long changes;

	watch_start(w);
	for (changes = 0; changes < NR_CHANGES || watch_count() < NR_ROUNDS;
	     changes++)
		change();
	note("%lu changes, %lu rounds of queries meanwhile", changes,
	     watch_stop());
}

static void map_again(size_t offset, size_t len)
{
	must((long)mmap(stretch + offset, len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
}

static void fresh_thp(size_t offset, size_t len)
{
	map_again(offset, len);
	must(madvise(stretch + offset, len, MADV_HUGEPAGE));
	touch(stretch + offset, len);
}

static void fresh_pages(size_t offset, size_t len)
{
	map_again(offset, len);
	no_thp(stretch + offset, len);
	touch(stretch + offset, len);
}

static void split(void)
{
	fresh_thp(LEFT, 2 * HUGE);
	must(mprotect(stretch + LEFT + 100 * PAGE, 50 * PAGE, PROT_READ));
	must(munmap(stretch + LEFT + HUGE + HUGE / 4, HUGE / 2));
	fresh_thp(RIGHT, 2 * HUGE);
	must(madvise(stretch + RIGHT + HUGE / 2, HUGE, MADV_DONTNEED));
}

/* Each change splits both huge pages of either side. */
static void case17_split(void)
{
	unsigned long before;

	need_thp();
	before = vmstat("thp_split_pmd");
	race_with(watch_stretch(), split);
	if (vmstat("thp_split_pmd") - before < 4 * NR_CHANGES)
		fail("only %lu huge pages were split",
		     vmstat("thp_split_pmd") - before);
}

/* Anonymous pages on one side, a file's on the other. */
static int collapsed_fd;
static unsigned long collapsed[2];

static bool collapse_huge(size_t offset)
{
	return !madvise(stretch + offset, HUGE, MADV_COLLAPSE);
}

/* As entries of a page table: present, and of frame 0, which is node_a()'s. */
static void write_entries(char *p)
{
	volatile uint64_t *entry = (volatile uint64_t *)p;
	size_t i;

	for (i = 0; i < PAGE / sizeof(*entry); i++)
		entry[i] = 1;
}

/* Until those who read an entry before it changed have read what follows. */
static void let_them_read(void)
{
	unsigned long rounds = watch_count() + 10;

	while (watch_count() < rounds)
		sched_yield();
}

static void collapse(void)
{
	fresh_pages(LEFT, HUGE);
	must(madvise(stretch + LEFT, HUGE, MADV_HUGEPAGE));
	collapsed[0] += collapse_huge(LEFT);
	must((long)mmap(stretch + RIGHT, HUGE, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED, collapsed_fd, 0));
	touch_on(node_b(), stretch + RIGHT, HUGE);
	write_entries(stretch + RIGHT);
	collapsed[1] += collapse_huge(RIGHT);
	touch_on(node_b(), stretch + RIGHT, PAGE);
	let_them_read();
	must(fallocate(collapsed_fd,
		       FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, HUGE));
}

/* Whoever took the file's huge page for a table would name the other node. */
static void case17_collapse(void)
{
	struct watch *w;

	need_thp();
	collapsed_fd = new_memfd(HUGE, 0);
	if (madvise(map_thp(HUGE), 0, MADV_COLLAPSE))
		skip("this kernel has no MADV_COLLAPSE");
	w = watch_stretch();
	watch_want(w, RIGHT / PAGE, HUGE_PAGES, MAY_GO + node_b());
	race_with(w, collapse);
	if (!collapsed[0] || !collapsed[1])
		fail("%lu collapses of anonymous pages, %lu of a file's",
		     collapsed[0], collapsed[1]);
	note("%lu collapses of anonymous pages, %lu of a file's", collapsed[0],
	     collapsed[1]);
}

/* Tables become empty, and those of holes are freed. */
static void unmap(void)
{
	fresh_pages(LEFT, 2 * HUGE);
	must(madvise(stretch + LEFT, HUGE, MADV_DONTNEED));
	must(munmap(stretch + LEFT + HUGE / 2, HUGE));
	must(munmap(stretch + LEFT, 2 * HUGE));
	fresh_pages(BESIDE, HUGE / 2);
	must(madvise(stretch + BESIDE, HUGE / 4, MADV_DONTNEED));
	must(munmap(stretch + BESIDE, HUGE / 2));
	fresh_pages(RIGHT, HUGE);
	must(madvise(stretch + RIGHT, HUGE, MADV_DONTNEED));
	must(munmap(stretch + RIGHT, 2 * HUGE));
}

static void case17_unmap(void)
{
	race_with(watch_stretch(), unmap);
}

static void move(size_t from, size_t to, size_t len)
{
	must((long)mremap(stretch + from, len, len,
			  MREMAP_MAYMOVE | MREMAP_FIXED, stretch + to));
}

/* Whole tables and huge pages move as they are, others entry by entry. */
static void move_about(void)
{
	fresh_pages(LEFT, HUGE);
	move(LEFT, RIGHT, HUGE);
	if (have_thp())
		fresh_thp(LEFT + HUGE, HUGE);
	else
		fresh_pages(LEFT + HUGE, HUGE);
	move(LEFT + HUGE, RIGHT + HUGE, HUGE);
	move(RIGHT, LEFT + HUGE, HUGE);
	move(RIGHT + HUGE, LEFT, HUGE);
	move(LEFT + HUGE / 4, BESIDE, HUGE / 4);
}

static void case17_mremap(void)
{
	race_with(watch_stretch(), move_about);
}

static const struct watch *child_watch;

static void ask_in_child(void *arg)
{
	(void)arg;
	watch_once(child_watch);
}

/* The child asks about its copy while the parent undoes what they share. */
static void fork_once(void)
{
	fresh_pages(LEFT, HUGE);
	if (have_thp())
		fresh_thp(RIGHT, HUGE);
	in_child(ask_in_child, NULL);
	touch(stretch + LEFT, HUGE);
	touch(stretch + RIGHT, PAGE);
}

static void case17_fork(void)
{
	struct watch *w = watch_stretch();
	int forks;

	child_watch = w;
	map_again(RIGHT, HUGE);
	watch_start(w);
	for (forks = 0; forks < NR_CHANGES || watch_count() < NR_ROUNDS;
	     forks++)
		fork_once();
	note("%d forks, %lu rounds of queries meanwhile", forks, watch_stop());
}

/* In the middle of the threads' queries their process becomes another program. */
static void exec_while_asking(void *arg)
{
	int null = must(open("/dev/null", O_WRONLY | O_CLOEXEC));

	watch_start(arg);
	while (watch_count() < 3)
		fresh_pages(LEFT, HUGE);
	must(dup2(null, STDOUT_FILENO));
	execl("/proc/self/exe", "cases", "--list", NULL);
	_exit(EXIT_FAILURE);
}

static void case17_exec(void)
{
	struct watch *w = watch_stretch();
	int i;

	for (i = 0; i < NR_EXECS; i++) {
		in_child(exec_while_asking, w);
		watch_once(w);
	}
	note("%d programs replaced in the middle of queries", NR_EXECS);
}

const struct test_case thp_race_cases[] = {
	{ "case17-thp-split", case17_split },
	{ "case17-collapse", case17_collapse },
	{ "case17-unmap", case17_unmap },
	{ "case17-mremap", case17_mremap },
	{ "case17-fork", case17_fork },
	{ "case17-exec", case17_exec },
	{ NULL, NULL },
};
