// SPDX-License-Identifier: GPL-2.0-only
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "device.h"
#include "uapi/pagenode.h"

int ioctl(int fd, unsigned long request, ...);
void *__libc_malloc(size_t size);

struct fake fake;

int open(const char *path, int flags, ...)
{
	if (strcmp(path, "/dev/pagenode") != 0)
		return openat(AT_FDCWD, path, flags, 0);
	__atomic_fetch_add(&fake.opens, 1, __ATOMIC_RELAXED);
	if (!fake.absent)
		return openat(AT_FDCWD, "/dev/null", flags);
	errno = ENOENT;
	return -1;
}

void *malloc(size_t size)
{
	__atomic_fetch_add(&fake.mallocs, 1, __ATOMIC_RELAXED);
	return __libc_malloc(size);
}

/* As a kernel copies: it fails, and does not crash. */
static int copy(void *here, uint64_t there, size_t size, int from_user)
{
	const struct iovec local = { here, size };
	const struct iovec remote = { (void *)(uintptr_t)there, size };
	ssize_t copied;

	if (from_user)
		copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	else
		copied = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
	if (copied == (ssize_t)size)
		return 0;
	errno = EFAULT;
	return -1;
}

static int answer_info(struct pagenode_info *info)
{
	info->abi_version = PAGENODE_ABI_VERSION;
	info->features = PAGENODE_FEATURE_STATUS | PAGENODE_FEATURE_EXTENTS |
			 PAGENODE_FEATURE_COUNTS | PAGENODE_FEATURE_PAGES;
	return 0;
}

static int answer_page(const struct pagenode_query *query, int is_list,
		       size_t i)
{
	uint64_t addr = query->start + i * 4096;
	int status;

	if (is_list && copy(&addr, query->start + i * 8, 8, 1))
		return -1;
	status = fake_node(addr);
	return copy(&status, query->out + i * sizeof(status), sizeof(status),
		    0);
}

static int answer(const struct pagenode_query *query, int is_list)
{
	int nr = __atomic_fetch_add(&fake.questions, 1, __ATOMIC_RELAXED);
	size_t i;

	if (nr < MAX_QUESTIONS)
		fake.question[nr] = (struct question) {
			is_list, query->start, query->nr_pages
		};
	if (nr + 1 == fake.failing_question) {
		errno = ENOMEM;
		return -1;
	}
	for (i = 0; i < query->nr_pages; i++)
		if (answer_page(query, is_list, i))
			return -1;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	(void)fd;
	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);

	switch (request) {
	case PAGENODE_IOC_INFO:
		return answer_info(arg);
	case PAGENODE_IOC_STATUS:
		return answer(arg, 0);
	case PAGENODE_IOC_PAGES:
		return answer(arg, 1);
	default:
		errno = ENOTTY;
		return -1;
	}
}

long syscall(long number, ...)
{
	long (*next)(long number, ...);
	long *call = fake.call;
	va_list args;
	int i;

	va_start(args, number);
	call[0] = number;
	for (i = 1; i < 7; i++)
		call[i] = va_arg(args, long);
	va_end(args);

	if (number == SYS_move_pages) {
		fake.kernel_calls++;
		if (fake.kernel_errno) {
			errno = fake.kernel_errno;
			return -1;
		}
	}
	if (fake.swallows)
		return ~number;
	*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	return next(number, call[1], call[2], call[3], call[4], call[5],
		    call[6]);
}
