// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Handles: opening one chooses the backend.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend.h"

#define PN_DEVICE "/dev/pagenode"

struct pagenode *pn_open_at(const char *path, unsigned int flags)
{
	struct pagenode *pn;
	int fd = -1;

	switch (flags) {
	case 0:
		fd = pn_device_open(path);
		break;
	case PAGENODE_OPEN_DEVICE:
		fd = pn_device_open(path);
		if (fd < 0)
			return NULL;
		break;
	case PAGENODE_OPEN_MOVE_PAGES:
		break;
	default:
		errno = EINVAL;
		return NULL;
	}

	pn = malloc(sizeof(*pn));
	if (!pn)
		goto err_close;

	pn->backend = fd < 0 ? &pn_backend_move_pages : &pn_backend_device;
	pn->fd = fd;
	pn->page_size = (size_t)sysconf(_SC_PAGESIZE);
	return pn;

err_close:
	if (fd >= 0)
		close(fd);
	errno = ENOMEM;
	return NULL;
}

PN_EXPORT struct pagenode *pagenode_open(unsigned int flags)
{
	return pn_open_at(PN_DEVICE, flags);
}

PN_EXPORT void pagenode_close(struct pagenode *pn)
{
	if (!pn)
		return;
	if (pn->fd >= 0)
		close(pn->fd);
	free(pn);
}

PN_EXPORT enum pagenode_backend pagenode_backend(const struct pagenode *pn)
{
	return pn->backend->id;
}
