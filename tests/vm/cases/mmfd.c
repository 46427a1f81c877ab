// SPDX-License-Identifier: GPL-2.0-only
/* Questions about another process: the answers. */
#include "case.h"

#include "others.h"
#include "watch.h"

static void mmfd_feature(void)
{
	if (!(module_info().features & PAGENODE_FEATURE_MM_FD))
		fail("the feature is off, though the rig mounts /proc");
}

#define NR_PAGES	24
#define THIRD		(NR_PAGES / 3)

/* A third on each of two nodes, and a third that is absent. */
static void fill(void *p)
{
	touch_on(node_a(), p, THIRD * PAGE);
	touch_on(node_b(), (char *)p + THIRD * PAGE, THIRD * PAGE);
}

static void expect_filled(const char *name, char *p)
{
	struct watch *w = new_watch(p, NR_PAGES);

	expect(name, p, THIRD, NORMAL, node_a());
	expect(name, p + THIRD * PAGE, THIRD, NORMAL, node_b());
	expect(name, p + 2 * THIRD * PAGE, THIRD, UNTOUCHED, 0);
	watch_want(w, 0, THIRD, node_a());
	watch_want(w, THIRD, THIRD, node_b());
	watch_want(w, 2 * THIRD, THIRD, -ENOENT);
	watch_once(w);
}

/* Where the child has filled its pages, those of the asking one are absent. */
static void mmfd_child(void)
{
	char *p = map_anon(NR_PAGES * PAGE);
	pid_t pid = start_target(fill, p);

	expect("before", p, NR_PAGES, UNTOUCHED, 0);
	ask_about(pid);
	expect_filled("child", p);
	ask_about(0);
	expect("after", p, NR_PAGES, UNTOUCHED, 0);
}

static void mmfd_self(void)
{
	char *p = map_anon(NR_PAGES * PAGE);

	fill(p);
	ask_about(getpid());
	expect_filled("oneself", p);
}

const struct test_case mmfd_cases[] = {
	{ "mmfd-feature", mmfd_feature },
	{ "mmfd-child", mmfd_child },
	{ "mmfd-self", mmfd_self },
	{ NULL, NULL },
};
