// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Handles: opening one chooses the backend.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend.h"

/*
 * Whether move_pages(2) works decides about another process only. A program may
 * well open a handle for itself before it knows that it will ask.
 */
static int pn_fall_back(struct pagenode *pn, const char *path, int device_errno)
{
	int err = pn_move_pages_probe(pn) ? errno : 0;

	if (err && pn->pid) {
		errno = err;
		return -1;
	}
	pn->backend = &pn_backend_move_pages;
	pn_describe(pn, path, device_errno, err);
	return 0;
}

static int pn_choose(struct pagenode *pn, const char *path, unsigned int flags)
{
	if (flags == PAGENODE_OPEN_MOVE_PAGES)
		return pn_fall_back(pn, path, 0);
	if (pn_device_open(pn, path)) {
		if (flags == PAGENODE_OPEN_DEVICE)
			return -1;
		return pn_fall_back(pn, path, errno);
	}
	pn->backend = &pn_backend_device;
	pn_describe(pn, path, 0, 0);
	return 0;
}

struct pagenode *pn_open_at(const char *path, pid_t pid, unsigned int flags)
{
	struct pagenode *pn;
	int err;

	if (pid < 0 || (flags && flags != PAGENODE_OPEN_DEVICE &&
			flags != PAGENODE_OPEN_MOVE_PAGES)) {
		errno = EINVAL;
		return NULL;
	}

	pn = malloc(sizeof(*pn));
	if (!pn)
		return NULL;
	pn->fd = -1;
	pn->mm_fd = -1;
	pn->pid = pid;
	pn->mm_refused = false;
	pn->page_size = (size_t)sysconf(_SC_PAGESIZE);

	if (pn_choose(pn, path, flags)) {
		err = errno;
		free(pn);
		errno = err;
		return NULL;
	}
	return pn;
}

PN_EXPORT struct pagenode *pagenode_open(unsigned int flags)
{
	return pn_open_at(PN_DEVICE, 0, flags);
}

PN_EXPORT struct pagenode *pagenode_open_pid(pid_t pid, unsigned int flags)
{
	return pn_open_at(PN_DEVICE, pid, flags);
}

PN_EXPORT void pagenode_close(struct pagenode *pn)
{
	if (!pn)
		return;
	pn_device_close(pn);
	free(pn);
}

PN_EXPORT enum pagenode_backend pagenode_backend(const struct pagenode *pn)
{
	return pn->backend->id;
}
