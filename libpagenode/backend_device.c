// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Answers from the module, through its device.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "backend.h"
#include "uapi/pagenode.h"

#define PN_NEEDED_FEATURES PAGENODE_FEATURE_STATUS

/* 0, or what is wrong with the device, as a negative errno. */
static int pn_device_check(int fd)
{
	struct pagenode_info info = { .size = sizeof(info) };

	/* Drivers refuse an unknown ioctl with more errors than ENOTTY. */
	if (ioctl(fd, PAGENODE_IOC_INFO, &info))
		return -ENODEV;
	if (info.abi_version != PAGENODE_ABI_VERSION)
		return -EPROTO;
	if ((info.features & PN_NEEDED_FEATURES) != PN_NEEDED_FEATURES)
		return -EOPNOTSUPP;
	return 0;
}

int pn_device_open(const char *path)
{
	int fd, err;

	/*
	 * The node may be another driver's. Opening it must not wait, and must
	 * not make it our terminal.
	 */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;

	err = pn_device_check(fd);
	if (err) {
		close(fd);
		errno = -err;
		return -1;
	}
	return fd;
}

static int pn_device_status(const struct pagenode *pn, uintptr_t start,
			    size_t nr_pages, int *status)
{
	struct pagenode_query query = {
		.size = sizeof(query),
		.start = start,
		.nr_pages = nr_pages,
		.out = (uintptr_t)status,
		.out_len = nr_pages,
	};

	return ioctl(pn->fd, PAGENODE_IOC_STATUS, &query);
}

const struct pn_backend pn_backend_device = {
	.id = PAGENODE_BACKEND_DEVICE,
	.status = pn_device_status,
};
