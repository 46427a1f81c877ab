// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * A handle in words, for logs: what answers, what could not be used, and what
 * to do about it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"

/* What to do, where the error says it. */
static const char *pn_remedy(int device_errno)
{
	switch (device_errno) {
	case ENOENT:
		return "the module is not loaded (modprobe pagenode), or hidden by a container";
	case ENXIO:
		return "a device node without a module: modprobe pagenode";
	case EACCES:
		return "no permission: chmod 666, or join the group that it is for";
	case EPERM:
		return "the device is forbidden here: allow it in the container's device list";
	case ENODEV:
		return "the device is another driver's: remove the node and load the module again";
	case EPROTO:
		return "module and library are of different ABI versions: install one release";
	case EOPNOTSUPP:
		return "the module lacks a feature that this needs: install a newer one";
	default:
		return strerror(device_errno);
	}
}

void pn_describe(struct pagenode *pn, const char *path, int device_errno,
		 int move_pages_errno)
{
	char about[32] = "";
	char device[160] = "";
	const char *answer = "move_pages(2)";
	const char *but = "";

	if (pn->pid)
		snprintf(about, sizeof(about), " about process %d",
			 (int)pn->pid);
	if (pn->backend == &pn_backend_device)
		answer = path;
	if (pn->mm_refused)
		snprintf(device, sizeof(device), "; not %s: /proc/%d/pagemap: %s",
			 path, (int)pn->pid, strerror(device_errno));
	else if (device_errno)
		snprintf(device, sizeof(device), "; not %s: %s", path,
			 pn_remedy(device_errno));
	if (move_pages_errno == EPERM)
		but = ", which is forbidden here, as in many containers";
	else if (move_pages_errno)
		but = ", which does not work here";

	snprintf(pn->description, sizeof(pn->description), "%s%s%s%s", answer,
		 about, but, device);
}

PN_EXPORT const char *pagenode_describe(const struct pagenode *pn)
{
	return pn->description;
}
