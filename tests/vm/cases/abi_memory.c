// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls' memory: where the struct and the result array must not lie. */
#include "case.h"

#include <sys/wait.h>

#include "query.h"

#define CANARY 0x55555555

static void want_efault(const char *what, unsigned long request, void *arg)
{
	int err = ask(request, arg);

	if (err != -EFAULT)
		fail("%s: %s, not EFAULT", what,
		     err ? strerror(-err) : "success");
}

/* A lock that a failed query kept would stop this for ever. */
static void locks_are_free(void)
{
	char *p = map_anon(PAGE);

	touch_on(node_b(), p, PAGE);
	expect("after the error", p, 1, NORMAL, node_b());
	must(munmap(p, PAGE));
}

static void abi_struct_address(void)
{
	static const uintptr_t bad[] = {
		0, 8, PAGE, 0xffff888000000000, 0xffffffff81000000, -64UL, -8UL,
	};
	char *p = map_anon(2 * PAGE);
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		want_efault("query", PAGENODE_IOC_STATUS, (void *)bad[i]);
		want_efault("info", PAGENODE_IOC_INFO, (void *)bad[i]);
	}
	must(munmap(p + PAGE, PAGE));
	want_efault("unmapped", PAGENODE_IOC_STATUS, p + PAGE);
	*(uint32_t *)(p + PAGE - 8) = sizeof(struct pagenode_query);
	want_efault("half mapped", PAGENODE_IOC_STATUS, p + PAGE - 8);
	locks_are_free();
}

static void abi_struct_read_only(void)
{
	int *status = new_statuses(1);
	char *p = map_anon(PAGE);
	struct pagenode_query q = question(p, 1, status);
	struct pagenode_info info = { .size = sizeof(info) };
	char *arg = map_anon(2 * PAGE);

	memcpy(arg, &q, sizeof(q));
	memcpy(arg + PAGE, &info, sizeof(info));
	must(mprotect(arg, 2 * PAGE, PROT_READ));
	want_efault("read-only query", PAGENODE_IOC_STATUS, arg);
	want_efault("read-only info", PAGENODE_IOC_INFO, arg + PAGE);
	locks_are_free();
}

static void want_nothing_written(const char *what, const void *out)
{
	char *p = map_anon(8 * PAGE);
	struct pagenode_query q = question(p, 8, (int *)out);

	q.out_count = 12345;
	q.next = 12345;
	want_efault(what, PAGENODE_IOC_STATUS, &q);
	if (q.out_count || q.next != q.start)
		fail("%s: out_count %llu, next - start %llu", what,
		     (unsigned long long)q.out_count,
		     (unsigned long long)(q.next - q.start));
	locks_are_free();
}

static void abi_out_address(void)
{
	char *p = map_anon(PAGE);

	want_nothing_written("out NULL", NULL);
	want_nothing_written("out in the kernel", (void *)0xffff888000000000);
	want_nothing_written("out at the end", (void *)-PAGE);
	want_nothing_written("out not canonical", (void *)(1UL << 60));
	must(munmap(p, PAGE));
	want_nothing_written("out unmapped", p);
}

static void abi_out_read_only(void)
{
	char *p = map_anon(PAGE);

	touch(p, PAGE);
	must(mprotect(p, PAGE, PROT_READ));
	want_nothing_written("out read-only", p);
	must(mprotect(p, PAGE, PROT_NONE));
	want_nothing_written("out PROT_NONE", p);
}

#define WHOLE 65536UL

/* What lies where in the range of the cases below. */
static int partly_want(size_t i)
{
	if (i % 1024 < 512)
		return i % 3 ? -ENOENT : node_a();
	return i % 1024 < 700 ? node_b() : -ENOENT;
}

static char *partly_range(void)
{
	char *p = map_anon(WHOLE * PAGE);
	size_t i;
	int node;

	for (i = 0; i < WHOLE; i++) {
		node = partly_want(i);
		if (node >= 0 && i < 4096)
			touch_on(node, p + i * PAGE, PAGE);
	}
	return p;
}

static int partly_expected(size_t i)
{
	return i < 4096 ? partly_want(i) : -ENOENT;
}

/*
 * Only the first @good statuses' room of the array is writable. As much as
 * out_count says is right, and what lies beyond is as it was.
 */
static void partly(char *range, size_t good, size_t nr_pages, int prot)
{
	char *out = map_anon(nr_pages * sizeof(int) + 2 * PAGE);
	char *end = out + ((good * sizeof(int) + PAGE - 1) & ~(PAGE - 1));
	int *status = (int *)end - good;
	struct pagenode_query q = question(range, nr_pages, status);
	size_t i;

	memset(out, 0x55, end - out);
	if (prot < 0)
		must(munmap(end, PAGE));
	else
		must(mprotect(end, PAGE, prot));
	want_efault("out partly writable", PAGENODE_IOC_STATUS, &q);
	if (q.out_count > good)
		fail("out_count %llu, but room for %zu",
		     (unsigned long long)q.out_count, good);
	if (q.next != q.start + q.out_count * PAGE)
		fail("next is not out_count pages on");
	for (i = 0; i < q.out_count; i++)
		if (status[i] != partly_expected(i))
			fail("status %zu of %llu: %s, not %s", i,
			     (unsigned long long)q.out_count,
			     status_name(status[i]),
			     status_name(partly_expected(i)));
	for (; i < good; i++)
		if (status[i] != CANARY)
			fail("status %zu was written, but out_count is %llu", i,
			     (unsigned long long)q.out_count);
	if (good > WHOLE / 2 && !q.out_count)
		fail("%zu statuses fit, but none was written", good);
	locks_are_free();
}

static void abi_out_partly_writable(void)
{
	static const size_t good[] = { 1, 2, 3, 511, 1024, 1025, 2000, 4096,
				       5000, 16384, 40000, WHOLE - 1 };
	char *range = partly_range();
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		partly(range, good[i], WHOLE, -1);
		partly(range, good[i], WHOLE, PROT_READ);
		partly(range, good[i], good[i] + 1, PROT_NONE);
	}
}

/* The array's own pages are asked about while they are written. */
static void abi_out_inside_range(void)
{
	const size_t nr_pages = 4096;
	char *p = map_anon(nr_pages * PAGE);
	int *status = (int *)(p + 100 * PAGE);
	const size_t room = nr_pages * sizeof(int) / PAGE;
	size_t i;
	int s;

	touch_on(node_a(), p, 50 * PAGE);
	touch_on(node_b(), p + 200 * PAGE, 50 * PAGE);
	module_status(p, nr_pages, status);
	for (i = 0; i < nr_pages; i++) {
		s = status[i];
		if (i >= 100 && i < 100 + room) {
			if (s != -ENOENT && !is_node(s))
				fail("page %zu of the array: %s", i,
				     status_name(s));
		} else if (s != (i < 50 ? node_a() :
				 i >= 200 && i < 250 ? node_b() : -ENOENT)) {
			fail("page %zu: %s", i, status_name(s));
		}
	}
	expect("the array afterwards", status, room, NORMAL, ANY_NODE);
}

/* Misaligned by a byte: x86 can store there, so it is answered. */
static void abi_out_misaligned(void)
{
	char *p = map_anon(1024 * PAGE);
	char *out = map_anon(8 * PAGE);
	size_t offset;
	size_t i;
	int s;

	touch_on(node_b(), p, 512 * PAGE);
	for (offset = 1; offset < 8; offset++) {
		module_status(p, 1024, (int *)(out + offset));
		for (i = 0; i < 1024; i++) {
			memcpy(&s, out + offset + i * sizeof(s), sizeof(s));
			if (s != (i < 512 ? node_b() : -ENOENT))
				fail("offset %zu, page %zu: %s", offset, i,
				     status_name(s));
		}
	}
}

struct fork_test {
	char *only_child;
	char *only_parent;
};

static void child_asks(void *arg)
{
	const struct fork_test *t = arg;

	must((long)mmap(t->only_child, 4 * PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			0));
	touch_on(node_b(), t->only_child, 2 * PAGE);
	must(munmap(t->only_parent, 4 * PAGE));
	expect("the child's own", t->only_child, 2, NORMAL, node_b());
	expect("the child's own, untouched", t->only_child + 2 * PAGE, 2,
	       UNTOUCHED, 0);
	expect("unmapped by the child", t->only_parent, 4, HOLE, 0);
}

/* The descriptor carries no memory map: it is about whoever asks. */
static void abi_fork(void)
{
	struct fork_test t = {
		.only_child = quiet_room(4 * PAGE),
		.only_parent = map_anon(4 * PAGE),
	};

	touch_on(node_a(), t.only_parent, 4 * PAGE);
	device();
	in_child(child_asks, &t);
	expect("the child's", t.only_child, 4, HOLE, 0);
	expect("the parent's", t.only_parent, 4, NORMAL, node_a());
}

const struct test_case abi_memory_cases[] = {
	{ "abi-struct-address", abi_struct_address },
	{ "abi-struct-read-only", abi_struct_read_only },
	{ "abi-out-address", abi_out_address },
	{ "abi-out-read-only", abi_out_read_only },
	{ "abi-out-partly-writable", abi_out_partly_writable },
	{ "abi-out-inside-range", abi_out_inside_range },
	{ "abi-out-misaligned", abi_out_misaligned },
	{ "abi-fork", abi_fork },
	{ NULL, NULL },
};
