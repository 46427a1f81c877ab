// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define MAX_FILES	24

static struct target targets[MAX_FILES];
static size_t nr_targets;

static void add(int fd, int err, bool ours)
{
	targets[nr_targets++] = (struct target) { fd, err, ours };
}

static void add_file(const char *path, int flags, int err)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd >= 0)
		add(fd, err, false);
}

/*
 * A copy of this process, which has the region too, once it has touched what
 * fork() does not copy. It stays stopped.
 */
static pid_t new_child(void)
{
	pid_t pid = must(fork());

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		region_touch_in_child();
		kill(getpid(), SIGSTOP);
		_exit(EXIT_FAILURE);
	}
	must(waitpid(pid, NULL, WUNTRACED));
	return pid;
}

static int pagemap_of(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	return must(open(path, O_RDONLY | O_CLOEXEC));
}

static void add_children(void)
{
	pid_t dead = new_child();
	int fd = pagemap_of(dead);

	must(kill(dead, SIGKILL));
	must(waitpid(dead, NULL, 0));
	add(fd, -ESRCH, false);
	add(pagemap_of(new_child()), 0, true);
}

void files_open(void)
{
	add(must(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)), 0, true);
	add_children();
	add_file("/proc/1/pagemap", O_RDONLY, 0);
	add_file("/proc/self/pagemap", O_PATH, -EBADF);
	add_file("/proc/self/mem", O_RDWR, -EINVAL);
	add_file("/proc/self/environ", O_RDONLY, -EINVAL);
	add_file("/proc/self", O_RDONLY, -EINVAL);
	add_file("/proc/kpagecount", O_RDONLY, -EINVAL);
	add_file("/dev/null", O_RDWR, -EINVAL);
	add(device(), -EINVAL, false);
	add(new_memfd(PAGE, 0), -EINVAL, false);
	add(must(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), -EINVAL,
	    false);
	add(-1, -EBADF, false);
	add(999, -EBADF, false);
	add(INT32_MAX, -EBADF, false);
	add(INT32_MIN, -EBADF, false);
}

/* Most often one that works */
struct target choose_target(struct input *in)
{
	size_t i = take_below(in, 2 * nr_targets);

	return targets[i < nr_targets ? i : i % 2 * 2];
}
