// SPDX-License-Identifier: GPL-2.0-only
/* Questions about another process: every kind of file that is none. */
#include "case.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "others.h"

/* A page that is present, so that an answer about it could be one. */
static char *present_page(void)
{
	char *p = map_anon(PAGE);

	touch_on(node_b(), p, PAGE);
	return p;
}

static void want_einval(const char *what, int fd)
{
	want_refused(what, must(fd), present_page(), -EINVAL);
	close(fd);
}

/* Several of them hold an mm where pagemap does, and share its open(). */
static void mmfd_other_proc_files(void)
{
	static const char *const name[] = {
		"mem", "environ", "auxv", "maps", "smaps", "smaps_rollup",
		"numa_maps", "status", "stat", "statm", "cmdline", "comm",
		"exe", "root", "cwd", "fd", "ns/mnt", "task", "",
	};
	int nr = 0;
	size_t i;
	int fd;

	for (i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		fd = open(proc_path(name[i]), O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		want_einval(proc_path(name[i]), fd);
		nr++;
	}
	want_einval("mem", open("/proc/self/mem", O_RDWR));
	want_einval("clear_refs", open("/proc/self/clear_refs", O_WRONLY));
	want_einval("kpageflags", open("/proc/kpageflags", O_RDONLY));
	if (nr < 15)
		fail("only %d files of /proc/self could be opened", nr);
	note("%d files of /proc/self", nr);
}

static void mmfd_other_files(void)
{
	int pair[2];

	want_einval("file", open("/tmp/pagemap", O_RDWR | O_CREAT, 0600));
	want_einval("directory", open("/tmp", O_RDONLY | O_DIRECTORY));
	want_einval("/dev/zero", open("/dev/zero", O_RDONLY));
	want_einval("/dev/pagenode", open("/dev/pagenode", O_RDWR));
	want_refused("the device itself", device(), present_page(), -EINVAL);
	want_einval("memfd", new_memfd(PAGE, 0));
	want_einval("eventfd", eventfd(0, 0));
	want_einval("epoll", epoll_create1(0));
	want_einval("socket", socket(AF_UNIX, SOCK_STREAM, 0));
	must(pipe(pair));
	want_einval("pipe, to read", pair[0]);
	want_einval("pipe, to write", pair[1]);
}

static void mmfd_no_file(void)
{
	static const int none[] = { -1, -2, -9, 1 << 20, INT32_MAX,
				    INT32_MIN };
	char *p = present_page();
	int closed = open_pagemap(getpid());
	size_t i;

	want_on_node("open", closed, p, node_b());
	close(closed);
	want_refused("closed", closed, p, -EBADF);
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		want_refused("no descriptor", none[i], p, -EBADF);
}

static void mmfd_o_path(void)
{
	char *p = present_page();

	want_refused("pagemap with O_PATH",
		     must(open("/proc/self/pagemap", O_PATH)), p, -EBADF);
	want_refused("directory with O_PATH", must(open("/proc/self", O_PATH)),
		     p, -EBADF);
}

/* The file is known by what it is, not by where it is found. */
static void mmfd_right_by_any_name(void)
{
	char *p = present_page();
	char thread[64];

	want_on_node("by pid", open_pagemap(getpid()), p, node_b());
	snprintf(thread, sizeof(thread), "/proc/self/task/%d/pagemap",
		 gettid());
	want_on_node("by tid", must(open(thread, O_RDONLY)), p, node_b());
	want_on_node("for writing", must(open("/proc/self/pagemap", O_RDWR)),
		     p, node_b());
	must(unshare(CLONE_NEWNS));
	close(must(open("/tmp/bound", O_WRONLY | O_CREAT, 0600)));
	must(mount("/proc/self/pagemap", "/tmp/bound", NULL, MS_BIND, NULL));
	want_on_node("bind mount", must(open("/tmp/bound", O_RDONLY)), p,
		     node_b());
	must(mount("/proc/self/maps", "/proc/self/pagemap", NULL, MS_BIND,
		   NULL));
	want_refused("maps, mounted over pagemap",
		     must(open("/proc/self/pagemap", O_RDONLY)), p, -EINVAL);
	must(mkdir("/tmp/proc2", 0700));
	must(mount("proc", "/tmp/proc2", "proc", 0, NULL));
	want_on_node("another procfs",
		     must(open("/tmp/proc2/self/pagemap", O_RDONLY)), p,
		     node_b());
}

const struct test_case mmfd_files_cases[] = {
	{ "mmfd-other-proc-files", mmfd_other_proc_files },
	{ "mmfd-other-files", mmfd_other_files },
	{ "mmfd-no-file", mmfd_no_file },
	{ "mmfd-o-path", mmfd_o_path },
	{ "mmfd-right-by-any-name", mmfd_right_by_any_name },
	{ NULL, NULL },
};
