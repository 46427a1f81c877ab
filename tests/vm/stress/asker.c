// SPDX-License-Identifier: GPL-2.0-only
/* Who asks: what about, how much of it, and under which signals. */
#include "asker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>

#include "../cases/shapes.h"

#define SIGNAL_EVERY_US	5000
#define ALL_PAGES	(1UL << (47 - 12))

static _Thread_local volatile sig_atomic_t in_query;

void init_asker(struct asker *a, unsigned int number, uint64_t seed, int host)
{
	*a = (struct asker){
		.number = number,
		.seed = seed,
		.host = host,
		.nr_ids = module_info().nr_node_ids,
		.status = new_statuses(MAX_ASKED),
		.extent = new_extents(MAX_EXTENTS),
	};
	a->page = calloc(MAX_ASKED, sizeof(*a->page));
	a->node = calloc(a->nr_ids, sizeof(*a->node));
	if (!a->page || !a->node)
		fail("no memory for answers");
}

/* Up to a huge page's worth of holes before and after, too */
static void any_pages(struct asker *a, struct question *q)
{
	uint64_t first = roll(&a->dice, MAX_ASKED);

	q->start = (uintptr_t)world - HUGE + first * PAGE;
	q->nr_pages = 1 + roll(&a->dice, MAX_ASKED - first);
}

/* Where queries are longest, few: they cost the most, and are all alike. */
static void choose_range(struct asker *a, struct question *q)
{
	any_pages(a, q);
	switch (roll(&a->dice, 16)) {
	case 0:
		q->start = (uintptr_t)world - HUGE;
		q->nr_pages = MAX_ASKED;
		break;
	case 1:
		q->start = (uintptr_t)part(STEADY);
		q->nr_pages = (GAP - STEADY) * HUGE_PAGES;
		break;
	case 2 ... 5:
		q->nr_pages = 1;
		break;
	case 6 ... 10:
		if (q->nr_pages > HUGE_PAGES)
			q->nr_pages = HUGE_PAGES;
		break;
	case 11:
		if (q->kind == ASK_STATUS || q->kind == ASK_PAGES)
			break;
		q->start = 0;
		q->nr_pages = ALL_PAGES;
		break;
	}
}

static void put_question(struct asker *a, struct question q)
{
	q.kind = roll(&a->dice, NR_QUERIES);
	choose_range(a, &q);
	in_query = 1;
	ask_one(a, q);
	in_query = 0;
}

static int open_pagemap_of(int pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void ask_by_fd(struct asker *a, struct question q)
{
	if (q.fd >= 0) {
		put_question(a, q);
		close(q.fd);
	} else if (errno == ESRCH || errno == ENOENT) {
		atomic_fetch_add(&shared->gone, 1);
	} else {
		fail("opening the pagemap of another process: %s",
		     strerror(errno));
	}
}

/*
 * Its parent says who the child is, and takes that back before it gives the pid
 * up: if the same child is still there after the open, it was what was opened.
 */
static void ask_about_child(struct asker *a, int host)
{
	struct child *child = &shared->child[host];
	unsigned int turn = atomic_load(&child->turn);
	struct question q = { .subject = atomic_load(&child->subject) };
	int pid = atomic_load(&child->pid);

	if (!pid)
		return;
	if (q.subject == COPY)
		q.wants = &copy_wants;
	q.fd = open_pagemap_of(pid);
	if (atomic_load(&child->turn) == turn)
		ask_by_fd(a, q);
	else if (q.fd >= 0)
		close(q.fd);
}

static void ask_about_host(struct asker *a, int host)
{
	struct question q = {
		.subject = host == a->host ? OWN_FD : OTHER_HOST,
		.wants = &host_wants,
		.fd = open_pagemap_of(atomic_load(&shared->host[host])),
	};

	ask_by_fd(a, q);
}

static void next_step(struct asker *a)
{
	a->dice = dice_of(a->seed, a->number, a->step++);
}

void ask_something(struct asker *a)
{
	int host;

	next_step(a);
	host = roll(&a->dice, NR_HOSTS);
	switch (roll(&a->dice, 8)) {
	case 0 ... 2:
		ask_about_host(a, host);
		break;
	case 3 ... 4:
		ask_about_child(a, host);
		break;
	default:
		put_question(a, (struct question){
			.subject = OWN, .wants = &host_wants, .fd = -1,
		});
	}
}

void ask_as_copy(struct asker *a)
{
	next_step(a);
	put_question(a, (struct question){
		.subject = OWN_COPY, .wants = &copy_wants, .fd = -1,
	});
}

void ask_about_parent(struct asker *a)
{
	struct question q = {
		.subject = PARENT,
		.wants = &host_wants,
		.fd = open_pagemap_of(getppid()),
	};

	next_step(a);
	ask_by_fd(a, q);
}

static void on_alarm(int sig)
{
	(void)sig;
	if (in_query)
		atomic_fetch_add(&shared->signals, 1);
}

/* Without SA_RESTART: a query that gave up would say so. */
void count_signals(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval timer = {
		.it_interval.tv_usec = SIGNAL_EVERY_US,
		.it_value.tv_usec = SIGNAL_EVERY_US,
	};

	must(sigaction(SIGALRM, &action, NULL));
	must(setitimer(ITIMER_REAL, &timer, NULL));
}

void *ask_often(void *asker)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	while (!stopped())
		ask_something(asker);
	return NULL;
}
