// SPDX-License-Identifier: GPL-2.0-only
/* Whether an answer is one that the contract allows. */
#include "asker.h"

#include <stdarg.h>

void wrong(const struct question *q, const char *fmt, ...)
{
	char what[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	fail("%s about %s, %llu pages from %#llx on (world + %lld): %s",
	     kind_of(q->kind), subject_of(q->subject), (unsigned long long)q->nr_pages,
	     (unsigned long long)q->start,
	     (long long)(q->start - (uintptr_t)world) / (long long)PAGE, what);
}

/* Where the pages from @start on begin and end in the world; else none. */
static void clip(uint64_t start, uint64_t nr_pages, size_t *first, size_t *end)
{
	uint64_t page = start / PAGE;
	uint64_t base = (uintptr_t)world / PAGE;
	uint64_t last = page + nr_pages;

	*first = page <= base ? 0 : page - base;
	*end = last <= base ? 0 : last - base;
	if (*end > WORLD_PAGES)
		*end = WORLD_PAGES;
}

static void wrong_page(const struct question *q, size_t page, int status)
{
	const char *address = world + page * PAGE;
	int now;

	if (q->subject != OWN && q->subject != OWN_COPY && q->subject != OWN_FD)
		wrong(q, "page %zu (%s): %s", page, part_name(page),
		      status_name(status));
	kernel_status(address, 1, &now);
	wrong(q, "page %zu (%s): %s; by now move_pages says %s", page,
	      part_name(page), status_name(status), status_name(now));
}

static void judge_page(const struct question *q, size_t page, uint64_t bit,
		       int status, int shift)
{
	int want = q->wants->shift[page];

	if (!(q->wants->may[page] & bit))
		wrong_page(q, page, status);
	if (shift != ANY_SHIFT && want && shift != want)
		wrong(q, "page %zu (%s): mapped by 1 << %d, not 1 << %d", page,
		      part_name(page), shift, want);
}

void judge_run(const struct question *q, uint64_t start, uint64_t nr_pages,
	       int status, int shift)
{
	uint64_t bit = status_bit(status);
	size_t page;
	size_t end;

	if (!(bit & any_status))
		wrong(q, "%llu pages from %#llx on: %s",
		      (unsigned long long)nr_pages, (unsigned long long)start,
		      status_name(status));
	if (!q->wants)
		return;
	clip(start, nr_pages, &page, &end);
	for (; page < end; page++)
		judge_page(q, page, bit, status, shift);
}

void judge_statuses(const struct question *q, const int *status, size_t nr)
{
	size_t first = 0;
	size_t i;

	for (i = 1; i <= nr; i++) {
		if (i < nr && status[i] == status[first])
			continue;
		judge_run(q, q->start + first * PAGE, i - first, status[first],
			  ANY_SHIFT);
		first = i;
	}
}

/* How many of the pages must, and how many may have the status. */
static void bounds(const struct question *q, uint64_t bit, uint64_t *least,
		   uint64_t *most)
{
	size_t page;
	size_t end;

	*least = 0;
	*most = q->nr_pages;
	if (!q->wants)
		return;
	clip(q->start, q->nr_pages, &page, &end);
	for (; page < end; page++) {
		*least += q->wants->may[page] == bit;
		*most -= !(q->wants->may[page] & bit);
	}
}

static void judge_count(const struct question *q, int status, uint64_t nr)
{
	uint64_t least;
	uint64_t most;

	if (nr && !(status_bit(status) & any_status))
		wrong(q, "%llu pages with %s", (unsigned long long)nr,
		      status_name(status));
	bounds(q, status_bit(status), &least, &most);
	if (nr < least || nr > most)
		wrong(q, "%llu pages with %s, not %llu to %llu",
		      (unsigned long long)nr, status_name(status),
		      (unsigned long long)least, (unsigned long long)most);
}

void judge_counts(const struct question *q, const uint64_t *node, size_t nr_ids,
		  uint64_t nr_enoent, uint64_t nr_efault)
{
	uint64_t sum = nr_enoent + nr_efault;
	size_t id;

	for (id = 0; id < nr_ids; id++) {
		sum += node[id];
		if (node[id] || is_node(id))
			judge_count(q, id, node[id]);
	}
	judge_count(q, -ENOENT, nr_enoent);
	judge_count(q, -EFAULT, nr_efault);
	if (sum != q->nr_pages)
		wrong(q, "the counts add up to %llu", (unsigned long long)sum);
}
