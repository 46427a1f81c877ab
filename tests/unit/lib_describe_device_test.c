// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a handle says of itself: what answers, what does not, and why.
 */
#include "fake_device.h"
#include "process.h"

/* The words, in this order; one line, that fits into a log. */
static void check_words(struct pagenode *pn, const char *const *words)
{
	const char *text, *found;

	CHECK(pn);
	text = pagenode_describe(pn);
	CHECK(strlen(text) < 255);
	CHECK(!strchr(text, '\n'));
	for (found = text; *words; words++) {
		found = strstr(found, *words);
		if (!found)
			FAIL("no \"%s\" there in \"%s\"", *words, text);
	}
	pagenode_close(pn);
}

#define CHECK_WORDS(pn, ...) \
	check_words(pn, (const char *const[]){ __VA_ARGS__, NULL })

static void check_only(struct pagenode *pn, const char *want)
{
	CHECK(pn);
	if (strcmp(pagenode_describe(pn), want) != 0)
		FAIL("\"%s\", not \"%s\"", pagenode_describe(pn), want);
	pagenode_close(pn);
}

static void device(void)
{
	char want[64];

	reset_device();
	check_only(pagenode_open(0), "/dev/pagenode");
	snprintf(want, sizeof(want), "/dev/pagenode about process %d",
		 (int)getpid());
	check_only(pagenode_open_pid(getpid(), 0), want);
}

static void move_pages_on_request(void)
{
	reset_device();
	check_only(pagenode_open(PAGENODE_OPEN_MOVE_PAGES), "move_pages(2)");
}

/* Each trouble with the device, and a word of what to do about it */
static void unusable_device(void)
{
	static const struct {
		int err;
		const char *says;
		const char *advises;
	} open_errors[] = {
		{ ENOENT, "not loaded", "modprobe pagenode" },
		{ ENXIO, "without a module", "modprobe pagenode" },
		{ EACCES, "no permission", "group" },
		{ EPERM, "forbidden", "container" },
		{ EMFILE, "Too many open files", "" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(open_errors); i++) {
		reset_device();
		dev.open_errno = open_errors[i].err;
		CHECK_WORDS(pagenode_open(0), "move_pages(2)",
			    "not /dev/pagenode", open_errors[i].says,
			    open_errors[i].advises);
	}
}

static void unusable_module(void)
{
	reset_device();
	dev.info_errno = ENOTTY;
	CHECK_WORDS(pagenode_open(0), "move_pages(2)", "not /dev/pagenode",
		    "another driver's");
	reset_device();
	dev.abi_version = 2;
	CHECK_WORDS(pagenode_open(0), "move_pages(2)", "not /dev/pagenode",
		    "ABI", "one release");
	reset_device();
	dev.features = PAGENODE_FEATURE_STATUS;
	CHECK_WORDS(pagenode_open(0), "move_pages(2)", "not /dev/pagenode",
		    "lacks a feature", "newer");
}

/* The device is fine then. */
static void refused_process(void)
{
	char pagemap[64], about[64];

	snprintf(pagemap, sizeof(pagemap), "/proc/%d/pagemap", (int)getpid());
	snprintf(about, sizeof(about), "about process %d", (int)getpid());
	reset_device();
	dev.mm_errno = EACCES;
	CHECK_WORDS(pagenode_open_pid(getpid(), 0), "move_pages(2)", about,
		    "not /dev/pagenode", pagemap, "Permission denied");
}

static void without_move_pages(void *arg)
{
	(void)arg;
	forbid_move_pages(EPERM);
	CHECK_WORDS(pagenode_open(PAGENODE_OPEN_MOVE_PAGES), "move_pages(2)",
		    "forbidden", "containers");
	dev.open_errno = ENOENT;
	CHECK_WORDS(pagenode_open(0), "move_pages(2)", "forbidden",
		    "not /dev/pagenode", "modprobe pagenode");
	dev.open_errno = 0;
	check_only(pagenode_open(0), "/dev/pagenode");
}

static void forbidden_move_pages(void)
{
	reset_device();
	in_child(without_move_pages, NULL);
}

static void lacks_move_pages(void *arg)
{
	(void)arg;
	forbid_move_pages(ENOSYS);
	CHECK_WORDS(pagenode_open(PAGENODE_OPEN_MOVE_PAGES), "move_pages(2)",
		    "does not work");
}

static void missing_move_pages(void)
{
	reset_device();
	in_child(lacks_move_pages, NULL);
}

static const struct test tests[] = {
	TEST(device),
	TEST(move_pages_on_request),
	TEST(unusable_device),
	TEST(unusable_module),
	TEST(refused_process),
	TEST(forbidden_move_pages),
	TEST(missing_move_pages),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
