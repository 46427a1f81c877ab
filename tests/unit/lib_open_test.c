// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which backend a handle gets where the device is absent, forbidden or
 * another driver's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libpagenode/backend.h"
#include "pagenode.h"
#include "test.h"

static void unknown_flags_are_einval(void)
{
	static const unsigned int flags[] = {
		PAGENODE_OPEN_DEVICE | PAGENODE_OPEN_MOVE_PAGES,
		1U << 2,
		PAGENODE_OPEN_DEVICE | 1U << 2,
		PAGENODE_OPEN_MOVE_PAGES | 1U << 31,
		~0U,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		errno = 0;
		CHECK(!pagenode_open(flags[i]));
		CHECK_EQ(errno, EINVAL);
	}
}

static int lowest_free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	CHECK(fd >= 0);
	close(fd);
	return fd;
}

/* @path is no device of ours: refused with @err, or else replaced. */
static void check_unusable(const char *path, int err)
{
	int fd = lowest_free_fd();
	struct pagenode *pn;
	int status = -1;

	errno = 0;
	CHECK(!pn_open_at(path, 0, PAGENODE_OPEN_DEVICE));
	CHECK_EQ(errno, err);

	pn = pn_open_at(path, 0, 0);
	CHECK(pn);
	CHECK_EQ(pagenode_backend(pn), PAGENODE_BACKEND_MOVE_PAGES);
	CHECK_EQ(pagenode_status(pn, &status, sizeof(status), &status, 1), 0);
	CHECK(status >= 0);
	pagenode_close(pn);

	CHECK_EQ(lowest_free_fd(), fd);
}

static void absent_device(void)
{
	check_unusable("/nonexistent/pagenode", ENOENT);
}

static void other_drivers_device(void)
{
	check_unusable("/dev/null", ENODEV);
	check_unusable("/dev/zero", ENODEV);
}

static void directory_as_device(void)
{
	check_unusable("/", ENODEV);
}

static void file_as_device(void)
{
	char path[] = "/tmp/pagenode-test-XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	check_unusable(path, ENODEV);
	unlink(path);
}

/* Nobody will ever open the other end: whoever waits for that is killed. */
static void fifo_as_device(void)
{
	char dir[] = "/tmp/pagenode-test-XXXXXX";
	char path[64];

	CHECK(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/fifo", dir);
	CHECK_EQ(mkfifo(path, 0600), 0);
	alarm(30);
	check_unusable(path, ENODEV);
	alarm(0);
	unlink(path);
	rmdir(dir);
}

/* What a user without permission found, shared with the parent. */
struct report {
	int err;
	int fell_back;
};

static void try_as_nobody(const char *path, struct report *report)
{
	struct pagenode *pn;

	if (!geteuid() && (setgid(65534) || setuid(65534)))
		_exit(1);

	errno = 0;
	if (!pn_open_at(path, 0, PAGENODE_OPEN_DEVICE))
		report->err = errno;

	pn = pn_open_at(path, 0, 0);
	report->fell_back =
		pn && pagenode_backend(pn) == PAGENODE_BACKEND_MOVE_PAGES;
	pagenode_close(pn);
	_exit(0);
}

static void device_without_permission(void)
{
	struct report *report = mmap(NULL, sizeof(*report),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char path[] = "/tmp/pagenode-test-XXXXXX";
	int fd = mkstemp(path);
	int status;
	pid_t pid;

	CHECK(report != MAP_FAILED);
	CHECK(fd >= 0);
	CHECK_EQ(fchmod(fd, 0), 0);
	close(fd);

	pid = fork();
	CHECK(pid >= 0);
	if (!pid)
		try_as_nobody(path, report);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	unlink(path);

	CHECK_EQ(status, 0);
	CHECK_EQ(report->err, EACCES);
	CHECK(report->fell_back);
	munmap(report, sizeof(*report));
}

static void move_pages_on_request(void)
{
	struct pagenode *pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);

	CHECK(pn);
	CHECK_EQ(pagenode_backend(pn), PAGENODE_BACKEND_MOVE_PAGES);
	pagenode_close(pn);
}

static void close_of_nothing(void)
{
	pagenode_close(NULL);
}

static const struct test tests[] = {
	TEST(unknown_flags_are_einval),
	TEST(absent_device),
	TEST(other_drivers_device),
	TEST(directory_as_device),
	TEST(file_as_device),
	TEST(fifo_as_device),
	TEST(device_without_permission),
	TEST(move_pages_on_request),
	TEST(close_of_nothing),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
