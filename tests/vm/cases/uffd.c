// SPDX-License-Identifier: GPL-2.0-only
/* Userfaultfds. */
#include "uffd.h"

#include <fcntl.h>
#include <sys/syscall.h>

int new_uffd(int flags, uint64_t features)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	int fd = must(syscall(SYS_userfaultfd, O_CLOEXEC | flags));

	if (!ioctl(fd, UFFDIO_API, &api))
		return fd;
	close(fd);
	return -1;
}

void uffd_register(int fd, const void *p, size_t nr_pages, uint64_t mode)
{
	struct uffdio_register r = {
		.range = { (uintptr_t)p, nr_pages * PAGE },
		.mode = mode,
	};

	must(ioctl(fd, UFFDIO_REGISTER, &r));
}

void uffd_protect(int fd, const void *p, size_t nr_pages)
{
	struct uffdio_writeprotect w = {
		.range = { (uintptr_t)p, nr_pages * PAGE },
		.mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};

	must(ioctl(fd, UFFDIO_WRITEPROTECT, &w));
}
