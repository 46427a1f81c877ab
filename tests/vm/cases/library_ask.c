// SPDX-License-Identifier: GPL-2.0-only
/* Every question of the library, and handles to ask them through. */
#include "case.h"

#include <sys/prctl.h>

#include "shapes.h"

#include "library.h"

#define NR_IDS	1024

struct pagenode *must_open(unsigned int flags, enum pagenode_backend backend)
{
	struct pagenode *pn = pagenode_open(flags);

	if (backend == PAGENODE_BACKEND_MOVE_PAGES)
		need_move_pages();
	if (!pn)
		fail("pagenode_open(%u): %s", flags, strerror(errno));
	if (pagenode_backend(pn) != backend)
		fail("pagenode_open(%u): %s", flags, pagenode_describe(pn));
	return pn;
}

struct pagenode *open_the_device(void)
{
	return must_open(PAGENODE_OPEN_DEVICE, PAGENODE_BACKEND_DEVICE);
}

struct pagenode *open_move_pages(void)
{
	return must_open(PAGENODE_OPEN_MOVE_PAGES, PAGENODE_BACKEND_MOVE_PAGES);
}

void want_no_handle(const char *what, const struct pagenode *pn, int want)
{
	if (pn)
		fail("%s: a handle, %s", what, pagenode_describe(pn));
	if (errno != want)
		fail("%s: %s, not %s", what, strerror(errno), strerror(want));
}

char *known_pages(void)
{
	char *p = map_anon(NR_KNOWN * PAGE);

	touch_on(node_a(), p, 16 * PAGE);
	touch_on(node_b(), p + 16 * PAGE, 16 * PAGE);
	must(munmap(p + 48 * PAGE, 16 * PAGE));
	return p;
}

void known_statuses(enum pagenode_backend backend, int *status)
{
	int untouched = -ENOENT;
	int i;

	if (backend == PAGENODE_BACKEND_MOVE_PAGES && !kernel_at_least(6, 12))
		untouched = -EFAULT;
	for (i = 0; i < NR_KNOWN; i++)
		status[i] = i < 16 ? node_a() : i < 32 ? node_b() :
			    i < 48 ? untouched : -EFAULT;
}

static void same_statuses(const char *who, const char *start, const int *got,
			  const int *want, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (got[i] != want[i])
			fail("%s: page %zu of %zu at %p: %s, not %s", who, i, nr,
			     start, status_name(got[i]), status_name(want[i]));
}

static void ask_status(const char *who, struct pagenode *pn, const char *start,
		       size_t nr_pages, const int *want)
{
	int *got = new_statuses(nr_pages);

	must(pagenode_status(pn, start + 1, nr_pages * PAGE - 1, got,
			     nr_pages));
	same_statuses(who, start, got, want, nr_pages);
	free_statuses(got, nr_pages);
}

/* From the last page to the first */
static void ask_pages(const char *who, struct pagenode *pn, const char *start,
		      size_t nr_pages, const int *want)
{
	void **list = malloc(nr_pages * sizeof(*list));
	int *got = new_statuses(nr_pages);
	size_t i;

	for (i = 0; i < nr_pages; i++)
		list[i] = (char *)start + (nr_pages - i) * PAGE - 1;
	must(pagenode_pages(pn, nr_pages, list, got));
	for (i = 0; i < nr_pages; i++)
		if (got[i] != want[nr_pages - 1 - i])
			fail("%s: address %p: %s, not %s", who, list[i],
			     status_name(got[i]),
			     status_name(want[nr_pages - 1 - i]));
	free_statuses(got, nr_pages);
	free(list);
}

static size_t run_of(const int *status, size_t i, size_t nr)
{
	size_t end = i;

	while (end < nr && status[end] == status[i])
		end++;
	return end - i;
}

/* In calls of up to @room extents */
static void ask_extents(const char *who, struct pagenode *pn, const char *start,
			size_t nr_pages, const int *want, size_t room)
{
	struct pagenode_extent *ext = new_extents(room);
	const void *next = start;
	size_t page = 0;
	ssize_t nr, i;

	while (page < nr_pages) {
		nr = must(pagenode_extents(pn, next, (nr_pages - page) * PAGE,
					   ext, room, &next));
		for (i = 0; i < nr && page < nr_pages; i++) {
			if (ext[i].start != (uintptr_t)start + page * PAGE ||
			    ext[i].nr_pages != run_of(want, page, nr_pages) ||
			    ext[i].status != want[page])
				fail("%s: %llu pages at %#llx are %s, page %zu of %zu at %p %s",
				     who, ext[i].nr_pages, ext[i].start,
				     status_name(ext[i].status), page, nr_pages,
				     start, status_name(want[page]));
			page += ext[i].nr_pages;
		}
		if (!nr || i < nr || next != start + page * PAGE)
			fail("%s: %zd extents, next is %p after page %zu of %zu at %p",
			     who, nr, next, page, nr_pages, start);
	}
	free_extents(ext, room);
}

static void ask_counts(const char *who, struct pagenode *pn, const char *start,
		       size_t nr_pages, const int *want)
{
	static uint64_t got[NR_IDS], node[NR_IDS];
	struct pagenode_counts counts = { .node = got, .nr_nodes = NR_IDS };
	uint64_t nr_enoent = 0;
	uint64_t nr_efault = 0;
	size_t i, needed = 0;

	memset(node, 0, sizeof(node));
	for (i = 0; i < nr_pages; i++) {
		nr_enoent += want[i] == -ENOENT;
		nr_efault += want[i] == -EFAULT;
		if (want[i] < 0)
			continue;
		node[want[i]]++;
		if ((size_t)want[i] >= needed)
			needed = (size_t)want[i] + 1;
	}
	must(pagenode_counts(pn, start, nr_pages * PAGE, &counts));
	if (memcmp(got, node, sizeof(node)) != 0 ||
	    counts.nr_enoent != nr_enoent || counts.nr_efault != nr_efault)
		fail("%s: counts of %zu pages at %p are wrong", who, nr_pages,
		     start);
	if (!needed)
		return;
	counts.nr_nodes = needed - 1;
	if (!pagenode_counts(pn, start, nr_pages * PAGE, &counts) ||
	    errno != ENOSPC || counts.nr_nodes != needed)
		fail("%s: counts in too short an array: %s, %zu needed, not %zu",
		     who, strerror(errno), counts.nr_nodes, needed);
}

void ask_everything(const char *who, struct pagenode *pn, const char *start,
		    size_t nr_pages, const int *want)
{
	ask_status(who, pn, start, nr_pages, want);
	ask_pages(who, pn, start, nr_pages, want);
	ask_extents(who, pn, start, nr_pages, want, nr_pages);
	ask_extents(who, pn, start, nr_pages, want, 3);
	ask_counts(who, pn, start, nr_pages, want);
}

void ask_about_known(const char *who, struct pagenode *pn, const char *p)
{
	int want[NR_KNOWN];

	known_statuses(pagenode_backend(pn), want);
	ask_everything(who, pn, p, NR_KNOWN, want);
	/* One byte before page 15 ends, and the first of page 32 */
	ask_everything(who, pn, p + 15 * PAGE, 18, want + 15);
}

/* As after a login: who changes the user alone may not be looked at. */
void become_nobody(void)
{
	must(setgid(NOBODY));
	must(setuid(NOBODY));
	must(prctl(PR_SET_DUMPABLE, 1));
}
