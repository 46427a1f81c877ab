// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 20b: processes that map the same 1 GiB of a hugetlb file share its page
 * table, until somebody's truncation takes it away from under the others.
 */
#include "case.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "watch.h"

#define GIB		(1UL << 30)
/*
 * The file's first GiB stays as it is, the second changes. So many huge pages
 * are present on each side of the border, and twice as many are watched.
 */
#define NR_HUGE		8
#define PART		(NR_HUGE * HUGE)
#define NR_ASKERS	2
#define NR_CHANGES	100
#define NR_ROUNDS	100

static struct {
	char *start;
	char *border;
	int fd;
} file;

/* Shared by the processes. */
static struct {
	atomic_bool stop;
	atomic_uint nr_sharing;
	atomic_ulong rounds[NR_ASKERS];
} *control;

/* Anew, where a child has its parent's mapping. */
static void map_file(void)
{
	must((long)mmap(file.start, 2 * GIB, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file.fd, 0));
}

/* By a read into each page: past the file's end that fails, without SIGBUS. */
static void fault_in(char *p)
{
	int zero = must(open("/dev/zero", O_RDONLY | O_CLOEXEC));
	char *end = p + PART;

	for (; p < end; p += HUGE)
		if (read(zero, p, 1) < 0 && errno != EFAULT)
			fail("reading into a huge page: %s", strerror(errno));
	close(zero);
}

static void make_file(void)
{
	uintptr_t room = (uintptr_t)quiet_room(3 * GIB);

	want_hugetlb(node_b(), 2 * NR_HUGE);
	file.start = (char *)((room + GIB - 1) & -GIB);
	file.border = file.start + GIB;
	file.fd = new_memfd(2 * GIB, MFD_HUGETLB | MFD_HUGE_2MB);
	bind_task(node_b());
	map_file();
	fault_in(file.border - PART);
	control = map_shared(PAGE);
}

/* Pages that this process never touched are there once it has the table. */
static void share(void)
{
	map_file();
	expect("no table yet", file.border - PART, NR_HUGE * HUGE_PAGES,
	       UNTOUCHED_FILE, 0);
	touch(file.border - PART, PAGE);
	expect("a shared table", file.border - PART, NR_HUGE * HUGE_PAGES,
	       NORMAL, node_b());
	atomic_fetch_add(&control->nr_sharing, 1);
}

static struct watch *watch_border(void)
{
	struct watch *w = new_watch(file.border - 2 * PART, 4 * PART / PAGE);

	watch_want(w, 0, PART / PAGE, -ENOENT);
	watch_want(w, PART / PAGE, PART / PAGE, node_b());
	watch_want(w, 2 * PART / PAGE, PART / PAGE, MOVES);
	watch_want(w, 3 * PART / PAGE, PART / PAGE, -ENOENT);
	return w;
}

static void ask_meanwhile(void *arg)
{
	atomic_ulong *rounds = arg;

	share();
	watch_start(watch_border());
	while (!atomic_load(&control->stop)) {
		fault_in(file.border);
		atomic_store(rounds, watch_count());
	}
	watch_stop();
}

/* About the parent, without a mapping of its own. */
static void ask_about_parent(void *arg)
{
	atomic_ulong *rounds = arg;

	must(munmap(file.start, 2 * GIB));
	ask_about(getppid());
	watch_start(watch_border());
	while (!atomic_load(&control->stop)) {
		usleep(1000);
		atomic_store(rounds, watch_count());
	}
	watch_stop();
}

static pid_t start_child(void (*fn)(void *arg), void *arg)
{
	pid_t pid = must(fork());

	if (!pid) {
		fn(arg);
		_exit(EXIT_SUCCESS);
	}
	return pid;
}

/* Has it ended? The reason of its failure is on our stdout already. */
static bool must_be_well(pid_t pid, int options)
{
	int status;
	pid_t ended = must(waitpid(pid, &status, options));

	if (ended && status)
		_exit(EXIT_FAILURE);
	return ended;
}

/* Shares the table, and is asked about by a child. */
static void be_asked_about(void *arg)
{
	bool ended = false;
	pid_t asker;

	share();
	asker = start_child(ask_about_parent, arg);
	while (!atomic_load(&control->stop)) {
		fault_in(file.border);
		/* It may have seen before us that it is to stop. */
		ended = ended || must_be_well(asker, WNOHANG);
	}
	if (!ended)
		must_be_well(asker, 0);
}

/* A process comes, shares, and goes. */
static void share_for_a_moment(void *arg)
{
	(void)arg;
	map_file();
	fault_in(file.border);
}

static void change_file(int turn)
{
	in_child(share_for_a_moment, NULL);
	must(fallocate(file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		       GIB + turn % NR_HUGE * HUGE, HUGE));
	fault_in(file.border);
	must(ftruncate(file.fd, GIB));
	/*
	 * The newest mapping of a file comes last when the others lose the
	 * table, and keeps it. Here it goes.
	 */
	map_file();
	must(ftruncate(file.fd, 2 * GIB));
}

static bool enough(int changes)
{
	int i;

	for (i = 0; i < NR_ASKERS; i++)
		if (atomic_load(&control->rounds[i]) < NR_ROUNDS)
			return false;
	return changes >= NR_CHANGES;
}

static void must_all_be_well(const pid_t *asker, int options)
{
	int i;

	for (i = 0; i < NR_ASKERS; i++)
		must_be_well(asker[i], options);
}

/* The first change takes the table from the parent, whose it is. */
static void wait_for_sharing(const pid_t *asker)
{
	while (atomic_load(&control->nr_sharing) < NR_ASKERS) {
		must_all_be_well(asker, WNOHANG);
		usleep(1000);
	}
}

static void change_while(void (*ask)(void *arg))
{
	pid_t asker[NR_ASKERS];
	int changes;
	int i;

	make_file();
	for (i = 0; i < NR_ASKERS; i++)
		asker[i] = start_child(ask, &control->rounds[i]);
	wait_for_sharing(asker);
	for (changes = 0; !enough(changes); changes++) {
		change_file(changes);
		must_all_be_well(asker, WNOHANG);
	}
	atomic_store(&control->stop, true);
	must_all_be_well(asker, 0);
	note("%d changes, %lu and %lu rounds of queries meanwhile", changes,
	     atomic_load(&control->rounds[0]), atomic_load(&control->rounds[1]));
}

static void case20b_shared_table(void)
{
	change_while(ask_meanwhile);
}

static void case20b_mm_fd(void)
{
	change_while(be_asked_about);
}

const struct test_case hugetlb_share_cases[] = {
	{ "case20b-shared-table", case20b_shared_table },
	{ "case20b-mm-fd", case20b_mm_fd },
	{ NULL, NULL },
};
