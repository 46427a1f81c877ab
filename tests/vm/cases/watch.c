// SPDX-License-Identifier: GPL-2.0-only
/* A range that threads ask about while something happens to it. */
#include "case.h"

#include <stdatomic.h>

#include "shapes.h"
#include "watch.h"

#define NR_THREADS	3
#define MAX_EXTENTS	256

static struct {
	pthread_t thread[NR_THREADS];
	atomic_bool stop;
	atomic_ulong rounds;
} watchers;

/*
 * Room that no other thread uses, made once: memory that comes and goes with
 * each question would keep memory hotplug waiting, on kernels before 6.12.
 */
static struct watch with_room(struct watch w)
{
	size_t nr_ids = module_info().nr_node_ids;

	w.status = new_statuses(w.nr_pages);
	w.page = calloc(w.nr_pages, sizeof(*w.page));
	w.node = calloc(nr_ids, sizeof(*w.node));
	w.extent = new_extents(MAX_EXTENTS);
	if (!w.page || !w.node)
		fail("no memory for answers");
	return w;
}

static void free_room(const struct watch *w)
{
	free_statuses(w->status, w->nr_pages);
	free(w->page);
	free(w->node);
	free_extents(w->extent, MAX_EXTENTS);
}

struct watch *new_watch(const void *start, size_t nr_pages)
{
	struct watch *w = malloc(sizeof(*w));

	if (!w)
		fail("no memory for a watch");
	*w = with_room((struct watch){ .start = start, .nr_pages = nr_pages });
	w->want = new_statuses(nr_pages);
	watch_want(w, 0, nr_pages, CHANGES);
	return w;
}

void watch_want(struct watch *w, size_t first, size_t nr_pages, int want)
{
	size_t i;

	for (i = first; i < first + nr_pages; i++)
		w->want[i] = want;
}

static bool is_wanted(int want, int status)
{
	if (want >= MAY_GO)
		return status == -ENOENT || status == want - MAY_GO;
	switch (want) {
	case MOVES:
		return status == -ENOENT || is_node(status);
	case CHANGES:
		return status == -ENOENT || status == -EFAULT ||
		       is_node(status);
	}
	return status == want;
}

static void wrong(const struct watch *w, const char *by, size_t i, int status)
{
	fail("%s: page %zu of %zu: %s, not %s", by, i, w->nr_pages,
	     status_name(status),
	     w->want[i] >= MOVES ? "what it may be" : status_name(w->want[i]));
}

static void ask_statuses(const struct watch *w)
{
	size_t i;

	module_status(w->start, w->nr_pages, w->status);
	for (i = 0; i < w->nr_pages; i++)
		if (!is_wanted(w->want[i], w->status[i]))
			wrong(w, "status", i, w->status[i]);
}

/* Backwards, for the list's pages come in any order. */
static void ask_pages(const struct watch *w)
{
	size_t last = w->nr_pages - 1;
	size_t i;

	for (i = 0; i <= last; i++)
		w->page[i] = (uintptr_t)w->start + (last - i) * PAGE;
	module_pages(w->page, w->nr_pages, w->status);
	for (i = 0; i <= last; i++)
		if (!is_wanted(w->want[last - i], w->status[i]))
			wrong(w, "pages", last - i, w->status[i]);
}

static void check_extent(const struct watch *w,
			 const struct pagenode_extent *e, uint64_t next)
{
	size_t first = (e->start - (uintptr_t)w->start) / PAGE;
	size_t i;

	if (e->start != next || first + e->nr_pages > w->nr_pages)
		fail("extents: %llu pages at %#llx, where %#llx is next",
		     (unsigned long long)e->nr_pages,
		     (unsigned long long)e->start, (unsigned long long)next);
	for (i = first; i < first + e->nr_pages; i++)
		if (!is_wanted(w->want[i], e->status))
			wrong(w, "extents", i, e->status);
}

/* As many calls as it takes. */
static void ask_extents(const struct watch *w)
{
	uint64_t next = (uintptr_t)w->start;
	const uint64_t end = next + w->nr_pages * PAGE;
	struct pagenode_query q;
	uint64_t i;

	while (next < end) {
		q = shape_question((void *)next, (end - next) / PAGE,
				   w->extent, MAX_EXTENTS);
		want_answer("extents", PAGENODE_IOC_EXTENTS, &q, 0);
		for (i = 0; i < q.out_count; i++) {
			check_extent(w, &w->extent[i], next);
			next += w->extent[i].nr_pages * PAGE;
		}
		if (!q.out_count || q.next != next)
			fail("extents: %llu, then next is %#llx, not %#llx",
			     (unsigned long long)q.out_count,
			     (unsigned long long)q.next,
			     (unsigned long long)next);
	}
}

/* That the counts add up to the pages asked about, module_counts() sees to. */
static void ask_counts(const struct watch *w)
{
	size_t nr_ids = module_info().nr_node_ids;
	uint64_t least[2] = { 0 };
	struct pagenode_query q;
	size_t i;

	q = module_counts(w->start, w->nr_pages, w->node, nr_ids);
	for (i = 0; i < w->nr_pages; i++) {
		if (w->want[i] == -ENOENT)
			least[0]++;
		else if (w->want[i] == -EFAULT)
			least[1]++;
		else if (w->want[i] < MOVES && !w->node[w->want[i]]--)
			fail("counts: too few on node %d", w->want[i]);
	}
	if (q.nr_enoent < least[0] || q.nr_efault < least[1])
		fail("counts: too few pages without a node");
}

void watch_once(const struct watch *w)
{
	ask_statuses(w);
	ask_extents(w);
	ask_counts(w);
	ask_pages(w);
}

static void *watch_often(void *arg)
{
	const struct watch w = with_room(*(struct watch *)arg);

	while (!atomic_load(&watchers.stop)) {
		watch_once(&w);
		atomic_fetch_add(&watchers.rounds, 1);
	}
	free_room(&w);
	return NULL;
}

void watch_start(const struct watch *w)
{
	int i;

	watch_once(w);
	atomic_store(&watchers.rounds, 0);
	for (i = 0; i < NR_THREADS; i++)
		watchers.thread[i] = start_thread(watch_often, (void *)w);
}

unsigned long watch_count(void)
{
	return atomic_load(&watchers.rounds);
}

unsigned long watch_stop(void)
{
	int i;

	atomic_store(&watchers.stop, true);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(watchers.thread[i], NULL);
	atomic_store(&watchers.stop, false);
	return watch_count();
}
