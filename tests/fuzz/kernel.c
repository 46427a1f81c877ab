// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel, as far as the library sees it: the compiler calls these instead
 * of libc's functions (-Dopen=fake_open ...). It takes valid questions only,
 * for the library must ask no others.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world.h"

#define DEVICE_FD	1001
#define PAGEMAP_FD	1002
#define MAX_CHUNK	512
#define POSSIBLE_NODES	1024

int fake_open(const char *path, int flags, ...);
int fake_close(int fd);
int fake_kill(pid_t pid, int sig);
int fake_ioctl(int fd, unsigned long request, ...);
long fake_syscall(long number, ...);

/* Is an error due? */
static bool fails(bool device)
{
	if (!world.calls_until_error || --world.calls_until_error)
		return false;
	if (world.fails_for_good)
		world.calls_until_error = 1;
	world.failed = world.call_errno;
	world.device_failed = device;
	errno = world.call_errno;
	return true;
}

/* Of a zombie and of a kernel thread */
static bool lacks_memory(int err)
{
	errno = err;
	return world.pid && world.without_memory;
}

static int open_file(int fd, int err)
{
	errno = err;
	if (err)
		return -1;
	world.nr_open++;
	return fd;
}

int fake_open(const char *path, int flags, ...)
{
	char pagemap[32];

	REQUIRE((flags & O_ACCMODE) == O_RDONLY && flags & O_CLOEXEC);
	if (!strcmp(path, "/dev/pagenode"))
		return open_file(DEVICE_FD, world.open_errno);
	snprintf(pagemap, sizeof(pagemap), "/proc/%d/pagemap", (int)world.pid);
	REQUIRE(world.pid && !strcmp(path, pagemap));
	return open_file(PAGEMAP_FD, world.pagemap_errno);
}

int fake_close(int fd)
{
	REQUIRE(fd == DEVICE_FD || fd == PAGEMAP_FD);
	world.nr_open--;
	return 0;
}

int fake_kill(pid_t pid, int sig)
{
	REQUIRE(pid == world.pid && !sig);
	if (!world.kill_errno)
		return 0;
	errno = world.kill_errno;
	return -1;
}

static int info(struct pagenode_info *i)
{
	REQUIRE(i->size == sizeof(*i));
	errno = world.info_errno;
	if (world.info_errno)
		return -1;
	i->abi_version = world.abi_version;
	i->features = world.features;
	return 0;
}

static void answer_status(struct pagenode_query *q)
{
	int *status = (int *)(uintptr_t)q->out;
	uint64_t page = q->start / PAGE;
	uint64_t i;

	REQUIRE(q->out_len >= q->nr_pages);
	for (i = 0; i < q->nr_pages; i++)
		status[i] = world_at(page + i).status;
}

static void answer_extents(struct pagenode_query *q)
{
	struct pagenode_extent *ext = (void *)(uintptr_t)q->out;
	uint64_t page = q->start / PAGE;
	uint64_t end = page + q->nr_pages;

	while (page < end && q->out_count < q->out_len)
		page = world_extent(page, end,
				    q->flags & PAGENODE_F_SPLIT_PAGE_SIZE, true,
				    &ext[q->out_count++]);
	q->next = page * PAGE;
}

/* As the module: an element for each possible node, and nothing on error. */
static int answer_counts(struct pagenode_query *q)
{
	uint64_t node[POSSIBLE_NODES] = { 0 };
	uint64_t nr_enoent = 0;
	uint64_t nr_efault = 0;
	uint64_t page = q->start / PAGE;
	uint64_t end = page + q->nr_pages;
	uint64_t len = q->out_len < POSSIBLE_NODES ? q->out_len :
						     POSSIBLE_NODES;

	q->out_count = world_counts(page, end, node, POSSIBLE_NODES,
				    &nr_enoent, &nr_efault);
	q->nr_enoent = nr_enoent;
	q->nr_efault = nr_efault;
	errno = ENOSPC;
	if (q->out_count > len)
		return -1;
	q->out_count = len;
	if (len)
		memcpy((void *)(uintptr_t)q->out, node, len * sizeof(*node));
	return 0;
}

static void answer_pages(struct pagenode_query *q)
{
	const uint64_t *list = (void *)(uintptr_t)q->start;
	int *status = (int *)(uintptr_t)q->out;
	uint64_t i;

	REQUIRE(q->out_len >= q->nr_pages);
	for (i = 0; i < q->nr_pages; i++)
		status[i] = world_at(list[i] / PAGE).status;
}

static void check_query(unsigned long request, const struct pagenode_query *q)
{
	uint32_t flags = world.pid ? PAGENODE_F_MM_FD : 0;

	if (request == PAGENODE_IOC_EXTENTS)
		flags |= q->flags & PAGENODE_F_SPLIT_PAGE_SIZE;
	REQUIRE(q->size == sizeof(*q) && !q->reserved && q->flags == flags);
	REQUIRE(q->mm_fd == (world.pid ? PAGEMAP_FD : 0));
	REQUIRE(!q->out_count && !q->next && !q->nr_enoent && !q->nr_efault);
	if (request == PAGENODE_IOC_PAGES)
		return;
	REQUIRE(q->nr_pages && q->start % PAGE == 0);
	REQUIRE(q->nr_pages <= NR_ADDRESSABLE - q->start / PAGE);
}

int fake_ioctl(int fd, unsigned long request, ...)
{
	struct pagenode_query *q;
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);

	REQUIRE(fd == DEVICE_FD);
	if (request == PAGENODE_IOC_INFO)
		return info(arg);
	q = arg;
	check_query(request, q);
	if (fails(true) || lacks_memory(ESRCH))
		return -1;
	switch (request) {
	case PAGENODE_IOC_STATUS:
		answer_status(q);
		return 0;
	case PAGENODE_IOC_EXTENTS:
		answer_extents(q);
		return 0;
	case PAGENODE_IOC_COUNTS:
		return answer_counts(q);
	case PAGENODE_IOC_PAGES:
		answer_pages(q);
		return 0;
	}
	wrong("ioctl %#lx", request);
}

static long move_pages(pid_t pid, unsigned long count, void *const *pages,
		       const int *nodes, int *status, int flags)
{
	unsigned long i;

	REQUIRE(pid == world.pid && !nodes && !flags && count <= MAX_CHUNK);
	if (fails(false) || lacks_memory(EINVAL))
		return -1;
	for (i = 0; i < count; i++)
		status[i] = world_at((uintptr_t)pages[i] / PAGE).status;
	return 0;
}

long fake_syscall(long number, ...)
{
	unsigned long count;
	void *const *pages;
	const int *nodes;
	int *status;
	va_list args;
	pid_t pid;
	long ret;

	REQUIRE(number == SYS_move_pages);
	va_start(args, number);
	pid = va_arg(args, pid_t);
	count = va_arg(args, unsigned long);
	pages = va_arg(args, void *const *);
	nodes = va_arg(args, const int *);
	status = va_arg(args, int *);
	ret = move_pages(pid, count, pages, nodes, status, va_arg(args, int));
	va_end(args);
	return ret;
}
