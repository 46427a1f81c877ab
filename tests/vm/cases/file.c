// SPDX-License-Identifier: GPL-2.0-only
/* Files in file systems of their own, which nobody else sees. */
#include "case.h"

#include <fcntl.h>
#include <sys/mount.h>

#define PMEM	"/dev/pmem0"

int new_file_in(const char *device, const char *type, const char *options,
		size_t len)
{
	char dir[] = "/tmp/cases-XXXXXX";
	char path[sizeof(dir) + 2];
	int fd;

	if (!mkdtemp(dir))
		fail("making a directory in /tmp: %s", strerror(errno));
	if (mount(device, dir, type, 0, options))
		fail("mounting %s with the options '%s': %s", type, options,
		     strerror(errno));
	snprintf(path, sizeof(path), "%s/f", dir);
	fd = must(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
	must(ftruncate(fd, len));
	must(umount2(dir, MNT_DETACH));
	must(rmdir(dir));
	return fd;
}

bool have_pmem(void)
{
	return have_path(PMEM);
}

/* What busybox makes is ext2, which ext4 takes. */
int new_pmem_file(const char *options, size_t len)
{
	if (system("mke2fs -b 4096 " PMEM " >/dev/null"))
		fail("mke2fs made no file system on " PMEM);
	return new_file_in(PMEM, "ext4", options, len);
}
