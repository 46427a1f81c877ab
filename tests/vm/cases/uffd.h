/* SPDX-License-Identifier: GPL-2.0-only */
/* Userfaultfds: memory whose faults wait for somebody here. */
#ifndef UFFD_H
#define UFFD_H

#include "case.h"

#include <linux/userfaultfd.h>
#include <sys/ioctl.h>

/* @flags as for open(2); -1 where the kernel lacks @features. */
int new_uffd(int flags, uint64_t features);
/* @mode: UFFDIO_REGISTER_MODE_... */
void uffd_register(int fd, const void *p, size_t nr_pages, uint64_t mode);
/* A write to the pages waits from now on. */
void uffd_protect(int fd, const void *p, size_t nr_pages);

#endif /* UFFD_H */
