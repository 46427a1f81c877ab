/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device that answers as it is told to, and notes what it was asked. The
 * linker puts the functions below in the place of open, ioctl and malloc
 * (--wrap in the Makefile).
 */
#ifndef PN_FAKE_DEVICE_H
#define PN_FAKE_DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "pagenode.h"
#include "test.h"

#define ALL_FEATURES							\
	(PAGENODE_FEATURE_STATUS | PAGENODE_FEATURE_EXTENTS |		\
	 PAGENODE_FEATURE_COUNTS | PAGENODE_FEATURE_PAGES |		\
	 PAGENODE_FEATURE_MM_FD)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

/* A file that was opened. */
struct opened {
	char path[64];
	int flags;
	int fd;
};

static struct {
	/* how it answers */
	int open_errno;
	int info_errno;
	__u32 abi_version;
	__u64 features;
	int mm_errno;			/* of opening /proc/PID/pagemap */
	int query_errno;
	struct pagenode_query answer;	/* its out members */
	int malloc_fails;

	/* what it was asked */
	struct opened device;
	struct opened mm;
	int info_calls;
	struct pagenode_info info;
	int queries;
	unsigned long request;
	struct pagenode_query query;
	int other_calls;
} dev;

static int fake_open(struct opened *file, const char *path, int flags, int err)
{
	snprintf(file->path, sizeof(file->path), "%s", path);
	file->flags = flags;
	errno = err;
	file->fd = err ? -1 : __real_open("/dev/null", O_RDONLY | O_CLOEXEC);
	return file->fd;
}

int __wrap_open(const char *path, int flags, ...)
{
	if (!strncmp(path, "/proc/", 6))
		return fake_open(&dev.mm, path, flags, dev.mm_errno);
	return fake_open(&dev.device, path, flags, dev.open_errno);
}

static int answer_info(struct pagenode_info *info)
{
	dev.info_calls++;
	dev.info = *info;
	if (dev.info_errno) {
		errno = dev.info_errno;
		return -1;
	}
	info->abi_version = dev.abi_version;
	info->features = dev.features;
	return 0;
}

static int answer_query(unsigned long request, struct pagenode_query *query)
{
	dev.queries++;
	dev.request = request;
	dev.query = *query;
	query->out_count = dev.answer.out_count;
	query->next = dev.answer.next;
	query->nr_enoent = dev.answer.nr_enoent;
	query->nr_efault = dev.answer.nr_efault;
	errno = dev.query_errno;
	return dev.query_errno ? -1 : 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);

	if (fd == dev.device.fd && request == PAGENODE_IOC_INFO)
		return answer_info(arg);
	if (fd == dev.device.fd && request >= PAGENODE_IOC_STATUS &&
	    request <= PAGENODE_IOC_PAGES)
		return answer_query(request, arg);
	dev.other_calls++;
	errno = ENOTTY;
	return -1;
}

void *__wrap_malloc(size_t size)
{
	if (dev.malloc_fails) {
		errno = ENOMEM;
		return NULL;
	}
	return __real_malloc(size);
}

/* A module that works. */
static inline void reset_device(void)
{
	memset(&dev, 0, sizeof(dev));
	dev.device.fd = -1;
	dev.mm.fd = -1;
	dev.abi_version = 1;
	dev.features = ALL_FEATURES;
}

static inline struct pagenode *open_device(pid_t pid)
{
	struct pagenode *pn = pagenode_open_pid(pid, PAGENODE_OPEN_DEVICE);

	CHECK(pn);
	CHECK_EQ(pagenode_backend(pn), PAGENODE_BACKEND_DEVICE);
	dev.queries = 0;
	return pn;
}

static inline int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

#endif /* PN_FAKE_DEVICE_H */
