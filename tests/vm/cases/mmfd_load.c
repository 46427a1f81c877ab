// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions about another process, and a module that comes and goes: also where
 * it finds no /proc/self/pagemap to learn from, or something else in its place.
 */
#include "case.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include "held.h"
#include "others.h"
#include "reload.h"

static bool feature(void)
{
	return module_info().features & PAGENODE_FEATURE_MM_FD;
}

/* What the module finds when it looks for its own process's pagemap. */
static void no_proc(void)
{
	must(umount2("/proc", MNT_DETACH));
}

static void mount_over(const char *what)
{
	must(mount(what, "/proc/self/pagemap", NULL, MS_BIND, NULL));
}

/* Also one of procfs that keeps its process's mm where pagemap does. */
static void mem_instead(void)
{
	mount_over("/proc/self/mem");
}

static void maps_instead(void)
{
	mount_over("/proc/self/maps");
}

static void anothers_instead(void)
{
	mount_over("/proc/1/pagemap");
}

static void file_instead(void)
{
	close(must(open("/tmp/pagemap", O_WRONLY | O_CREAT, 0600)));
	mount_over("/tmp/pagemap");
}

static void want_unsupported(int pagemap, char *p)
{
	int status = 77;
	int err;

	if (feature())
		fail("the feature is there");
	err = ask_fd(pagemap, p, &status);
	if (err != -EOPNOTSUPP || status != 77)
		fail("a query about oneself by its pagemap: %s, not EOPNOTSUPP",
		     err ? strerror(-err) : "answered");
	if (ask_fd(-1, p, &status) != -EOPNOTSUPP)
		fail("a query without a descriptor: not EOPNOTSUPP");
}

/* What is where /proc was is nobody else's business: a mount namespace. */
static void load_and_ask(void *arg)
{
	void (*spoil)(void) = *(void (**)(void))arg;
	int pagemap = open_pagemap(getpid());
	char *p = map_anon(2 * PAGE);

	touch_on(node_b(), p, PAGE);
	must(unshare(CLONE_NEWNS));
	spoil();
	load();
	want_unsupported(pagemap, p);
	expect("oneself", p, 1, NORMAL, node_b());
	expect("oneself", p + PAGE, 1, UNTOUCHED, 0);
}

static void load_without(void (*spoil)(void))
{
	int code;

	must(unload());
	code = run_in_child(load_and_ask, &spoil);
	/* Fails where the child did not come so far as to load it. */
	unload();
	load();
	if (code)
		_exit(code);
	if (!feature())
		fail("loaded as usual, but the feature is not back");
}

static void mmfd_load_without_proc(void)
{
	load_without(no_proc);
}

static void mmfd_load_with_mem(void)
{
	load_without(mem_instead);
}

static void mmfd_load_with_maps(void)
{
	load_without(maps_instead);
}

static void mmfd_load_with_anothers(void)
{
	load_without(anothers_instead);
}

static void mmfd_load_with_file(void)
{
	load_without(file_instead);
}

static void touch_page(void *page)
{
	touch_on(node_b(), page, PAGE);
}

/* What holds the module is the query alone: its device is closed. */
static void mmfd_rmmod_in_query(void)
{
	char *p = map_anon(PAGE);
	struct pagenode_query q = question(p, 1, NULL);
	struct held h;

	q.flags = PAGENODE_F_MM_FD;
	q.mm_fd = open_pagemap(start_target(touch_page, p));
	hold_query(&h, q);
	close(h.device);
	if (!unload())
		fail("the module was unloaded in a query");
	if (errno != EBUSY && errno != EAGAIN)
		fail("unloading: %s, not EBUSY or EAGAIN", strerror(errno));
	if (finish_query(&h)[0] != node_b())
		fail("the query's answer is wrong");
	must(unload());
	load();
}

const struct test_case mmfd_load_cases[] = {
	{ "mmfd-load-without-proc", mmfd_load_without_proc },
	{ "mmfd-load-with-mem", mmfd_load_with_mem },
	{ "mmfd-load-with-maps", mmfd_load_with_maps },
	{ "mmfd-load-with-anothers", mmfd_load_with_anothers },
	{ "mmfd-load-with-file", mmfd_load_with_file },
	{ "mmfd-rmmod-in-query", mmfd_rmmod_in_query },
	{ NULL, NULL },
};
