// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arguments of EXTENTS, COUNTS and PAGES: the errors that they share, and
 * CASES 19, where their results must not go.
 */
#include "case.h"

#include <sys/ioctl.h>

#include "shapes.h"

#define CANARY		0x55
#define ROOM		4096

enum { EXTENTS, COUNTS, PAGES };

/* The ioctls with what differs between them. */
static const struct shape {
	const char *name;
	unsigned long request;
	bool takes_split;
	bool takes_range;
	/* A result of two pages is no longer than this. */
	size_t len;
} shapes[] = {
	[EXTENTS] = { "EXTENTS", PAGENODE_IOC_EXTENTS, true, true, 2 },
	[COUNTS] = { "COUNTS", PAGENODE_IOC_COUNTS, false, true, 64 },
	[PAGES] = { "PAGES", PAGENODE_IOC_PAGES, false, false, 2 },
};

static char result[ROOM];
static uint64_t list[2];

/* A valid question about two pages, one present and one not. */
static struct pagenode_query valid_question(const struct shape *s)
{
	static char *p;

	if (!p) {
		p = map_anon(2 * PAGE);
		touch_on(node_b(), p, PAGE);
		list[0] = (uintptr_t)p;
		list[1] = (uintptr_t)p + PAGE;
	}
	memset(result, CANARY, sizeof(result));
	return shape_question(s->takes_range ? (void *)p : list, 2, result,
			      s->len);
}

static bool untouched(const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] != CANARY)
			return false;
	return true;
}

static void want_refused(const struct shape *s, const char *what,
			 struct pagenode_query *q, int want)
{
	char name[80];

	snprintf(name, sizeof(name), "%s: %s", s->name, what);
	want_answer(name, s->request, q, want);
	if (!untouched(result, sizeof(result)))
		fail("%s: refused, but wrote a result", name);
}

/* Where the results of a valid question are, whatever the shape. */
static void want_result(const struct shape *s, const char *what)
{
	const struct pagenode_extent *e = (void *)result;
	const uint64_t *count = (void *)result;
	const int *status = (void *)result;
	bool right;

	if (s->request == PAGENODE_IOC_EXTENTS)
		right = e[0].nr_pages == 1 && e[0].status == node_b() &&
			e[0].page_shift == 12 && e[1].nr_pages == 1 &&
			e[1].status == -ENOENT && !e[1].page_shift;
	else if (s->request == PAGENODE_IOC_COUNTS)
		right = count[node_b()] == 1;
	else
		right = status[0] == node_b() && status[1] == -ENOENT;
	if (!right)
		fail("%s: %s: wrong result", s->name, what);
}

static void want_valid(const struct shape *s, const char *what,
		       unsigned long request, struct pagenode_query *q)
{
	want_answer(what, request, q, 0);
	want_result(s, what);
}

static void flags_of(const struct shape *s)
{
	struct pagenode_query q;
	int bit;

	for (bit = 2; bit < 32; bit++) {
		q = valid_question(s);
		q.flags = 1U << bit;
		want_refused(s, "unknown flag", &q, -EINVAL);
	}
	q = valid_question(s);
	q.flags = PAGENODE_F_SPLIT_PAGE_SIZE;
	if (s->takes_split)
		want_valid(s, "SPLIT_PAGE_SIZE", s->request, &q);
	else
		want_refused(s, "SPLIT_PAGE_SIZE", &q, -EINVAL);
}

static void reserved_of(const struct shape *s)
{
	struct pagenode_query q = valid_question(s);

	q.reserved = 1;
	want_refused(s, "reserved", &q, -EINVAL);
	q = valid_question(s);
	q.mm_fd = 1;
	want_refused(s, "mm_fd without its flag", &q, -EINVAL);
	q = valid_question(s);
	q.mm_fd = -1;
	want_refused(s, "mm_fd -1 without its flag", &q, -EINVAL);
}

static void range_of(const struct shape *s)
{
	struct pagenode_query q = valid_question(s);

	if (!s->takes_range)
		return;
	q.start++;
	want_refused(s, "unaligned start", &q, -EINVAL);
	q.nr_pages = 0;
	want_refused(s, "unaligned start of no pages", &q, -EINVAL);
	q = valid_question(s);
	q.start = -PAGE;
	want_refused(s, "past 2^64", &q, -EINVAL);
	q.start = 0;
	q.nr_pages = (1ULL << 52) + 1;
	want_refused(s, "past 2^64", &q, -EINVAL);
	q.start = 2 * PAGE;
	q.nr_pages = (1ULL << 52) + 2;
	want_refused(s, "a length that is small modulo 2^64", &q, -EINVAL);
	q.nr_pages = UINT64_MAX;
	want_refused(s, "2^64 - 1 pages", &q, -EINVAL);
}

/* The struct with @size bytes, those past the known ones all @filler. */
static int ask_sized(const struct shape *s, uint32_t size, char filler)
{
	static char arg[2 * PAGE];
	struct pagenode_query q = valid_question(s);

	q.size = size;
	memset(arg, filler, sizeof(arg));
	memcpy(arg, &q, sizeof(q));
	return ask(s->request, arg);
}

static void size_of(const struct shape *s)
{
	static const struct {
		uint32_t size;
		char filler;
		int want;
	} sizes[] = {
		{ 0, 0, -EINVAL },	{ 79, 0, -EINVAL },
		{ 80, 1, 0 },		{ 81, 0, 0 },
		{ 81, 1, -E2BIG },	{ 160, 0, 0 },
		{ 160, 1, -E2BIG },	{ PAGE, 0, 0 },
		{ PAGE, 1, -E2BIG },
	};
	size_t i;
	int err;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		err = ask_sized(s, sizes[i].size, sizes[i].filler);
		if (err != sizes[i].want)
			fail("%s of %u bytes: %s, not %s", s->name,
			     sizes[i].size, strerror(-err),
			     strerror(-sizes[i].want));
		if (err && !untouched(result, sizeof(result)))
			fail("%s of %u bytes: refused, but wrote a result",
			     s->name, sizes[i].size);
	}
}

static void command_of(const struct shape *s)
{
	struct pagenode_query q = valid_question(s);

	want_valid(s, "a command of another size",
		   _IOWR(PAGENODE_IOC_TYPE, _IOC_NR(s->request), char[200]),
		   &q);
	q = valid_question(s);
	want_valid(s, "a command of no size",
		   _IO(PAGENODE_IOC_TYPE, _IOC_NR(s->request)), &q);
}

static void struct_of(const struct shape *s)
{
	struct pagenode_query q = valid_question(s);
	char *p = map_anon(2 * PAGE);

	want_answer("struct NULL", s->request, NULL, -EFAULT);
	want_answer("struct in the kernel", s->request,
		    (void *)0xffff888000000000, -EFAULT);
	must(munmap(p + PAGE, PAGE));
	memcpy(p + PAGE - 40, &q, 40);
	want_answer("half of the struct", s->request, (void *)(p + PAGE - 40),
		    -EFAULT);
	memcpy(p, &q, sizeof(q));
	must(mprotect(p, PAGE, PROT_READ));
	want_answer("read-only struct", s->request, (void *)p, -EFAULT);
	must(munmap(p, PAGE));
}

/* What was asked stays, and what was answered is set, whatever it was. */
static void results_of(const struct shape *s)
{
	const uint64_t per_page = s->takes_range ? PAGE : sizeof(list[0]);
	struct pagenode_query q = valid_question(s);
	const struct pagenode_query asked = q;
	bool counts = s->request == PAGENODE_IOC_COUNTS;

	q.out_count = 12345;
	q.next = 12345;
	q.nr_enoent = 12345;
	q.nr_efault = 12345;
	want_valid(s, "results", s->request, &q);
	if (memcmp(&q, &asked, offsetof(struct pagenode_query, out_count)))
		fail("%s changed what was asked", s->name);
	if (q.next != asked.start + 2 * per_page)
		fail("%s: next - start is %llu", s->name,
		     (unsigned long long)(q.next - asked.start));
	if (!counts && q.out_count != 2)
		fail("%s: out_count is %llu", s->name,
		     (unsigned long long)q.out_count);
	if (q.nr_enoent != counts || q.nr_efault)
		fail("%s: nr_enoent %llu, nr_efault %llu", s->name,
		     (unsigned long long)q.nr_enoent,
		     (unsigned long long)q.nr_efault);
}

static void abi_of(const struct shape *s, uint64_t feature)
{
	if (!(module_info().features & feature))
		fail("features lack %s", s->name);
	flags_of(s);
	reserved_of(s);
	range_of(s);
	size_of(s);
	command_of(s);
	struct_of(s);
	results_of(s);
}

static void abi_extents(void)
{
	abi_of(&shapes[EXTENTS], PAGENODE_FEATURE_EXTENTS);
}

static void abi_counts(void)
{
	abi_of(&shapes[COUNTS], PAGENODE_FEATURE_COUNTS);
}

static void abi_pages(void)
{
	abi_of(&shapes[PAGES], PAGENODE_FEATURE_PAGES);
}

/* A lock that a failed query kept would stop this for ever. */
static void locks_are_free(void)
{
	char *p = map_anon(PAGE);

	touch_on(node_b(), p, PAGE);
	expect("after the error", p, 1, NORMAL, node_b());
	must(munmap(p, PAGE));
}

static void want_none_written(const struct shape *s, const char *what,
			      const void *out)
{
	struct pagenode_query q = valid_question(s);

	q.out = (uintptr_t)out;
	q.out_count = 12345;
	want_refused(s, what, &q, -EFAULT);
	if (q.out_count || q.next != q.start || q.nr_enoent)
		fail("%s: %s: out_count %llu, next - start %llu, nr_enoent %llu",
		     s->name, what, (unsigned long long)q.out_count,
		     (unsigned long long)(q.next - q.start),
		     (unsigned long long)q.nr_enoent);
	locks_are_free();
}

static void bad_results_of(const struct shape *s)
{
	char *p = map_anon(PAGE);

	want_none_written(s, "out NULL", NULL);
	want_none_written(s, "out in the kernel", (void *)0xffff888000000000);
	want_none_written(s, "out at the end", (void *)-PAGE);
	want_none_written(s, "out not canonical", (void *)(1UL << 60));
	touch(p, PAGE);
	must(mprotect(p, PAGE, PROT_READ));
	want_none_written(s, "out read-only", p);
	must(mprotect(p, PAGE, PROT_NONE));
	want_none_written(s, "out PROT_NONE", p);
	must(munmap(p, PAGE));
	want_none_written(s, "out unmapped", p);
}

static void case19_extents_out(void)
{
	bad_results_of(&shapes[EXTENTS]);
}

static void case19_counts_out(void)
{
	bad_results_of(&shapes[COUNTS]);
}

static void case19_pages_out(void)
{
	bad_results_of(&shapes[PAGES]);
}

#define NR_PARTLY	9000

/* Page @i of the range is present if @i is even. */
static char *partly_range(void)
{
	char *p = map_anon(NR_PARTLY * PAGE);
	size_t i;

	bind_task(node_b());
	for (i = 0; i < NR_PARTLY; i += 2)
		touch(p + i * PAGE, PAGE);
	unbind_task();
	return p;
}

static int partly_want(size_t i)
{
	return i % 2 ? -ENOENT : node_b();
}

/*
 * An array of which the first @good elements of @size bytes can be written. The
 * bytes up to them are canaries.
 */
static char *partly_writable(size_t good, size_t size, int prot)
{
	char *p = map_anon(good * size + 3 * PAGE);
	char *end = p + ((good * size + 2 * PAGE - 1) & ~(PAGE - 1));

	memset(p, CANARY, end - p);
	must(mprotect(end, PAGE, prot));
	return end - good * size;
}

/* An element that only a part fits of may be begun, and is not counted. */
static void want_partly(const char *what, unsigned long request,
			struct pagenode_query *q, size_t good, size_t size)
{
	const char *out = (void *)(uintptr_t)q->out;

	want_answer(what, request, q, -EFAULT);
	if (q->out_count > good)
		fail("%s: out_count %llu, but room for %zu", what,
		     (unsigned long long)q->out_count, good);
	if (q->out_count + 256 < good)
		fail("%s: out_count %llu only, with room for %zu", what,
		     (unsigned long long)q->out_count, good);
	if (!untouched(out + q->out_count * size,
		       (good - q->out_count) * size))
		fail("%s: more was written than out_count says, %llu", what,
		     (unsigned long long)q->out_count);
}

static void extents_partly(const char *range, size_t good, int prot)
{
	const size_t size = sizeof(struct pagenode_extent);
	struct pagenode_extent *e = (void *)partly_writable(good, size, prot);
	struct pagenode_query q =
		shape_question(range, NR_PARTLY, e, NR_PARTLY);
	size_t i;

	want_partly("extents", PAGENODE_IOC_EXTENTS, &q, good, size);
	if (q.next != q.start + q.out_count * PAGE)
		fail("extents: next is not out_count pages on");
	for (i = 0; i < q.out_count; i++)
		if (e[i].start != q.start + i * PAGE || e[i].nr_pages != 1 ||
		    e[i].status != partly_want(i))
			fail("extent %zu of %zu is wrong", i, good);
	locks_are_free();
}

static void case19_extents_out_partly(void)
{
	static const size_t good[] = { 1, 2, 7, 170, 171, 1000, 5000, 8999 };
	char *range = partly_range();
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		extents_partly(range, good[i], PROT_READ);
		extents_partly(range, good[i], PROT_NONE);
	}
}

static void pages_partly(const char *range, size_t good, int prot)
{
	static uint64_t page[NR_PARTLY];
	int *status = (void *)partly_writable(good, sizeof(int), prot);
	struct pagenode_query q =
		shape_question(page, NR_PARTLY, status, NR_PARTLY);
	size_t i;

	for (i = 0; i < NR_PARTLY; i++)
		page[i] = (uintptr_t)range + (NR_PARTLY - 1 - i) * PAGE;
	want_partly("pages", PAGENODE_IOC_PAGES, &q, good, sizeof(int));
	if (q.next != q.start + q.out_count * sizeof(*page))
		fail("pages: next is not out_count addresses on");
	for (i = 0; i < q.out_count; i++)
		if (status[i] != partly_want(NR_PARTLY - 1 - i))
			fail("pages: status %zu of %zu is wrong", i, good);
	locks_are_free();
}

static void case19_pages_out_partly(void)
{
	static const size_t good[] = { 1, 2, 15, 17, 255, 256, 257, 1024, 1025,
				       5000, 8999 };
	char *range = partly_range();
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		pages_partly(range, good[i], PROT_READ);
		pages_partly(range, good[i], PROT_NONE);
	}
}

/* Counts are written at the end, all or none. */
static void case19_counts_out_partly(void)
{
	const size_t possible = module_info().nr_node_ids;
	char *range = partly_range();
	struct pagenode_query q;
	char *out;

	if (possible < 2)
		skip("one node is possible: its count is writable or is not");
	out = partly_writable(possible - 1, sizeof(uint64_t), PROT_READ);
	q = shape_question(range, NR_PARTLY, out, possible);
	want_answer("counts", PAGENODE_IOC_COUNTS, &q, -EFAULT);
	if (q.out_count || q.next != q.start)
		fail("counts: out_count %llu, next - start %llu",
		     (unsigned long long)q.out_count,
		     (unsigned long long)(q.next - q.start));
	locks_are_free();
}

const struct test_case shapes_abi_cases[] = {
	{ "abi-extents", abi_extents },
	{ "abi-counts", abi_counts },
	{ "abi-pages", abi_pages },
	{ "case19-extents-out", case19_extents_out },
	{ "case19-counts-out", case19_counts_out },
	{ "case19-pages-out", case19_pages_out },
	{ "case19-extents-out-partly-writable", case19_extents_out_partly },
	{ "case19-counts-out-partly-writable", case19_counts_out_partly },
	{ "case19-pages-out-partly-writable", case19_pages_out_partly },
	{ NULL, NULL },
};
