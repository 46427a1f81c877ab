// SPDX-License-Identifier: GPL-2.0-only
/* A range that is known page by page, and what each ioctl must say of it. */
#include "case.h"

#include "known.h"

#define UNWRITTEN	0x55

/*
 * Pages that differ from one to the next, a long run, untouched pages and a
 * hole: more of each than fits into the small buffers of a query, and more in
 * all than PAGES takes at once.
 */
#define NR_MIXED	256
#define NR_RUN		1024
#define NR_UNTOUCHED	120
#define NR_HOLE		100
#define NR_PAGES	(NR_MIXED + NR_RUN + NR_UNTOUCHED + NR_HOLE)

static char *range;
static uint64_t list[NR_PAGES];

static int status_of(size_t page)
{
	const int mixed[] = { node_a(), node_b(), -ENOENT };

	if (page < NR_MIXED)
		return mixed[page % 3];
	if (page < NR_MIXED + NR_RUN)
		return node_a();
	return page < NR_PAGES - NR_HOLE ? -ENOENT : -EFAULT;
}

void known_fill(void *arg)
{
	size_t i;

	(void)arg;
	for (i = 0; i < NR_MIXED; i++)
		if (status_of(i) >= 0)
			touch_on(status_of(i), range + i * PAGE, PAGE);
	touch_on(node_a(), range + NR_MIXED * PAGE, NR_RUN * PAGE);
	must(munmap(range + (NR_PAGES - NR_HOLE) * PAGE, NR_HOLE * PAGE));
}

static void *new_array(size_t nr, size_t element)
{
	void *array = calloc(nr, element);

	if (!array)
		fail("no memory for %zu elements", nr);
	return array;
}

static void know_statuses(struct trial *t)
{
	int *want = new_array(NR_PAGES, sizeof(*want));
	size_t i;

	for (i = 0; i < NR_PAGES; i++)
		want[i] = status_of(i);
	t->want = want;
	t->nr = NR_PAGES;
}

/* In an order in which no page follows its neighbour. */
static void know_pages(struct trial *t)
{
	int *want = new_array(NR_PAGES, sizeof(*want));
	size_t page;
	size_t i;

	for (i = 0; i < NR_PAGES; i++) {
		page = i * 7 % NR_PAGES;
		list[i] = (uintptr_t)range + page * PAGE;
		want[i] = status_of(page);
	}
	t->want = want;
	t->nr = NR_PAGES;
}

static void know_extents(struct trial *t)
{
	struct pagenode_extent *want = new_array(NR_PAGES, sizeof(*want));
	size_t i;

	for (i = 0; i < NR_PAGES; i++) {
		if (t->nr && want[t->nr - 1].status == status_of(i)) {
			want[t->nr - 1].nr_pages++;
			continue;
		}
		want[t->nr++] = (struct pagenode_extent){
			.start = (uintptr_t)range + i * PAGE,
			.nr_pages = 1,
			.status = status_of(i),
			.page_shift = status_of(i) < 0 ? 0 : 12,
		};
	}
	t->want = want;
}

static void know_counts(struct trial *t)
{
	uint64_t *want;
	size_t i;

	t->nr = module_info().nr_node_ids;
	want = new_array(t->nr, sizeof(*want));
	for (i = 0; i < NR_PAGES; i++)
		if (status_of(i) >= 0)
			want[status_of(i)]++;
	t->want = want;
}

static uint64_t pages_with(int status)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < NR_PAGES; i++)
		nr += status_of(i) == status;
	return nr;
}

const struct trial *known_trials(void)
{
	static struct trial trials[NR_TRIALS] = {
		{ .name = "status", .request = PAGENODE_IOC_STATUS,
		  .element = sizeof(int) },
		{ .name = "extents", .request = PAGENODE_IOC_EXTENTS,
		  .element = sizeof(struct pagenode_extent) },
		{ .name = "counts", .request = PAGENODE_IOC_COUNTS,
		  .element = sizeof(uint64_t) },
		{ .name = "pages", .request = PAGENODE_IOC_PAGES,
		  .element = sizeof(int) },
	};

	range = map_anon(NR_PAGES * PAGE);
	know_statuses(&trials[0]);
	know_extents(&trials[1]);
	know_counts(&trials[2]);
	know_pages(&trials[3]);
	return trials;
}

void *trial_room(const struct trial *t)
{
	return new_statuses(t->nr * t->element / sizeof(int));
}

struct pagenode_query trial_question(const struct trial *t, void *out)
{
	bool pages = t->request == PAGENODE_IOC_PAGES;
	struct pagenode_query q = question(pages ? (void *)list : range,
					   NR_PAGES, out);

	q.out_len = t->nr;
	memset(out, UNWRITTEN, t->nr * t->element);
	return q;
}

/* Where an answer of @done elements ends. */
static uint64_t next_after(const struct trial *t, uint64_t start, size_t done)
{
	const struct pagenode_extent *extent = t->want;

	switch (t->request) {
	case PAGENODE_IOC_STATUS:
		return start + done * PAGE;
	case PAGENODE_IOC_PAGES:
		return start + done * sizeof(uint64_t);
	case PAGENODE_IOC_EXTENTS:
		return done ? extent[done - 1].start +
			      extent[done - 1].nr_pages * PAGE : start;
	}
	return done ? start + NR_PAGES * PAGE : start;
}

static bool is_unwritten(const unsigned char *element, size_t size)
{
	while (size && element[size - 1] == UNWRITTEN)
		size--;
	return !size;
}

/* A part of the counts may have been stored before the rest could not be. */
static void check_elements(const struct trial *t, const char *out, size_t done)
{
	const char *want = t->want;
	bool counts = t->request == PAGENODE_IOC_COUNTS;
	size_t at;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		at = i * t->element;
		if ((i < done || counts) &&
		    !memcmp(out + at, want + at, t->element))
			continue;
		if (i < done)
			fail("%s: element %zu of %zu is wrong", t->name, i,
			     done);
		if (!is_unwritten((const unsigned char *)out + at, t->element))
			fail("%s: element %zu was written, but out_count is %zu",
			     t->name, i, done);
	}
}

void trial_check(const struct trial *t, const struct pagenode_query *q,
		 const void *out, int err)
{
	bool counted = t->request == PAGENODE_IOC_COUNTS && !err;

	if (err ? q->out_count >= t->nr : q->out_count != t->nr)
		fail("%s: %s, and out_count %llu of %zu", t->name,
		     err ? strerror(-err) : "success",
		     (unsigned long long)q->out_count, t->nr);
	if (err == -ENOMEM && q->out_count)
		fail("%s: no memory, but %llu elements", t->name,
		     (unsigned long long)q->out_count);
	if (q->next != next_after(t, q->start, q->out_count))
		fail("%s: next is start + %#llx after %llu elements", t->name,
		     (unsigned long long)(q->next - q->start),
		     (unsigned long long)q->out_count);
	if (q->nr_enoent != (counted ? pages_with(-ENOENT) : 0) ||
	    q->nr_efault != (counted ? pages_with(-EFAULT) : 0))
		fail("%s: nr_enoent %llu, nr_efault %llu", t->name,
		     (unsigned long long)q->nr_enoent,
		     (unsigned long long)q->nr_efault);
	check_elements(t, out, q->out_count);
}

void trial_want_all(const struct trial *t, void *out)
{
	struct pagenode_query q = trial_question(t, out);
	int err = ask(t->request, &q);

	if (err)
		fail("%s with nothing in the way: %s", t->name, strerror(-err));
	trial_check(t, &q, out, 0);
}
