// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a query takes of the kernel's memory: no more than 64 KiB, charged to the
 * memory cgroup of who asks. At that one's limit, a query about a range is
 * answered all the same, and one about a list is refused; nobody is killed.
 *
 * Many queries are stopped in the middle, where they store their answers, by a
 * page that must not be written yet. One that is missing would not do: the kernel
 * takes memory for it before it asks the userfaultfd.
 */
#include "case.h"

#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "cgroup.h"
#include "known.h"
#include "uffd.h"

#define NR_QUERIES	200
#define QUERY_MAX	(64UL << 10)
#define QUERY_MIN	(8UL << 10)

/* So many elements of an answer can be stored, the rest not yet. */
#define NR_STORED	100
#define ROOM		(8 * PAGE)

struct query {
	const struct trial *trial;
	struct pagenode_query q;
	pthread_t thread;
	sem_t start;
	sem_t leave;
	atomic_bool ended;
	int err;
};

static struct query queries[NR_QUERIES];
static atomic_uint nr_ready;
static int uffd;

/* Stays at the end, for a thread that goes gives charged memory back. */
static void *run_query(void *arg)
{
	struct query *query = arg;

	atomic_fetch_add(&nr_ready, 1);
	must(sem_wait(&query->start));
	query->err = ask(query->trial->request, &query->q);
	atomic_store(&query->ended, true);
	must(sem_wait(&query->leave));
	return NULL;
}

/* The first page can be written, and the others can't yet. */
static void *answer_room(const struct trial *t)
{
	char *room = map_anon(ROOM);
	const size_t rest = ROOM / PAGE - 1;

	touch(room, ROOM);
	uffd_register(uffd, room + PAGE, rest, UFFDIO_REGISTER_MODE_WP);
	uffd_protect(uffd, room + PAGE, rest);
	return room + PAGE - NR_STORED * t->element;
}

static void new_query(struct query *query, const struct trial *t, void *spare)
{
	pthread_attr_t attr;
	int err;

	query->trial = t;
	query->q = trial_question(t, spare);
	query->q.out = (uintptr_t)answer_room(t);
	must(sem_init(&query->start, 0, 0));
	must(sem_init(&query->leave, 0, 0));
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 16);
	err = pthread_create(&query->thread, &attr, run_query, query);
	if (err)
		fail("starting a thread: %s", strerror(err));
}

/* All that is theirs, but for the queries themselves, takes its memory here. */
static void new_queries(const struct trial *t, void *spare)
{
	size_t i;

	uffd = must(new_uffd(O_NONBLOCK, UFFD_FEATURE_PAGEFAULT_FLAG_WP));
	for (i = 0; i < NR_QUERIES; i++)
		new_query(&queries[i], t, spare);
	while (atomic_load(&nr_ready) < NR_QUERIES)
		usleep(1000);
}

/*
 * Until it has stopped in the middle; false if it has ended instead. To poll,
 * the userfaultfd must not block.
 */
static bool start_query(struct query *query)
{
	struct pollfd event = { .fd = uffd, .events = POLLIN };
	struct uffd_msg msg;

	must(sem_post(&query->start));
	while (!atomic_load(&query->ended)) {
		if (!must(poll(&event, 1, 10)))
			continue;
		must(read(uffd, &msg, sizeof(msg)));
		return true;
	}
	return false;
}

static void want_answered(struct query *query)
{
	must(sem_post(&query->leave));
	pthread_join(query->thread, NULL);
	if (query->err)
		fail("%s: %s", query->trial->name, strerror(-query->err));
	trial_check(query->trial, &query->q,
		    (const void *)(uintptr_t)query->q.out, 0);
}

/* The kernel charges a CPU's next 64 pages in advance. */
static unsigned long slack(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN) * 64 * PAGE;
}

static void want_charged(const char *name, unsigned long before,
			 unsigned long now)
{
	if (now < before + NR_QUERIES * QUERY_MIN)
		fail("%s: %d queries, and %ld bytes are charged", name,
		     NR_QUERIES, now - before);
	if (now > before + NR_QUERIES * QUERY_MAX + slack())
		fail("%s: %d queries have %ld bytes, more than 64 KiB each",
		     name, NR_QUERIES, now - before);
}

static unsigned long hold_all(const struct trial *t)
{
	unsigned long before;
	unsigned long now;
	size_t i;

	new_queries(t, trial_room(t));
	before = cgroup_current();
	for (i = 0; i < NR_QUERIES; i++)
		if (!start_query(&queries[i]))
			fail("%s: ended with %s", t->name,
			     strerror(-queries[i].err));
	now = cgroup_current();
	close(uffd);
	for (i = 0; i < NR_QUERIES; i++)
		want_answered(&queries[i]);
	want_charged(t->name, before, now);
	return (now - before) / NR_QUERIES;
}

static void charge_each(void *arg)
{
	const struct trial *t = arg;

	cgroup_enter();
	note("%s: %lu bytes a query", t->name, hold_all(t));
}

/* COUNTS stores its answer at its end, when its buffers are free again. */
static void bounds_memory(void)
{
	const struct trial *trials = known_trials();
	size_t i;

	known_fill(NULL);
	for (i = 0; i < NR_TRIALS; i++)
		if (trials[i].request != PAGENODE_IOC_COUNTS)
			in_child(charge_each, (void *)&trials[i]);
}

/* So often that no CPU has anything left that was charged in advance */
#define NR_REFUSED	8

/*
 * Queries about a list take what the cgroup may still have. Returns how many were
 * started.
 */
static size_t use_up(void)
{
	unsigned int refused = 0;
	struct query *query;

	for (query = queries; refused < NR_REFUSED; query++) {
		if (query == queries + NR_QUERIES)
			fail("of %d queries at the limit %u were refused",
			     NR_QUERIES, refused);
		if (start_query(query))
			continue;
		if (query->err != -ENOMEM || query->q.out_count ||
		    query->q.next != query->q.start)
			fail("at the limit: %s, not ENOMEM",
			     strerror(-query->err));
		refused++;
	}
	return query - queries;
}

/* A query about a range asks for memory, is refused, and does without. */
static void ask_at_limit(const struct trial *t, void *out)
{
	unsigned long refused = cgroup_event("max");
	struct pagenode_query q = trial_question(t, out);
	int err = ask(t->request, &q);

	trial_check(t, &q, out, err);
	if (err && (t->request != PAGENODE_IOC_COUNTS || err != -ENOMEM))
		fail("%s at the limit: %s", t->name, strerror(-err));
	if (cgroup_event("max") == refused)
		fail("%s at the limit was refused no memory", t->name);
}

static void bounds_memory_limit(void)
{
	const struct trial *trials = known_trials();
	void *out[NR_TRIALS];
	size_t started;
	size_t i;

	known_fill(NULL);
	cgroup_enter();
	for (i = 0; i < NR_TRIALS; i++) {
		out[i] = trial_room(&trials[i]);
		trial_want_all(&trials[i], out[i]);
	}
	new_queries(&trials[3], out[3]);
	cgroup_close();
	started = use_up();
	for (i = 0; i < 3; i++)
		ask_at_limit(&trials[i], out[i]);
	cgroup_open();
	close(uffd);
	for (i = 0; i < started; i++)
		if (queries[i].err != -ENOMEM)
			want_answered(&queries[i]);
	if (cgroup_event("oom_kill"))
		fail("somebody was killed for memory");
	trial_want_all(&trials[3], out[3]);
	note("of %zu queries about a list %d were refused", started,
	     NR_REFUSED);
}

const struct test_case bounds_memory_cases[] = {
	{ "bounds-memory", bounds_memory },
	{ "bounds-memory-limit", bounds_memory_limit },
	{ NULL, NULL },
};
