// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file whose pages are the persistent memory itself, for the zoo. What was
 * written is memory of a device, what was only read is a hole of the file and
 * maps the zero page. Both come as 4K pages and as huge ones.
 */
#include "case.h"

#include <fcntl.h>

#include "zoo.h"

/* The huge pages of the file, by what happens to them. */
enum {
	SMALL,
	EMPTY,
	COPIED,
	WRITTEN,
	NR_HUGE = WRITTEN + 5
};

static char *dax_map(struct zoo *z, int flags, int fd)
{
	char *p = zoo_room(z, NR_HUGE * HUGE_PAGES, HUGE);

	must((long)mmap(p, NR_HUGE * HUGE, PROT_READ | PROT_WRITE,
			flags | MAP_FIXED_NOREPLACE, fd, 0));
	return p;
}

/* Of huge page @i one page was touched. Was all of it mapped? */
static bool is_huge(const char *p, int i)
{
	uint64_t entry;

	pagemap_entries(p + i * HUGE + PAGE, &entry, 1);
	return entry & PF_PRESENT;
}

/* Of huge page @i all from page @nr on was never touched. */
static void add_rest(struct zoo *z, const char *p, int i, size_t nr)
{
	zoo_add(z, "DAX, untouched", p + i * HUGE + nr * PAGE, HUGE_PAGES - nr,
		UNTOUCHED_FILE, 0);
}

/* Says what that touch has made of huge page @i. */
static bool add_touched(struct zoo *z, const char *name, const char *p, int i,
			enum kind kind)
{
	bool huge = is_huge(p, i);

	zoo_add(z, name, p + i * HUGE, huge ? HUGE_PAGES : 1, kind, 0);
	if (!huge)
		add_rest(z, p, i, 1);
	return huge;
}

/*
 * Before anything is written: some kernels find only short holes between what
 * was, and a short one that is mapped takes the huge one from other mappings.
 */
static void read_hole(struct zoo *z, const char *name, const char *p,
		      enum kind kind)
{
	read_touch(p + EMPTY * HUGE, PAGE);
	if (!add_touched(z, name, p, EMPTY, kind) && have_thp())
		fail("%s: reading it gave no huge zero page", name);
}

/* Files begin with small blocks; what follows is huge where the disk allows. */
static void dax_shared(struct zoo *z, char *p)
{
	int huge = 0;
	int i;

	touch(p, 8 * PAGE);
	zoo_add(z, "DAX, 4K", p, 8, DEVICE, 0);
	read_touch(p + 8 * PAGE, 8 * PAGE);
	zoo_add(z, "DAX hole, 4K", p + 8 * PAGE, 8, ZERO, 0);
	add_rest(z, p, SMALL, 16);
	add_rest(z, p, COPIED, 0);
	for (i = WRITTEN; i < NR_HUGE; i++) {
		touch(p + i * HUGE, PAGE);
		huge += add_touched(z, "DAX", p, i, DEVICE);
	}
	if (!huge && have_thp())
		fail("writing to a DAX file gave no huge page");
}

/* The file's own pages until they are written to: the copies are ours. */
static void dax_private(struct zoo *z, char *p)
{
	char *copied = p + COPIED * HUGE;
	int i;

	touch_on(node_b(), p, 8 * PAGE);
	zoo_add(z, "private DAX, copied", p, 8, NORMAL, node_b());
	add_rest(z, p, SMALL, 8);
	touch_on(node_a(), copied, 8 * PAGE);
	zoo_add(z, "private DAX hole, copied", copied, 8, NORMAL, node_a());
	add_rest(z, p, COPIED, 8);
	for (i = WRITTEN; i < NR_HUGE; i++) {
		read_touch(p + i * HUGE, PAGE);
		add_touched(z, "private DAX", p, i, DEVICE);
	}
}

static void dax_prot_none(struct zoo *z, char *p)
{
	int i;

	add_rest(z, p, SMALL, 0);
	add_rest(z, p, COPIED, 0);
	for (i = WRITTEN; i < NR_HUGE; i++) {
		touch(p + i * HUGE, PAGE);
		add_touched(z, "PROT_NONE DAX", p, i, DEVICE);
	}
	must(mprotect(p, NR_HUGE * HUGE, PROT_NONE));
}

void zoo_dax(struct zoo *z)
{
	int fd = new_pmem_file("dax", NR_HUGE * HUGE);
	char *shared = dax_map(z, MAP_SHARED, fd);
	char *private = dax_map(z, MAP_PRIVATE, fd);
	char *none = dax_map(z, MAP_SHARED, fd);
	enum kind hole = have_thp() ? HUGE_ZERO : ZERO;

	read_hole(z, "DAX hole", shared, hole);
	read_hole(z, "private DAX hole", private, hole);
	read_hole(z, "PROT_NONE DAX hole", none, PROT_NONE_ZERO);
	dax_shared(z, shared);
	dax_private(z, private);
	dax_prot_none(z, none);
	close(fd);
}
