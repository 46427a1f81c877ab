// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the library says to the device when it opens a handle and asks for
 * statuses, and what it makes of the answers.
 */
#include "fake_device.h"

/* No status has this value. */
#define GUARD 0x5a5a5a5a

/* The device as it is now is refused with @err, or else replaced. */
static void check_refused(int err)
{
	struct pagenode *pn;

	errno = 0;
	CHECK(!pagenode_open(PAGENODE_OPEN_DEVICE));
	CHECK_EQ(errno, err);
	CHECK(!is_open(dev.device.fd));

	pn = pagenode_open(0);
	CHECK(pn);
	CHECK_EQ(pagenode_backend(pn), PAGENODE_BACKEND_MOVE_PAGES);
	CHECK(!is_open(dev.device.fd));
	pagenode_close(pn);
}

static void opens_the_device(void)
{
	struct pagenode *pn;

	reset_device();
	pn = open_device(0);
	CHECK(!strcmp(dev.device.path, "/dev/pagenode"));
	CHECK_EQ(dev.device.flags & O_ACCMODE, O_RDONLY);
	CHECK(dev.device.flags & O_CLOEXEC);
	CHECK(dev.device.flags & O_NOCTTY);
	CHECK(is_open(dev.device.fd));
	pagenode_close(pn);
	CHECK(!is_open(dev.device.fd));
}

static void prefers_the_device(void)
{
	struct pagenode *pn;

	reset_device();
	pn = pagenode_open(0);
	CHECK(pn);
	CHECK_EQ(pagenode_backend(pn), PAGENODE_BACKEND_DEVICE);
	pagenode_close(pn);
}

static void move_pages_leaves_the_device_alone(void)
{
	struct pagenode *pn;
	int status = GUARD;

	reset_device();
	pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	CHECK(pn);
	CHECK_EQ(pagenode_backend(pn), PAGENODE_BACKEND_MOVE_PAGES);
	CHECK_EQ(pagenode_status(pn, &status, 1, &status, 1), 0);
	CHECK(status >= 0 && status != GUARD);
	CHECK_EQ(dev.device.path[0], '\0');
	CHECK_EQ(dev.info_calls + dev.queries + dev.other_calls, 0);
	pagenode_close(pn);
}

static void asks_info_with_a_zeroed_struct(void)
{
	struct pagenode_info want = { .size = 64 };
	struct pagenode *pn;

	reset_device();
	pn = open_device(0);
	CHECK_EQ(dev.info_calls, 1);
	CHECK(!memcmp(&dev.info, &want, sizeof(want)));
	CHECK_EQ(dev.queries + dev.other_calls, 0);
	pagenode_close(pn);
}

static void other_drivers_device_is_enodev(void)
{
	static const int errs[] = { ENOTTY, EINVAL, EPERM, ENODEV, EFAULT };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errs); i++) {
		reset_device();
		dev.info_errno = errs[i];
		check_refused(ENODEV);
	}
}

static void other_abi_version_is_eproto(void)
{
	reset_device();
	dev.abi_version = 2;
	check_refused(EPROTO);
	dev.abi_version = 0;
	check_refused(EPROTO);
}

static void missing_feature_is_eopnotsupp(void)
{
	reset_device();
	dev.features = ~PAGENODE_FEATURE_STATUS;
	check_refused(EOPNOTSUPP);
}

static void unknown_features_are_ignored(void)
{
	reset_device();
	dev.features = ~0ULL;
	pagenode_close(open_device(0));
}

static void no_memory_for_a_handle(void)
{
	reset_device();
	dev.malloc_fails = 1;
	errno = 0;
	CHECK(!pagenode_open(0));
	CHECK_EQ(errno, ENOMEM);
	CHECK(!is_open(dev.device.fd));
}

static void asks_status_with_a_zeroed_struct(void)
{
	const uintptr_t start = 0x7f0000000000;
	struct pagenode_query want = { .size = 80 };
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	struct pagenode *pn;
	int status[9];

	reset_device();
	pn = open_device(0);
	want.start = start;
	want.nr_pages = 7;
	want.out = (uintptr_t)status;
	want.out_len = 7;

	/* A longer array than needed makes no difference. */
	CHECK_EQ(pagenode_status(pn, (void *)start, 7 * page_size, status, 7),
		 0);
	CHECK(!memcmp(&dev.query, &want, sizeof(want)));
	CHECK_EQ(pagenode_status(pn, (void *)start, 7 * page_size, status, 9),
		 0);
	CHECK(!memcmp(&dev.query, &want, sizeof(want)));

	CHECK_EQ(dev.queries, 2);
	CHECK_EQ(dev.other_calls, 0);
	pagenode_close(pn);
}

static void rounds_outward_to_pages(void)
{
	const size_t ps = (size_t)sysconf(_SC_PAGESIZE);
	const uintptr_t base = 0x7f0000000000;
	const struct {
		uintptr_t addr;
		size_t len;
		uintptr_t start;
		size_t nr_pages;
	} cases[] = {
		{ base, 1, base, 1 },
		{ base, ps, base, 1 },
		{ base, ps + 1, base, 2 },
		{ base + 1, ps - 1, base, 1 },
		{ base + 1, ps, base, 2 },
		{ base + ps - 1, 1, base, 1 },
		{ base + ps - 1, 2, base, 2 },
		{ base + ps + 1, 3 * ps - 2, base + ps, 3 },
		/* more than 4 GiB, and more than 2^32 pages */
		{ base, 0x140000000, base, 0x140000000 / ps },
		{ base + 5, 0x140000000, base, 0x140000000 / ps + 1 },
		{ 0, 0x6000000000000, 0, 0x6000000000000 / ps },
		/* the ends of the address space */
		{ 0, 1, 0, 1 },
		{ -ps, ps, -ps, 1 },
		{ UINTPTR_MAX, 1, -ps, 1 },
		{ 0, SIZE_MAX, 0, SIZE_MAX / ps + 1 },
	};
	struct pagenode *pn;
	int status;
	size_t i;

	reset_device();
	pn = open_device(0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK_EQ(pagenode_status(pn, (void *)cases[i].addr,
					 cases[i].len, &status,
					 cases[i].nr_pages), 0);
		if (dev.query.start != cases[i].start ||
		    dev.query.nr_pages != cases[i].nr_pages)
			FAIL("range %zu becomes %#llx, %#llx pages", i,
			     dev.query.start, dev.query.nr_pages);

		/* One element less is too few. */
		errno = 0;
		CHECK_EQ(pagenode_status(pn, (void *)cases[i].addr,
					 cases[i].len, &status,
					 cases[i].nr_pages - 1), -1);
		CHECK_EQ(errno, ENOSPC);
		CHECK_EQ(dev.queries, i + 1);
	}
	pagenode_close(pn);
}

static void does_not_bother_the_device(void)
{
	struct pagenode *pn;
	int status;

	reset_device();
	pn = open_device(0);
	CHECK_EQ(pagenode_status(pn, &status, 0, &status, 1), 0);
	errno = 0;
	CHECK_EQ(pagenode_status(pn, (void *)UINTPTR_MAX, 2, &status, 2), -1);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(dev.queries + dev.other_calls, 0);
	pagenode_close(pn);
}

static void passes_errors_on(void)
{
	static const int errs[] = { EFAULT, ENOMEM, EINTR, EINVAL, ENOSPC };
	struct pagenode *pn;
	int status;
	size_t i;

	reset_device();
	pn = open_device(0);
	for (i = 0; i < ARRAY_SIZE(errs); i++) {
		dev.query_errno = errs[i];
		errno = 0;
		CHECK_EQ(pagenode_status(pn, &status, 1, &status, 1), -1);
		CHECK_EQ(errno, errs[i]);
	}
	pagenode_close(pn);
}

static const struct test tests[] = {
	TEST(opens_the_device),
	TEST(prefers_the_device),
	TEST(move_pages_leaves_the_device_alone),
	TEST(asks_info_with_a_zeroed_struct),
	TEST(other_drivers_device_is_enodev),
	TEST(other_abi_version_is_eproto),
	TEST(missing_feature_is_eopnotsupp),
	TEST(unknown_features_are_ignored),
	TEST(no_memory_for_a_handle),
	TEST(asks_status_with_a_zeroed_struct),
	TEST(rounds_outward_to_pages),
	TEST(does_not_bother_the_device),
	TEST(passes_errors_on),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
