// SPDX-License-Identifier: GPL-2.0-only
/* A memory cgroup of the process's own. */
#include "cgroup.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define ROOT	"/tmp/cgroup"
#define GROUP	ROOT "/pagenode"

static struct {
	int current;
	int max;
	int events;
} files;

static void read_again(int fd, char *buf, size_t size)
{
	ssize_t len = must(pread(fd, buf, size - 1, 0));

	buf[len] = '\0';
}

/* The mount is gone with the process; the group is there for the next one. */
static void make_group(void)
{
	must(unshare(CLONE_NEWNS));
	if (mkdir(ROOT, 0700) && errno != EEXIST)
		fail("mkdir " ROOT ": %s", strerror(errno));
	if (mount("none", ROOT, "cgroup2", 0, NULL))
		skip("this kernel has no cgroups: %s", strerror(errno));
	if (try_write(ROOT "/cgroup.subtree_control", "+memory"))
		skip("this kernel has no memory cgroups: %s", strerror(errno));
	if (mkdir(GROUP, 0700) && errno != EEXIST)
		fail("mkdir " GROUP ": %s", strerror(errno));
}

void cgroup_enter(void)
{
	make_group();
	write_file(GROUP "/memory.max", "max");
	/* Not there without swap. */
	try_write(GROUP "/memory.swap.max", "0");
	write_file(GROUP "/cgroup.procs", "0");
	files.current = must(open(GROUP "/memory.current",
				  O_RDONLY | O_CLOEXEC));
	files.events = must(open(GROUP "/memory.events",
				 O_RDONLY | O_CLOEXEC));
	files.max = must(open(GROUP "/memory.max", O_WRONLY | O_CLOEXEC));
	/* An open file keeps the buffer that its first read takes. */
	cgroup_current();
	cgroup_event("max");
}

unsigned long cgroup_current(void)
{
	char buf[32];

	read_again(files.current, buf, sizeof(buf));
	return strtoul(buf, NULL, 10);
}

static void set_max(const char *max)
{
	must(pwrite(files.max, max, strlen(max), 0));
}

void cgroup_close(void)
{
	char buf[32];

	read_again(files.current, buf, sizeof(buf));
	set_max(buf);
}

void cgroup_open(void)
{
	set_max("max");
}

unsigned long cgroup_event(const char *name)
{
	char buf[512];
	const char *line;

	read_again(files.events, buf, sizeof(buf));
	for (line = buf; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, strlen(name)) &&
		    line[strlen(name)] == ' ')
			return strtoul(line + strlen(name), NULL, 10);
	}
	fail("memory.events has no %s", name);
}
