// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which pages of this process are present, from kernels with PAGEMAP_SCAN and,
 * ioctl() being ours, from those without.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"
#include "tools/present.h"

/* Longer than what is looked at in one go, on a kernel with 4K pages */
#define PAGES		20000

int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, void *arg);

static bool old_kernel;

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	if (old_kernel) {
		errno = ENOTTY;
		return -1;
	}
	return __real_ioctl(fd, request, arg);
}

/* The pages that are touched, as first and last, with room between them */
static const size_t runs[][2] = {
	{ 0, 0 }, { 2, 3 }, { 100, 699 }, { 4094, 4097 }, { 8191, 8191 },
	{ 12000, 12000 }, { 19990, 19999 },
};

static size_t page_size;

static char *pages_in_runs(void)
{
	char *p = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t run, i;

	CHECK(p != MAP_FAILED);
	madvise(p, PAGES * page_size, MADV_NOHUGEPAGE);
	for (run = 0; run < ARRAY_SIZE(runs); run++)
		for (i = runs[run][0]; i <= runs[run][1]; i++)
			p[i * page_size] = 1;
	return p;
}

static int open_own(void)
{
	int fd = present_open(getpid());

	if (fd < 0 && errno == ENOENT)
		SKIP("this kernel has no /proc/self/pagemap");
	CHECK(fd >= 0);
	return fd;
}

/* Where a question ended within a run, the next answer goes on with it. */
static void check_runs(size_t capacity)
{
	char *p = pages_in_runs();
	uintptr_t base = (uintptr_t)p;
	struct range left = { base, base + PAGES * page_size };
	struct range found[ARRAY_SIZE(runs)];
	size_t run = 0, next = runs[0][0];
	int fd = open_own();
	ssize_t nr, i;

	while (left.start < left.end) {
		nr = present_list(fd, &left, found, capacity);
		CHECK(nr >= 0 && (size_t)nr <= capacity);
		for (i = 0; i < nr; i++) {
			CHECK(run < ARRAY_SIZE(runs));
			CHECK_EQ((found[i].start - base) / page_size, next);
			next = (found[i].end - base) / page_size;
			CHECK(next <= runs[run][1] + 1);
			if (next <= runs[run][1])
				continue;
			if (++run < ARRAY_SIZE(runs))
				next = runs[run][0];
		}
	}
	CHECK_EQ(left.start, left.end);
	CHECK_EQ(run, ARRAY_SIZE(runs));
	close(fd);
	munmap(p, PAGES * page_size);
}

static void with_scan(void)
{
	old_kernel = false;
	check_runs(ARRAY_SIZE(runs));
}

static void with_scan_one_by_one(void)
{
	old_kernel = false;
	check_runs(1);
}

static void with_entries(void)
{
	old_kernel = true;
	check_runs(ARRAY_SIZE(runs));
}

static void with_entries_one_by_one(void)
{
	old_kernel = true;
	check_runs(1);
}

/* The file has no more entries there. */
static void beyond_the_address_space(void)
{
	struct range left = { 1ULL << 62, (1ULL << 62) + page_size };
	int fd = open_own();
	struct range found;

	old_kernel = true;
	CHECK_EQ(present_list(fd, &left, &found, 1), 0);
	CHECK_EQ(left.start, left.end);
	close(fd);
}

static const struct test tests[] = {
	TEST(with_scan),
	TEST(with_scan_one_by_one),
	TEST(with_entries),
	TEST(with_entries_one_by_one),
	TEST(beyond_the_address_space),
};

int main(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	return run_tests(tests, ARRAY_SIZE(tests));
}
