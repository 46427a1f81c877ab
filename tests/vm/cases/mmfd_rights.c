// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions about another process: who may ask is whoever can open its pagemap,
 * or is given it open.
 */
#include "case.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "others.h"

#define USER	1000

/* Where each target has a page on node_b(), and this process has none. */
static char *page;

static void touch_page(void *arg)
{
	(void)arg;
	touch_on(node_b(), page, PAGE);
}

/* Dumpable, as a process that was started by that user is. */
static void become_user(uid_t uid)
{
	must(setgid(uid));
	must(setuid(uid));
	must(prctl(PR_SET_DUMPABLE, 1));
}

static void touch_as(void *arg)
{
	become_user(*(uid_t *)arg);
	touch_page(NULL);
}

static void touch_undumpable(void *arg)
{
	touch_as(arg);
	must(prctl(PR_SET_DUMPABLE, 0));
}

/* The kernel's own answer to who asks about whom. */
static void want_no_open(const char *what, pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	if (open(path, O_RDONLY) >= 0)
		fail("%s: its pagemap can be opened", what);
	if (errno != EACCES && errno != EPERM)
		fail("%s: %s, not EACCES or EPERM", what, strerror(errno));
}

static void mmfd_own_child(void)
{
	uid_t user = USER;

	page = map_anon(PAGE);
	become_user(user);
	want_on_node("own child", open_pagemap(start_target(touch_page, NULL)),
		     page, node_b());
}

static void mmfd_same_user(void)
{
	uid_t user = USER;
	pid_t pid;

	page = map_anon(PAGE);
	pid = start_target(touch_as, &user);
	become_user(user);
	want_on_node("same user", open_pagemap(pid), page, node_b());
}

static void mmfd_other_user(void)
{
	uid_t root = 0;
	uid_t other = USER + 1;
	pid_t of_root;
	pid_t of_other;

	page = map_anon(PAGE);
	of_root = start_target(touch_as, &root);
	of_other = start_target(touch_as, &other);
	want_on_node("asked by root", open_pagemap(of_other), page, node_b());
	become_user(USER);
	want_no_open("root's", of_root);
	want_no_open("another user's", of_other);
}

static void mmfd_undumpable(void)
{
	uid_t user = USER;
	pid_t pid;

	page = map_anon(PAGE);
	pid = start_target(touch_undumpable, &user);
	want_on_node("asked by root", open_pagemap(pid), page, node_b());
	become_user(user);
	want_no_open("not dumpable", pid);
}

#define SUID_PROGRAM	"/tmp/suid"

static void copy_program(void)
{
	static char buf[1 << 16];
	int from = must(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	int to = must(open(SUID_PROGRAM, O_WRONLY | O_CREAT | O_EXCL, 0755));
	ssize_t got;

	while ((got = must(read(from, buf, sizeof(buf)))))
		if (write(to, buf, got) != got)
			fail("copying the program: %s", strerror(errno));
	must(fchmod(to, 04755));
	close(from);
	close(to);
}

/* A pipe that is full, so that who writes to it stays. */
static int full_pipe(void)
{
	char byte = 0;
	int end[2];

	must(pipe(end));
	must(fcntl(end[1], F_SETFL, O_NONBLOCK));
	while (write(end[1], &byte, 1) == 1)
		;
	must(fcntl(end[1], F_SETFL, 0));
	return end[1];
}

static pid_t start_suid(void)
{
	int out = full_pipe();
	pid_t pid = must(fork());

	if (pid)
		return pid;
	become_user(USER);
	must(dup2(out, STDOUT_FILENO));
	must(execl(SUID_PROGRAM, "suid", "--list", NULL));
	return 0;
}

/* Its text is where this program's is. */
static void mmfd_setuid_program(void)
{
	int status;
	pid_t pid;

	copy_program();
	pid = start_suid();
	wait_in_call(pid, SYS_write);
	unlink(SUID_PROGRAM);
	if (ask_fd(open_pagemap(pid), (char *)((uintptr_t)start_suid & -PAGE),
		   &status))
		fail("asked by root: refused");
	if (!is_node(status))
		fail("asked by root: %s, not a node", status_name(status));
	become_user(USER);
	want_no_open("setuid program", pid);
}

static void send_fd(int socket, int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec byte = { .iov_base = "", .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.head), &fd, sizeof(int));
	must(sendmsg(socket, &msg, 0));
}

static int receive_fd(int socket)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	char data;
	struct iovec byte = { .iov_base = &data, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int fd;

	must(recvmsg(socket, &msg, 0));
	memcpy(&fd, CMSG_DATA(&control.head), sizeof(int));
	return fd;
}

static void ask_what_is_received(void *arg)
{
	int socket = *(int *)arg;
	int fd;

	become_user(USER);
	fd = receive_fd(socket);
	want_on_node("received", fd, page, node_b());
}

/* Root opens it, and a user who could not is given it. */
static void mmfd_passed_on(void)
{
	uid_t root = 0;
	int pair[2];
	int fd;

	page = map_anon(PAGE);
	fd = open_pagemap(start_target(touch_as, &root));
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	send_fd(pair[0], fd);
	close(fd);
	in_child(ask_what_is_received, &pair[1]);
}

const struct test_case mmfd_rights_cases[] = {
	{ "mmfd-own-child", mmfd_own_child },
	{ "mmfd-same-user", mmfd_same_user },
	{ "mmfd-other-user", mmfd_other_user },
	{ "mmfd-undumpable", mmfd_undumpable },
	{ "mmfd-setuid-program", mmfd_setuid_program },
	{ "mmfd-passed-on", mmfd_passed_on },
	{ NULL, NULL },
};
