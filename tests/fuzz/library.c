// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer's target: a world made of the input, a handle, and questions, each
 * answer held against what the world says.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "world.h"

/* The fallback goes page by page. */
#define MAX_PAGES	4096
#define MAX_CALLS	16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A handle and the pages that a question touches. */
struct question {
	struct pagenode *pn;
	const void *addr;
	size_t len;
	uint64_t page;
	uint64_t end;
	bool valid;		/* it ends within the address space */
	bool device;
};

/* An array whose end AddressSanitizer guards, full of what nobody answers. */
static void *new_array(size_t nr, size_t size)
{
	void *p = malloc(nr ? nr * size : 1);

	REQUIRE(p);
	return memset(p, 0x5a, nr * size);
}

static void require_untouched(const void *array, size_t from, size_t nr,
			      size_t size)
{
	const unsigned char *p = array;
	size_t i;

	for (i = from * size; i < nr * size; i++)
		REQUIRE(p[i] == 0x5a);
}

/* What move_pages(2) calls an invalid process has no memory. */
static int reported(int err, bool device)
{
	return !device && err == EINVAL ? ESRCH : err;
}

/* The error that has to come of this, or 0 */
static int expected_error(const struct question *q)
{
	return q->valid ? reported(world.failed, q->device) : EINVAL;
}

/* True if the call failed, as it had to. */
static bool failed(const struct question *q, long ret)
{
	int err = errno;
	int want = expected_error(q);

	REQUIRE((ret < 0) == (want != 0));
	if (ret >= 0)
		return false;
	REQUIRE(ret == -1);
	if (err != want)
		wrong("errno %d, not %d", err, want);
	return true;
}

static void ask_status(struct input *in, const struct question *q)
{
	uint64_t nr = q->end - q->page;
	uint64_t room = take_below(in, 2) ? nr : nr + take_below(in, 5) - 2;
	int *status;
	size_t i;
	int ret;

	if (!q->valid || nr > MAX_PAGES || room > 2 * MAX_PAGES)
		room = take_below(in, 5);
	status = new_array(room, sizeof(*status));
	errno = 0;
	ret = pagenode_status(q->pn, q->addr, q->len, status, room);
	if (q->valid && room < nr) {
		REQUIRE(ret == -1 && errno == ENOSPC);
		require_untouched(status, 0, room, sizeof(*status));
	} else if (!failed(q, ret)) {
		for (i = 0; i < nr; i++)
			REQUIRE(status[i] == world_at(q->page + i).status);
		require_untouched(status, nr, room, sizeof(*status));
	}
	free(status);
}

/* One call, whose answer begins at @q->page. Returns where it ends. */
static uint64_t ask_extents_once(const struct question *q, bool by_size,
				 size_t room)
{
	struct pagenode_extent *ext = new_array(room, sizeof(*ext)), want;
	const void *unset = &want;
	const void *next = unset;
	uint64_t page = q->page;
	ssize_t ret;
	size_t i;

	errno = 0;
	ret = (by_size ? pagenode_extents_by_size : pagenode_extents)
		(q->pn, q->addr, q->len, ext, room, &next);
	if (by_size && q->valid && q->page < q->end && !q->device) {
		REQUIRE(ret == -1 && errno == EOPNOTSUPP && next == unset);
		require_untouched(ext, 0, room, sizeof(*ext));
		page = q->end;
	} else if (failed(q, ret)) {
		REQUIRE(next == unset);
		page = q->end;
	} else {
		for (i = 0; i < room && page < q->end; i++) {
			page = world_extent(page, q->end, by_size, q->device,
					    &want);
			REQUIRE(!memcmp(&ext[i], &want, sizeof(want)));
		}
		REQUIRE((size_t)ret == i);
		REQUIRE((uintptr_t)next == page * PAGE);
		require_untouched(ext, i, room, sizeof(*ext));
	}
	free(ext);
	return page;
}

/* And again from next, as long as there is any. */
static void ask_extents(struct input *in, const struct question *question)
{
	static const uint32_t rooms[] = { 2, 5, 100, 2000 };
	size_t room = take_below(in, TAKE_FROM(in, rooms));
	bool by_size = take_below(in, 4) == 1;
	struct question q = *question;
	int calls;

	for (calls = 0; calls < 100; calls++) {
		q.page = ask_extents_once(&q, by_size, room);
		if (!q.valid || q.page >= q.end || !room)
			break;
		q.len -= q.page * PAGE - (uintptr_t)q.addr;
		q.addr = (const void *)(uintptr_t)(q.page * PAGE);
	}
}

static void check_counts(const struct question *q,
			 const struct pagenode_counts *got, size_t room)
{
	uint64_t *node = calloc(room + 1, sizeof(*node));
	uint64_t nr_enoent = 0;
	uint64_t nr_efault = 0;

	REQUIRE(node);
	world_counts(q->page, q->end, node, room, &nr_enoent, &nr_efault);
	REQUIRE(got->nr_nodes == room);
	REQUIRE(got->nr_enoent == nr_enoent);
	REQUIRE(got->nr_efault == nr_efault);
	REQUIRE(!room || !memcmp(got->node, node, room * sizeof(*node)));
	free(node);
}

static void ask_counts(struct input *in, const struct question *q)
{
	static const uint32_t rooms[] = { 4, 70, 1100 };
	size_t room = take_below(in, TAKE_FROM(in, rooms));
	uint64_t ignored = 0;
	struct pagenode_counts counts = {
		.nr_nodes = room, .nr_enoent = 5, .nr_efault = 5,
	};
	uint64_t needed = 0;
	int ret;

	if (q->valid)
		needed = world_counts(q->page, q->end, NULL, 0, &ignored,
				      &ignored);
	counts.node = new_array(room, sizeof(*counts.node));
	errno = 0;
	ret = pagenode_counts(q->pn, q->addr, q->len, &counts);
	if (!expected_error(q) && needed > room) {
		REQUIRE(ret == -1 && errno == ENOSPC);
		REQUIRE(counts.nr_nodes == needed);
	} else if (!failed(q, ret)) {
		check_counts(q, &counts, room);
	} else {
		REQUIRE(counts.nr_nodes == room);
	}
	free(counts.node);
}

static uint64_t near_page(struct input *in)
{
	const struct span *s;
	uint64_t page = 0;

	if (world.nr_spans) {
		s = &world.span[take_below(in, world.nr_spans)];
		page = take_below(in, 2) ? s->first : s->end;
	}
	return (page + take_below(in, 16) - 8) % NR_ADDRESSABLE;
}

static void ask_pages(struct input *in, const struct question *q)
{
	static const uint32_t counts[] = { 4, 40, 1600 };
	size_t nr = take_below(in, TAKE_FROM(in, counts));
	uint64_t page = near_page(in);
	uint64_t step = take(in, 2);
	void **list = new_array(nr, sizeof(*list));
	int *status = new_array(nr, sizeof(*status));
	struct question about_all = *q;
	size_t i;

	about_all.valid = true;
	for (i = 0; i < nr; i++)
		list[i] = (void *)(uintptr_t)((page + i * step) * PAGE +
					      i * 7 % PAGE);
	errno = 0;
	if (!failed(&about_all, pagenode_pages(q->pn, nr, list, status)))
		for (i = 0; i < nr; i++)
			REQUIRE(status[i] ==
				world_at((uintptr_t)list[i] / PAGE).status);
	free(list);
	free(status);
}

/* Bytes from near a span's end to near another's, or any number of them */
static void choose_range(struct input *in, struct question *q)
{
	uint64_t first = near_page(in) * PAGE + take_below(in, PAGE);
	uint64_t last = near_page(in) * PAGE + take_below(in, PAGE);
	uint64_t len = last - first;

	switch (take_below(in, 4)) {
	case 0:
		len = take_below(in, 3 * PAGE);
		break;
	case 1:
		len = take_below(in, 2) ? SIZE_MAX : -first;
		break;
	}
	if (!q->device && len / PAGE >= MAX_PAGES)
		len %= MAX_PAGES * PAGE;
	last = first + len - 1;
	q->addr = (const void *)(uintptr_t)first;
	q->len = len;
	q->valid = !len || last >= first;
	q->page = first / PAGE;
	q->end = len ? last / PAGE + 1 : q->page;
}

static void ask(struct input *in, struct pagenode *pn)
{
	static void (*const questions[])(struct input *in,
					 const struct question *q) = {
		ask_status, ask_extents, ask_counts, ask_pages
	};
	struct question q = {
		.pn = pn,
		.device = pagenode_backend(pn) == PAGENODE_BACKEND_DEVICE,
	};

	world.failed = 0;
	choose_range(in, &q);
	TAKE_FROM(in, questions)(in, &q);
}

/* Why the device can't be used, but for an error that was injected. */
static int device_trouble(void)
{
	uint64_t needed = 0x0f | (world.pid ? PAGENODE_FEATURE_MM_FD : 0);

	int err = 0;

	if (world.open_errno)
		err = world.open_errno;
	else if (world.info_errno)
		err = ENODEV;
	else if (world.abi_version != PAGENODE_ABI_VERSION)
		err = EPROTO;
	else if ((world.features & needed) != needed)
		err = EOPNOTSUPP;
	else if (world.pid && world.pagemap_errno == ENOENT && world.kill_errno)
		err = world.kill_errno;
	else if (world.pid && world.pagemap_errno)
		err = world.pagemap_errno;
	else if (world.pid && world.without_memory)
		err = ESRCH;
	return err;
}

static bool valid_arguments(pid_t pid, unsigned int flags)
{
	return pid >= 0 && flags <= PAGENODE_OPEN_MOVE_PAGES;
}

/* No errors but the device's, on request, and that of move_pages(2) are final. */
static void check_opened(const struct pagenode *pn, unsigned int flags, int err)
{
	int trouble = device_trouble();

	if (!trouble && flags != PAGENODE_OPEN_MOVE_PAGES) {
		REQUIRE(pn);
		REQUIRE(pagenode_backend(pn) == PAGENODE_BACKEND_DEVICE);
	} else if (flags == PAGENODE_OPEN_DEVICE) {
		REQUIRE(!pn && err == trouble);
	} else if (world.pid && world.without_memory) {
		REQUIRE(!pn && err == ESRCH);
	} else {
		REQUIRE(pn);
		REQUIRE(pagenode_backend(pn) == PAGENODE_BACKEND_MOVE_PAGES);
	}
}

/* The same where a call failed, of the device or of move_pages(2). */
static void check_opened_in_error(const struct pagenode *pn,
				  unsigned int flags, int err)
{
	if (flags == PAGENODE_OPEN_DEVICE) {
		REQUIRE(!pn && err == world.failed);
	} else if (world.pid && !world.device_failed) {
		REQUIRE(!pn && err == reported(world.failed, false));
	} else if (world.pid && world.without_memory) {
		REQUIRE(!pn && err == ESRCH);
	} else {
		REQUIRE(pn);
		REQUIRE(pagenode_backend(pn) == PAGENODE_BACKEND_MOVE_PAGES);
	}
}

static struct pagenode *open_handle(struct input *in)
{
	static const unsigned int all_flags[] = { 0, 0, 0, 1, 1, 2, 2, 3, 4 };
	static const pid_t pids[] = { 0, 0, 0, 0, 77, 77, 77, -1 };
	unsigned int flags = TAKE_FROM(in, all_flags);
	struct pagenode *pn;

	world.pid = TAKE_FROM(in, pids);
	errno = 0;
	pn = pagenode_open_pid(world.pid, flags);
	if (!valid_arguments(world.pid, flags))
		REQUIRE(!pn && errno == EINVAL);
	else if (world.failed)
		check_opened_in_error(pn, flags, errno);
	else
		check_opened(pn, flags, errno);
	REQUIRE(pn || !world.nr_open);
	if (pn)
		REQUIRE(strlen(pagenode_describe(pn)) < 255);
	return pn;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .byte = data, .left = size };
	struct pagenode *pn;
	int calls;

	make_world(&in);
	pn = open_handle(&in);
	for (calls = 0; pn && in.left && calls < MAX_CALLS; calls++)
		ask(&in, pn);
	pagenode_close(pn);
	REQUIRE(!world.nr_open);
	return 0;
}
