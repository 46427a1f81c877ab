// SPDX-License-Identifier: GPL-2.0-only
/* Does the device answer, and does the library use it? */
#include <errno.h>
#include <fcntl.h>
#include <pagenode.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"

#define DEVICE	"/dev/pagenode"

/* Opened as the library does; -1 with errno. */
static int open_device(void)
{
	return open(DEVICE, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static void mend_open(struct finding *f, int error)
{
	if (error == ENOENT && !access("/sys/module/pagenode", F_OK))
		mend(f, "in a container, pass it the device: --device " DEVICE);
	else if (error == ENOENT || error == ENXIO)
		mend(f, "%s", load_remedy());
	else if (error == EACCES)
		mend(f, "sudo chmod 666 " DEVICE
		     ", or join the group that it is for");
	else if (error == EPERM)
		mend(f, "allow the device in the container's list of devices");
}

void check_device(struct finding *f)
{
	struct stat status;
	int fd = open_device();

	if (fd < 0) {
		int error = errno;

		find(f, BAD, DEVICE ": %s", strerror(error));
		mend_open(f, error);
		return;
	}
	if (fstat(fd, &status) || !S_ISCHR(status.st_mode)) {
		find(f, BAD, DEVICE " is no device");
		mend(f, "remove it, and load the module again");
	} else {
		find(f, GOOD, DEVICE ", mode %04o",
		     (unsigned int)status.st_mode & 07777);
	}
	close(fd);
}

void check_abi(struct finding *f)
{
	struct pagenode_info info = { .size = sizeof(info) };
	int fd = open_device();

	if (fd < 0) {
		find(f, NOTE, "can't be asked: the device can't be opened");
	} else if (ioctl(fd, PAGENODE_IOC_INFO, &info)) {
		find(f, BAD, "the device is another driver's: %s",
		     strerror(errno));
		mend(f, "remove the node " DEVICE ", and load the module again");
	} else if (info.abi_version != PAGENODE_ABI_VERSION) {
		find(f, BAD, "the module's ABI is %u, this command's %u",
		     info.abi_version, PAGENODE_ABI_VERSION);
		mend(f, "install module, library and command from one release");
	} else {
		find(f, GOOD, "version %u", info.abi_version);
		if (!(info.features & PAGENODE_FEATURE_MM_FD))
			find(f, NOTE, "version %u; no answers about other processes",
			     info.abi_version);
	}
	if (fd >= 0)
		close(fd);
}

/* A page of our own, which is there, must be on a node. */
void check_answer(struct finding *f)
{
	struct pagenode *pn = pagenode_open(0);
	int status = -1;

	if (!pn || pagenode_status(pn, &status, sizeof(status), &status, 1))
		find(f, BAD, "no answer: %s (%s)", strerror(errno),
		     pn ? pagenode_describe(pn) : "no handle");
	else if (status < 0)
		find(f, BAD, "a page that is present has status %d, says %s",
		     status, pagenode_describe(pn));
	else
		find(f, pagenode_backend(pn) == PAGENODE_BACKEND_DEVICE ?
		     GOOD : BAD, "%s", pagenode_describe(pn));
	pagenode_close(pn);
}
