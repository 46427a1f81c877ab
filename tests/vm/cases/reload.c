// SPDX-License-Identifier: GPL-2.0-only
/* The module comes and goes. */
#include "reload.h"

#include <fcntl.h>
#include <sys/syscall.h>

void load(void)
{
	int fd = must(open("/pagenode.ko", O_RDONLY | O_CLOEXEC));

	must(syscall(SYS_finit_module, fd, "", 0));
	close(fd);
}

int unload(void)
{
	return syscall(SYS_delete_module, "pagenode", O_NONBLOCK);
}

unsigned long module_users(void)
{
	return read_number("/sys/module/pagenode/refcnt");
}
