// SPDX-License-Identifier: GPL-2.0-only
/*
 * A query about a TiB keeps neither its CPU nor its process: others run there
 * meanwhile, and a fatal signal ends it. Without a clock: a thread on the same
 * CPU sees the answer half-way, and a query that was killed has not come to its
 * end.
 */
#include "case.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "shapes.h"

#define GIB		(1UL << 30)
#define NR_GIB		1024
#define TIB_PAGES	(NR_GIB * GIB / PAGE)
#define NR_EXTENTS	(2 * NR_GIB + 1)
#define UNWRITTEN	0x55555555

static char *tib;

/* A page in each GiB, so that there is a table of each level to walk. */
static void map_tib(void)
{
	size_t i;

	tib = map_anon(NR_GIB * GIB);
	for (i = 0; i < NR_GIB; i++)
		touch_on(i % 2 ? node_b() : node_a(), tib + i * GIB + i * PAGE,
			 PAGE);
}

/**
 * struct big - a query that is big
 * @name: what messages call it
 * @request: its ioctl
 * @q: its arguments, and its results in memory that outlives who asks
 * @first: the first word of its answer that tells
 * @last: the last one
 * @nr: elements of the whole answer
 */
struct big {
	const char *name;
	unsigned long request;
	struct pagenode_query *q;
	volatile int *first;
	volatile int *last;
	uint64_t nr;
};

/* A long array in little memory; its end is there once only. */
static int *long_array(uint64_t nr)
{
	char *array = map_repeated(nr * sizeof(int));

	must((long)mmap(array + nr * sizeof(int) - HUGE, HUGE,
			PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	return (int *)array;
}

static struct big big_query(const char *name, unsigned long request,
			    const void *start, uint64_t nr_pages, void *out,
			    uint64_t out_len)
{
	struct big big = { .name = name, .request = request };

	big.q = map_shared(PAGE);
	*big.q = shape_question(start, nr_pages, out, out_len);
	big.first = out;
	big.nr = out_len;
	return big;
}

static struct big big_status(void)
{
	int *out = long_array(TIB_PAGES);
	struct big big = big_query("status", PAGENODE_IOC_STATUS, tib,
				   TIB_PAGES, out, TIB_PAGES);

	big.last = out + TIB_PAGES - 1;
	return big;
}

/* Addresses all over the TiB, the same ones again and again. */
static struct big big_pages(uint64_t nr)
{
	const size_t nr_listed = HUGE / sizeof(uint64_t);
	uint64_t *list = map_repeated(nr * sizeof(*list));
	int *out = long_array(nr);
	struct big big = big_query("pages", PAGENODE_IOC_PAGES, list, nr, out,
				   nr);
	size_t i;

	for (i = 0; i < nr_listed; i++)
		list[i] = (uintptr_t)tib + i * 7919 % TIB_PAGES * PAGE;
	big.last = out + nr - 1;
	return big;
}

static struct big big_extents(void)
{
	struct pagenode_extent *out = new_extents(NR_EXTENTS);
	struct big big = big_query("extents", PAGENODE_IOC_EXTENTS, tib,
				   TIB_PAGES, out, NR_EXTENTS);

	/* The range begins with a page of its own, and ends with absent ones. */
	big.nr = 2 * NR_GIB;
	big.first = &out[0].status;
	big.last = &out[big.nr - 1].status;
	return big;
}

static struct big big_counts(void)
{
	uint32_t nr = module_info().nr_node_ids;

	return big_query("counts", PAGENODE_IOC_COUNTS, tib, TIB_PAGES,
			 calloc(nr, sizeof(uint64_t)), nr);
}

static struct {
	const struct big *big;
	atomic_bool stop;
	atomic_ulong seen;
} neighbour;

/* The answer's first word is written before its last one. */
static void *look(void *arg)
{
	const struct big *big = neighbour.big;

	(void)arg;
	while (!atomic_load(&neighbour.stop)) {
		if (*big->last == UNWRITTEN && *big->first != UNWRITTEN)
			atomic_fetch_add(&neighbour.seen, 1);
		sched_yield();
	}
	return NULL;
}

#define NR_TRIES 100

static void ask_big(const struct big *big)
{
	want_answer(big->name, big->request, big->q, 0);
	if (big->q->out_count != big->nr)
		fail("%s: out_count %llu of %llu", big->name,
		     (unsigned long long)big->q->out_count,
		     (unsigned long long)big->nr);
}

/* How many queries it took until the neighbour has run within one. */
static void share_cpu(const struct big *big)
{
	pthread_t thread;
	int tries = 0;

	neighbour.big = big;
	atomic_store(&neighbour.seen, 0);
	atomic_store(&neighbour.stop, false);
	*big->first = UNWRITTEN;
	*big->last = UNWRITTEN;
	thread = start_thread(look, NULL);
	while (!atomic_load(&neighbour.seen) && tries++ < NR_TRIES) {
		*big->first = UNWRITTEN;
		*big->last = UNWRITTEN;
		ask_big(big);
	}
	atomic_store(&neighbour.stop, true);
	pthread_join(thread, NULL);
	if (!neighbour.seen)
		fail("%s: nothing else ran on its CPU in %d queries", big->name,
		     NR_TRIES);
}

static void bounds_cpu(void)
{
	struct big big;

	map_tib();
	run_on_cpu(0);
	big = big_status();
	share_cpu(&big);
	big = big_extents();
	share_cpu(&big);
	big = big_pages(1UL << 22);
	share_cpu(&big);
}

/* Shared with the process that is killed. */
static struct {
	atomic_ulong begun;
	atomic_ulong ended;
} *calls;

#define NOT_YET (~0ULL)

static void ask_for_ever(const struct big *big)
{
	for (;;) {
		big->q->out_count = NOT_YET;
		atomic_fetch_add(&calls->begun, 1);
		want_answer(big->name, big->request, big->q, 0);
		atomic_fetch_add(&calls->ended, 1);
	}
}

/* True if the query that it was in was broken off. */
static bool kill_in_query(const struct big *big)
{
	pid_t pid;

	atomic_store(&calls->begun, 0);
	atomic_store(&calls->ended, 0);
	pid = must(fork());
	if (!pid) {
		ask_for_ever(big);
		_exit(EXIT_FAILURE);
	}
	while (atomic_load(&calls->begun) == atomic_load(&calls->ended))
		sched_yield();
	usleep(1000);
	must(kill(pid, SIGKILL));
	must(waitpid(pid, NULL, 0));
	return atomic_load(&calls->begun) > atomic_load(&calls->ended) &&
	       big->q->out_count != NOT_YET && big->q->out_count < big->nr;
}

#define NR_KILLS 50

static void want_killed(const struct big *big)
{
	int kills = 0;

	while (!kill_in_query(big))
		if (++kills == NR_KILLS)
			fail("%s: %d times killed, always at its end",
			     big->name, NR_KILLS);
}

static void bounds_kill(void)
{
	struct big big;

	map_tib();
	calls = map_shared(PAGE);
	big = big_status();
	want_killed(&big);
	big = big_extents();
	want_killed(&big);
	big = big_counts();
	want_killed(&big);
	big = big_pages(TIB_PAGES);
	want_killed(&big);
}

const struct test_case bounds_time_cases[] = {
	{ "bounds-cpu", bounds_cpu },
	{ "bounds-kill", bounds_kill },
	{ NULL, NULL },
};
