// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "file.h"
#include "grid.h"
#include "holds.h"
#include "tools/measure.h"
#include "question.h"
#include "threads.h"
#include "trace.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg))
		die("pthread_create");
	return thread;
}

/* Threads ask so often before they meet, which takes them a while. */
#define TIMES		4

/**
 * struct work - a range, whole and in two parts
 * @question: what to ask
 * @whole: about
 * @part: the first thread's and the second's
 * @meet: where both begin and end
 * @over: the second thread is to end
 */
struct work {
	const struct question *question;
	struct buffer *whole;
	struct buffer part[2];
	pthread_barrier_t meet;
	bool over;
};

static void ask_often(const struct work *w, struct buffer *b)
{
	int i;

	for (i = 0; i < TIMES; i++)
		w->question->ask(b);
}

static void ask_alone(void *arg)
{
	struct work *w = arg;

	ask_often(w, w->whole);
}

static void ask_both(void *arg)
{
	struct work *w = arg;

	pthread_barrier_wait(&w->meet);
	ask_often(w, w->part);
	pthread_barrier_wait(&w->meet);
}

static void *second_thread(void *arg)
{
	struct work *w = arg;

	run_on(1);
	for (;;) {
		pthread_barrier_wait(&w->meet);
		if (w->over)
			return NULL;
		ask_often(w, w->part + 1);
		pthread_barrier_wait(&w->meet);
	}
}

static void split(struct work *w)
{
	size_t half = w->whole->pages / 2;

	w->part[0] = buffer_part(w->whole, 0, half);
	w->part[1] = buffer_part(w->whole, half, w->whole->pages - half);
}

static void report_split(struct report *report, const struct question *question,
			 const struct pattern *about)
{
	struct work work = { .question = question };
	struct call both = { ask_both, &work, 0 };
	struct call alone = { ask_alone, &work, 0 };
	struct figure figure = {
		.question = question->name,
		.subject = about->name,
		.against = "one thread",
	};
	pthread_t second;

	work.whole = buffer_of(about, SIZE_MAX);
	split(&work);
	pthread_barrier_init(&work.meet, NULL, 2);
	second = start(second_thread, &work);
	measure(&both, &alone);
	figure.wrong = !question->right(work.part) ||
		       !question->right(work.part + 1);
	work.over = true;
	pthread_barrier_wait(&work.meet);
	pthread_join(second, NULL);
	figure.ours = both.ns / TIMES / work.whole->pages;
	figure.theirs = alone.ns / TIMES / work.whole->pages;
	figure.ratio = alone.ns / both.ns;
	report_figure(report, &figure);
}

int threads(struct report *report)
{
	run_on(0);
	report_begin(report);
	report_split(report, &status, &small_halves);
	report_split(report, &status, &huge_halves);
	report_split(report, &counts, &small_halves);
	return report_end(report);
}

/* Waits are looked at in rounds, and one round is calmer than another. */
#define ROUNDS		10
#define PAIRS		1000

/**
 * struct asking - a thread that asks all the time
 * @question: what
 * @about: of which memory
 * @over: it is to end
 * @calls: so many did it make
 */
struct asking {
	const struct question *question;
	struct buffer *about;
	atomic_bool over;
	atomic_ulong calls;
};

static void *keep_asking(void *arg)
{
	struct asking *a = arg;

	run_on(1);
	while (!a->over) {
		a->question->ask(a->about);
		a->calls++;
	}
	return NULL;
}

static double time_mmap(char **page)
{
	double before = measure_now();

	*page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*page == MAP_FAILED)
		die("mmap");
	return measure_now() - before;
}

static double time_munmap(char *page)
{
	double before = measure_now();

	if (munmap(page, PAGE))
		die("munmap");
	return measure_now() - before;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Each of these calls takes the lock for writing once. Sorted. */
static void time_round(double ns[2 * PAIRS])
{
	char *page;
	int i;

	for (i = 0; i < 2 * PAIRS; i += 2) {
		ns[i] = time_mmap(&page);
		ns[i + 1] = time_munmap(page);
	}
	qsort(ns, 2 * PAIRS, sizeof(*ns), compare);
}

/**
 * struct wait - of a thread that maps and unmaps
 * @median: of the last round
 * @most: 99 of 100 in it took no longer
 * @calm: the longest of the round whose longest was the shortest
 * @ever: the longest of all
 */
struct wait {
	double median;
	double most;
	double calm;
	double ever;
};

static void time_rounds(struct wait *w)
{
	static double ns[2 * PAIRS];
	int i;

	*w = (struct wait) { .calm = 1e18 };
	for (i = 0; i < ROUNDS; i++) {
		double longest;

		time_round(ns);
		longest = ns[2 * PAIRS - 1];
		w->median = ns[PAIRS];
		w->most = ns[2 * PAIRS * 99 / 100];
		if (longest < w->calm)
			w->calm = longest;
		if (longest > w->ever)
			w->ever = longest;
	}
}

static void print_wait(struct grid *grid, const struct wait *w)
{
	grid_number(grid, w->median / 1e3);
	grid_number(grid, w->most / 1e3);
	grid_number(grid, w->calm / 1e3);
	grid_number(grid, w->ever / 1e3);
}

static void print_waits_for(struct grid *grid, const struct question *question,
			    const struct pattern *about)
{
	struct asking a = { question, buffer_of(about, SIZE_MAX), false, 0 };
	double hold = longest_hold(question, a.about);
	pthread_t thread = start(keep_asking, &a);
	struct wait w;

	while (!a.calls)
		sched_yield();
	time_rounds(&w);
	a.over = true;
	pthread_join(thread, NULL);
	grid->report->wrong += !question->right(a.about);
	grid_text(grid, question->name);
	grid_text(grid, about->name);
	print_wait(grid, &w);
	grid_number(grid, hold / 1e3);
}

static void print_waits_for_nobody(struct grid *grid)
{
	struct wait w;

	time_rounds(&w);
	grid_text(grid, "nobody");
	grid_text(grid, "");
	print_wait(grid, &w);
	grid_missing(grid);
}

int waits(struct report *report)
{
	static const struct column columns[] = {
		{ "who asks", -12 }, { "about", -18 }, { "median", 9 },
		{ "99 %", 9 }, { "longest", 9 }, { "ever", 9 }, { "a hold", 9 },
	};
	struct grid grid = { report, columns, ARRAY_SIZE(columns), 0 };

	run_on(0);
	trace_init();
	grid_begin(&grid);
	print_waits_for_nobody(&grid);
	print_waits_for(&grid, &status, &small_halves);
	print_waits_for(&grid, &status, &huge_halves);
	print_waits_for(&grid, &status, &small_interleaved);
	print_waits_for(&grid, &extents, &small_halves);
	print_waits_for(&grid, &extents, &many_mappings);
	print_waits_for(&grid, &counts, &hole_around);
	print_waits_for(&grid, &pages, &small_list);
	print_waits_for(&grid, &pages, &shuffled_list);
	print_waits_for(&grid, &move_pages, &small_halves);
	print_waits_for(&grid, &mincore_range, &small_halves);
	return grid_end(&grid);
}
