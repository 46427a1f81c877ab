// SPDX-License-Identifier: GPL-2.0-only
/*
 * pagenode_status() through move_pages(2), against move_pages(2) itself asked
 * about one page at a time.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"
#include "pagenode.h"

static struct pagenode *pn;

/* Each status of a range is the kernel's, and nothing else was written. */
static void check_range(const char *addr, size_t len, size_t nr_pages)
{
	uintptr_t page = (uintptr_t)addr & ~(page_size - 1);
	static int status[NR_PAGES + 2];
	size_t i;

	for (i = 0; i < nr_pages + 2; i++)
		status[i] = GUARD;

	CHECK_EQ(pagenode_status(pn, addr, len, status + 1, nr_pages), 0);

	CHECK_EQ(status[0], GUARD);
	for (i = 0; i < nr_pages; i++, page += page_size) {
		if (status[i + 1] != raw_status(page))
			FAIL("page %zu of %zu is %d, not %d", i, nr_pages,
			     status[i + 1], raw_status(page));
	}
	CHECK_EQ(status[nr_pages + 1], GUARD);
}

static void status_of_each_kind(void)
{
	char *p = map(4);
	int status[4];

	p[0] = 1;
	read_page(p + page_size);
	unmap(p + 3 * page_size, 1);

	CHECK_EQ(pagenode_status(pn, p, 4 * page_size, status, 4), 0);
	CHECK(status[0] >= 0);
	CHECK_EQ(status[1], -EFAULT);
	/* Before Linux 6.12 an untouched page is -EFAULT. */
	CHECK_EQ(status[2], raw_status((uintptr_t)p + 2 * page_size));
	CHECK(status[2] == -ENOENT || status[2] == -EFAULT);
	CHECK_EQ(status[3], -EFAULT);
	unmap(p, 3);
}

static void chunks_of_every_size(void)
{
	static const size_t sizes[] = {
		1, 2, 15, 16, 17, 511, 512, 513, 1023, 1024, 1025, 1536, 1537,
		NR_PAGES
	};
	char *p = map_zoo();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		/* From the front, and up to the end. */
		check_range(p, sizes[i] * page_size, sizes[i]);
		check_range(p + (NR_PAGES - sizes[i]) * page_size,
			    sizes[i] * page_size, sizes[i]);
	}
	unmap(p, NR_PAGES);
}

static void unaligned_range(void)
{
	char *p = map_zoo();

	check_range(p, 1, 1);
	check_range(p + page_size - 1, 1, 1);
	check_range(p + page_size - 1, 2, 2);
	check_range(p + 1, page_size - 1, 1);
	check_range(p + 1, page_size, 2);
	check_range(p + 1, 2 * page_size - 1, 2);
	check_range(p + 1, 2 * page_size, 3);
	check_range(p + 1, 512 * page_size, 513);
	check_range(p + page_size + 17, 512 * page_size - 17, 512);
	check_range(p + (HOLE_AT - 1) * page_size + 5, 2 * page_size, 3);
	unmap(p, NR_PAGES);
}

static void range_beyond_the_mapping(void)
{
	char *p = map(NR_PAGES);

	p[600 * page_size] = 1;
	p[1100 * page_size] = 1;
	unmap(p, 600);
	unmap(p + 1101 * page_size, NR_PAGES - 1101);

	check_range(p, NR_PAGES * page_size, NR_PAGES);
	unmap(p + 600 * page_size, 501);
}

static void top_of_the_address_space(void)
{
	const char *top = (const char *)-page_size;
	int status = GUARD;

	CHECK_EQ(pagenode_status(pn, top, page_size, &status, 1), 0);
	CHECK_EQ(status, -EFAULT);
	check_range(top - 700 * page_size, 701 * page_size, 701);
}

static void past_the_address_space_is_einval(void)
{
	const char *top = (const char *)-page_size;
	int status = GUARD;

	errno = 0;
	CHECK_EQ(pagenode_status(pn, top, page_size + 1, &status, 1), -1);
	CHECK_EQ(errno, EINVAL);
	errno = 0;
	CHECK_EQ(pagenode_status(pn, top, SIZE_MAX, &status, SIZE_MAX), -1);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(status, GUARD);
}

static void short_array_is_enospc(void)
{
	char *p = map(700);
	int status[700];
	size_t i;

	for (i = 0; i < 700; i++)
		status[i] = GUARD;

	errno = 0;
	CHECK_EQ(pagenode_status(pn, p, 700 * page_size, status, 699), -1);
	CHECK_EQ(errno, ENOSPC);
	errno = 0;
	CHECK_EQ(pagenode_status(pn, p + 1, page_size, status, 1), -1);
	CHECK_EQ(errno, ENOSPC);
	errno = 0;
	CHECK_EQ(pagenode_status(pn, p, 1, status, 0), -1);
	CHECK_EQ(errno, ENOSPC);

	for (i = 0; i < 700; i++)
		CHECK_EQ(status[i], GUARD);
	unmap(p, 700);
}

static void zero_length_is_nothing(void)
{
	int status = GUARD;

	CHECK_EQ(pagenode_status(pn, NULL, 0, NULL, 0), 0);
	CHECK_EQ(pagenode_status(pn, &status, 0, &status, 1), 0);
	CHECK_EQ(pagenode_status(pn, (void *)UINTPTR_MAX, 0, &status, 1), 0);
	CHECK_EQ(status, GUARD);
}

static void unwritable_array_is_efault(void)
{
	char *p = map(2);

	CHECK_EQ(mprotect(p, page_size, PROT_READ), 0);
	unmap(p + page_size, 1);

	errno = 0;
	CHECK_EQ(pagenode_status(pn, p, 1, (int *)p, 1), -1);
	CHECK_EQ(errno, EFAULT);
	errno = 0;
	CHECK_EQ(pagenode_status(pn, p, 1, (int *)(p + page_size), 1), -1);
	CHECK_EQ(errno, EFAULT);
	errno = 0;
	CHECK_EQ(pagenode_status(pn, p, 1, NULL, 1), -1);
	CHECK_EQ(errno, EFAULT);
	unmap(p, 1);
}

static void array_inside_the_range(void)
{
	char *p = map(700);
	int *status = (int *)p;

	p[699 * page_size] = 1;
	CHECK_EQ(pagenode_status(pn, p, 700 * page_size, status, 700), 0);
	CHECK_EQ(status[699], raw_status((uintptr_t)p + 699 * page_size));
	CHECK_EQ(status[1], raw_status((uintptr_t)p + page_size));
	unmap(p, 700);
}

static const struct test tests[] = {
	TEST(status_of_each_kind),
	TEST(chunks_of_every_size),
	TEST(unaligned_range),
	TEST(range_beyond_the_mapping),
	TEST(top_of_the_address_space),
	TEST(past_the_address_space_is_einval),
	TEST(short_array_is_enospc),
	TEST(zero_length_is_nothing),
	TEST(unwritable_array_is_efault),
	TEST(array_inside_the_range),
};

int main(void)
{
	int ret;

	pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	if (!pn) {
		printf("FAIL lib_status: pagenode_open: %s\n", strerror(errno));
		return 1;
	}
	ret = run_tests(tests, ARRAY_SIZE(tests));
	pagenode_close(pn);
	return ret;
}
