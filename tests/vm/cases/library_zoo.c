// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library about the zoo: its device says in every shape what the module's
 * STATUS says, and its fallback what move_pages says. From Linux 6.12 on the two
 * say the same; the case "zoo" shows that they differ as documented before.
 */
#include "case.h"

#include "library.h"
#include "shapes.h"
#include "zoo.h"

static struct pagenode *device_handle, *fallback_handle;

/* Extents with the sizes of mappings, which STATUS does not tell */
static void ask_sizes(const char *start, size_t nr_pages, bool by_size)
{
	struct pagenode_extent *want = new_extents(nr_pages);
	struct pagenode_extent *got = new_extents(nr_pages);
	size_t nr = module_extents(start, nr_pages,
				   by_size ? PAGENODE_F_SPLIT_PAGE_SIZE : 0,
				   want, nr_pages);
	const void *next = NULL;
	ssize_t ret;

	ret = (by_size ? pagenode_extents_by_size : pagenode_extents)
		(device_handle, start, nr_pages * PAGE, got, nr_pages, &next);
	if (ret != (ssize_t)nr || memcmp(got, want, nr * sizeof(*want)) != 0 ||
	    next != start + nr_pages * PAGE)
		fail("%zd extents of %zu pages at %p, unlike the module's %zu",
		     ret, nr_pages, start, nr);
	free_extents(want, nr_pages);
	free_extents(got, nr_pages);
}

static void ask_part(struct zoo *z, const char *start, size_t nr_pages,
		     bool counted)
{
	int *ours = new_statuses(nr_pages);
	int *kernels = new_statuses(nr_pages);
	size_t i;

	(void)z;
	(void)counted;
	ask_both(start, nr_pages, ours, kernels);
	ask_everything("device", device_handle, start, nr_pages, ours);
	ask_everything("move_pages", fallback_handle, start, nr_pages, kernels);
	ask_sizes(start, nr_pages, false);
	ask_sizes(start, nr_pages, true);
	for (i = 0; i < nr_pages && kernel_at_least(6, 12); i++)
		if (ours[i] != kernels[i])
			fail("page %zu of %zu at %p: the device says %s, move_pages %s",
			     i, nr_pages, start, status_name(ours[i]),
			     status_name(kernels[i]));
	free_statuses(ours, nr_pages);
	free_statuses(kernels, nr_pages);
}

static void library_zoo(void)
{
	device_handle = open_the_device();
	fallback_handle = open_move_pages();
	zoo_each_part(zoo_whole(), ask_part);
}

const struct test_case library_zoo_cases[] = {
	{ "library-zoo", library_zoo },
	{ NULL, NULL },
};
