// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy of a load of the module fails once, by the
 * kernel's fault injection: those of the kernel before the module has a say, and
 * all of its own. It is loaded and works, or it is not there at all; and loads the
 * next time.
 */
#include "case.h"

#include "faults.h"
#include "query.h"
#include "reload.h"

#define MODULE	"/sys/module/pagenode"
#define DEVICE	"/dev/pagenode"

/*
 * In a child, whose device is closed with it. The kernel may have had no memory
 * for the device's node, and the module none to look at /proc.
 */
static void try_it(void *arg)
{
	bool failed = *(bool *)arg;
	char *p;

	if (failed && !have_path(DEVICE))
		return;
	p = map_anon(2 * PAGE);
	touch_on(node_b(), p, PAGE);
	expect("loaded", p, 1, NORMAL, node_b());
	expect("loaded", p + PAGE, 1, UNTOUCHED, 0);
	if (!failed && !(module_info().features & PAGENODE_FEATURE_MM_FD))
		fail("loaded without a fault, but lacks a feature");
}

static void want_gone(unsigned int nth)
{
	if (have_path(MODULE) || have_path(DEVICE))
		fail("fault %u: refused, but left something behind", nth);
}

struct loads {
	unsigned int loaded;
	unsigned int refused;
};

/* Returns whether there was a fault to be had. */
static bool load_once(int fd, unsigned int nth, struct loads *loads)
{
	bool failed;
	int err;

	faults_arm(nth);
	err = load_from(fd) ? errno : 0;
	failed = faults_disarm();
	faults_forgive();
	if (err && !failed)
		fail("without a fault: %s", strerror(err));
	if (err) {
		loads->refused++;
		want_gone(nth);
		return true;
	}
	loads->loaded++;
	in_child(try_it, &failed);
	if (unload())
		fail("fault %u: loaded, but does not unload: %s", nth,
		     strerror(errno));
	want_gone(nth);
	return failed;
}

static void fail_each(void *arg)
{
	struct loads loads = { 0 };
	int fd = open_module();
	unsigned int nth = 1;

	(void)arg;
	faults_need();
	must(unload());
	while (load_once(fd, nth, &loads))
		nth++;
	if (loads.refused < 10)
		fail("%u of %u faults kept the module out", loads.refused,
		     nth - 1);
	note("%u faults: %u times refused, %u times loaded", nth - 1,
	     loads.refused, loads.loaded);
}

/* However that ends, other cases need the module. */
static void faults_load(void)
{
	bool failed = false;
	int code;

	faults_console(false);
	code = run_in_child(fail_each, NULL);
	faults_console(true);
	if (!have_path(MODULE))
		load();
	if (code)
		_exit(code);
	in_child(try_it, &failed);
}

const struct test_case faults_load_cases[] = {
	{ "faults-load", faults_load },
	{ NULL, NULL },
};
