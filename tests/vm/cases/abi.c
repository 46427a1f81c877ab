// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls' arguments: every error of DESIGN 3.1, and what INFO says. */
#include "case.h"

#include <sys/ioctl.h>

#include "query.h"

#define UNTOUCHED_STATUS 77

/* A request with @want as its answer must leave the result array alone. */
static void want_error(const char *what, struct pagenode_query *q, int want)
{
	int *status = (int *)(uintptr_t)q->out;
	int err = ask(PAGENODE_IOC_STATUS, q);

	if (err != want)
		fail("%s: %s, not %s", what, err ? strerror(-err) : "success",
		     strerror(-want));
	if (status[0] != UNTOUCHED_STATUS)
		fail("%s: refused, but wrote a status", what);
}

/* A valid question about two pages, one present and one not. */
static struct pagenode_query valid_question(void)
{
	static int status[2];
	static char *p;

	if (!p) {
		p = map_anon(2 * PAGE);
		touch_on(node_b(), p, PAGE);
	}
	status[0] = UNTOUCHED_STATUS;
	status[1] = UNTOUCHED_STATUS;
	return question(p, 2, status);
}

static void want_success(const char *what, unsigned long request,
			 struct pagenode_query *q)
{
	int *status = (int *)(uintptr_t)q->out;
	int err = ask(request, q);

	if (err)
		fail("%s: %s", what, strerror(-err));
	if (status[0] != node_b() || status[1] != -ENOENT)
		fail("%s: %s and %s, not node %d and -ENOENT", what,
		     status_name(status[0]), status_name(status[1]), node_b());
}

static void abi_info(void)
{
	struct pagenode_info info = module_info();
	size_t len = strnlen(info.version, sizeof(info.version));
	char sysfs[64];

	if (info.abi_version != PAGENODE_ABI_VERSION)
		fail("abi_version is %u", info.abi_version);
	if (!(info.features & PAGENODE_FEATURE_STATUS))
		fail("features %#llx lack STATUS",
		     (unsigned long long)info.features);
	if (1UL << info.page_shift != (unsigned long)sysconf(_SC_PAGESIZE))
		fail("page_shift is %u", info.page_shift);
	if ((int)info.nr_node_ids <= node_b())
		fail("nr_node_ids is %u", info.nr_node_ids);
	if (!len || len == sizeof(info.version))
		fail("version is no text");
	if (have_path("/sys/module/pagenode/version")) {
		read_file("/sys/module/pagenode/version", sysfs, sizeof(sysfs));
		sysfs[strcspn(sysfs, "\n")] = '\0';
		if (strcmp(sysfs, info.version))
			fail("version is %s, but the module's is %s",
			     info.version, sysfs);
	}
	note("version %s, features %#llx, %u node ids", info.version,
	     (unsigned long long)info.features, info.nr_node_ids);
}

/* @size bytes of struct, of which those past the known ones are @filler. */
static int ask_sized(unsigned long request, const void *known, size_t nr_known,
		     uint32_t size, char filler)
{
	static char arg[4 * PAGE];

	memset(arg, filler, sizeof(arg));
	memcpy(arg, known, nr_known);
	memcpy(arg, &size, sizeof(size));
	return ask(request, arg);
}

static void want_sized(const char *what, unsigned long request,
		       const void *known, size_t nr_known, uint32_t size,
		       char filler, int want)
{
	int err = ask_sized(request, known, nr_known, size, filler);

	if (err != want)
		fail("%s of %u bytes: %s, not %s", what, size, strerror(-err),
		     strerror(-want));
}

static void sizes(const char *what, unsigned long request, const void *known,
		  size_t len)
{
	static const uint32_t small[] = { 0, 1, 4, 8 };
	size_t i;

	for (i = 0; i < sizeof(small) / sizeof(small[0]); i++)
		want_sized(what, request, known, len, small[i], 0, -EINVAL);
	want_sized(what, request, known, len, len - 1, 0, -EINVAL);
	want_sized(what, request, known, len, len, 1, 0);
	want_sized(what, request, known, len, len + 1, 0, 0);
	want_sized(what, request, known, len, len + 64, 0, 0);
	want_sized(what, request, known, len, PAGE, 0, 0);
	want_sized(what, request, known, len, len + 1, 1, -E2BIG);
	want_sized(what, request, known, len, len + 64, 1, -E2BIG);
	want_sized(what, request, known, len, PAGE, 1, -E2BIG);
}

static void abi_size(void)
{
	struct pagenode_query q = valid_question();
	struct pagenode_info info = { 0 };

	sizes("query", PAGENODE_IOC_STATUS, &q, sizeof(q));
	sizes("info", PAGENODE_IOC_INFO, &info, sizeof(info));
}

/* A caller that knows more than the module gets what the module knows. */
static void abi_larger_struct(void)
{
	struct {
		struct pagenode_query q;
		uint64_t later[4];
	} arg = { .q = valid_question() };

	arg.q.size = sizeof(arg);
	want_success("larger struct", PAGENODE_IOC_STATUS, &arg.q);
	if (arg.q.out_count != 2 || arg.q.next != arg.q.start + 2 * PAGE)
		fail("larger struct: no results");
	arg.q = valid_question();
	arg.q.size = sizeof(arg);
	arg.later[3] = 1ULL << 56;
	want_error("larger struct with a last bit set", &arg.q, -E2BIG);
}

static void abi_unaligned_start(void)
{
	static const unsigned int offset[] = { 1, 8, 2048, 4095 };
	struct pagenode_query q;
	size_t i;

	for (i = 0; i < sizeof(offset) / sizeof(offset[0]); i++) {
		q = valid_question();
		q.start += offset[i];
		want_error("unaligned start", &q, -EINVAL);
	}
	q = valid_question();
	q.start++;
	q.nr_pages = 0;
	want_error("unaligned start of no pages", &q, -EINVAL);
}

static void abi_flags(void)
{
	struct pagenode_query q;
	int bit;

	for (bit = 2; bit < 32; bit++) {
		q = valid_question();
		q.flags = 1U << bit;
		want_error("unknown flag", &q, -EINVAL);
	}
	q = valid_question();
	q.flags = PAGENODE_F_SPLIT_PAGE_SIZE;
	want_error("STATUS with SPLIT_PAGE_SIZE", &q, -EINVAL);
}

static void abi_reserved(void)
{
	struct pagenode_query q = valid_question();

	q.reserved = 1;
	want_error("reserved", &q, -EINVAL);
	q = valid_question();
	q.reserved = 1U << 31;
	want_error("reserved", &q, -EINVAL);
}

static void abi_mm_fd_without_flag(void)
{
	struct pagenode_query q = valid_question();

	q.mm_fd = 1;
	want_error("mm_fd without its flag", &q, -EINVAL);
	q = valid_question();
	q.mm_fd = -1;
	want_error("mm_fd -1 without its flag", &q, -EINVAL);
}

static void abi_out_len(void)
{
	struct pagenode_query q = valid_question();

	q.out_len = 1;
	want_error("out_len 1 for 2 pages", &q, -ENOSPC);
	q = valid_question();
	q.out_len = 0;
	want_error("out_len 0 for 2 pages", &q, -ENOSPC);
	q = valid_question();
	q.nr_pages = 1ULL << 32;
	want_error("out_len 2 for 2^32 pages", &q, -ENOSPC);
	q = valid_question();
	q.out_len = UINT64_MAX;
	want_success("out_len 2^64 - 1", PAGENODE_IOC_STATUS, &q);
	if (q.out_count != 2)
		fail("out_count is %llu", (unsigned long long)q.out_count);
}

static void want_enotty(unsigned int request)
{
	struct pagenode_query q = valid_question();
	int err = ask(request, &q);

	if (err != -ENOTTY)
		fail("ioctl %#x: %s, not ENOTTY", request,
		     err ? strerror(-err) : "success");
}

static void abi_unknown_ioctl(void)
{
	int nr;

	for (nr = 5; nr < 256; nr++)
		want_enotty(_IOWR(PAGENODE_IOC_TYPE, nr,
				  struct pagenode_query));
	want_enotty(_IOWR('T', 1, struct pagenode_query));
	want_enotty(_IOWR(0xBA, 1, struct pagenode_query));
	want_enotty(0);
}

static void abi_later_ioctls(void)
{
	const uint64_t features = module_info().features;

	if (!(features & PAGENODE_FEATURE_EXTENTS))
		want_enotty(PAGENODE_IOC_EXTENTS);
	if (!(features & PAGENODE_FEATURE_COUNTS))
		want_enotty(PAGENODE_IOC_COUNTS);
	if (!(features & PAGENODE_FEATURE_PAGES))
		want_enotty(PAGENODE_IOC_PAGES);
}

/* `size` says what the caller knows, not the size inside the command. */
static void abi_command_size(void)
{
	struct pagenode_query q = valid_question();

	want_success("a command of another size",
		     _IOWR(PAGENODE_IOC_TYPE, 1, char[200]), &q);
	q = valid_question();
	want_success("a command of no size", _IO(PAGENODE_IOC_TYPE, 1), &q);
}

static void abi_results(void)
{
	struct pagenode_query q = valid_question();
	const struct pagenode_query asked = q;

	q.out_count = 12345;
	q.next = 12345;
	want_success("results", PAGENODE_IOC_STATUS, &q);
	if (q.out_count != 2 || q.next != asked.start + 2 * PAGE)
		fail("out_count %llu, next - start %llu",
		     (unsigned long long)q.out_count,
		     (unsigned long long)(q.next - asked.start));
	if (memcmp(&q, &asked, offsetof(struct pagenode_query, out_count)))
		fail("the query changed what was asked");
}

const struct test_case abi_cases[] = {
	{ "abi-info", abi_info },
	{ "abi-size", abi_size },
	{ "abi-larger-struct", abi_larger_struct },
	{ "abi-unaligned-start", abi_unaligned_start },
	{ "abi-flags", abi_flags },
	{ "abi-reserved", abi_reserved },
	{ "abi-mm-fd-without-flag", abi_mm_fd_without_flag },
	{ "abi-out-len", abi_out_len },
	{ "abi-unknown-ioctl", abi_unknown_ioctl },
	{ "abi-later-ioctls", abi_later_ioctls },
	{ "abi-command-size", abi_command_size },
	{ "abi-results", abi_results },
	{ NULL, NULL },
};
