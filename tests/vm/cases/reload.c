// SPDX-License-Identifier: GPL-2.0-only
/* The module comes and goes. */
#include "reload.h"

#include <fcntl.h>
#include <sys/syscall.h>

int open_module(void)
{
	return must(open("/pagenode.ko", O_RDONLY | O_CLOEXEC));
}

int load_from(int fd)
{
	return syscall(SYS_finit_module, fd, "", 0);
}

int unload(void)
{
	return syscall(SYS_delete_module, "pagenode", O_NONBLOCK);
}

void load(void)
{
	int fd = open_module();

	must(load_from(fd));
	close(fd);
}
