// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions about another process, answered or refused in every way, leave
 * nothing behind: the memory is freed when the process goes, and the file system
 * that its pagemap was opened on can be unmounted.
 */
#include "case.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "others.h"
#include "shapes.h"

#define NR_PAGES	8

static char *pages;
static int *status;
static uint64_t list[NR_PAGES];
static char *read_only;

static void be_asked_about(void *arg)
{
	(void)arg;
	touch_on(node_b(), pages, NR_PAGES * PAGE);
	take_from_pool();
}

static void nothing_wrong(struct pagenode_query *q)
{
	(void)q;
}

static void unaligned(struct pagenode_query *q)
{
	q->start++;
}

static void unknown_flag(struct pagenode_query *q)
{
	q->flags |= 1U << 31;
}

static void reserved(struct pagenode_query *q)
{
	q->reserved = 1;
}

static void too_long(struct pagenode_query *q)
{
	q->nr_pages = UINT64_MAX;
}

static void no_room(struct pagenode_query *q)
{
	q->out_len = 0;
}

static void unwritable(struct pagenode_query *q)
{
	q->out = (uintptr_t)read_only;
}

static void unreadable(struct pagenode_query *q)
{
	q->start = (uintptr_t)quiet_room(PAGE);
}

static void no_pages(struct pagenode_query *q)
{
	q->nr_pages = 0;
}

static const struct {
	const char *what;
	unsigned long request;
	void (*spoil)(struct pagenode_query *q);
	int want;
} questions[] = {
	{ "status", PAGENODE_IOC_STATUS, nothing_wrong, 0 },
	{ "status, no pages", PAGENODE_IOC_STATUS, no_pages, 0 },
	{ "status, unaligned", PAGENODE_IOC_STATUS, unaligned, -EINVAL },
	{ "status, flag", PAGENODE_IOC_STATUS, unknown_flag, -EINVAL },
	{ "status, reserved", PAGENODE_IOC_STATUS, reserved, -EINVAL },
	{ "status, too long", PAGENODE_IOC_STATUS, too_long, -EINVAL },
	{ "status, no room", PAGENODE_IOC_STATUS, no_room, -ENOSPC },
	{ "status, unwritable", PAGENODE_IOC_STATUS, unwritable, -EFAULT },
	{ "extents", PAGENODE_IOC_EXTENTS, nothing_wrong, 0 },
	{ "extents, no room", PAGENODE_IOC_EXTENTS, no_room, 0 },
	{ "extents, unaligned", PAGENODE_IOC_EXTENTS, unaligned, -EINVAL },
	{ "extents, unwritable", PAGENODE_IOC_EXTENTS, unwritable, -EFAULT },
	{ "counts", PAGENODE_IOC_COUNTS, nothing_wrong, 0 },
	{ "counts, no room", PAGENODE_IOC_COUNTS, no_room, -ENOSPC },
	{ "counts, unaligned", PAGENODE_IOC_COUNTS, unaligned, -EINVAL },
	{ "counts, unwritable", PAGENODE_IOC_COUNTS, unwritable, -EFAULT },
	{ "pages, no room", PAGENODE_IOC_PAGES, no_room, -ENOSPC },
	{ "pages, unreadable", PAGENODE_IOC_PAGES, unreadable, -EFAULT },
	{ "pages, flag", PAGENODE_IOC_PAGES, unknown_flag, -EINVAL },
};

#define NR_QUESTIONS (sizeof(questions) / sizeof(questions[0]))

static struct pagenode_query about(int fd)
{
	struct pagenode_query q = question(pages, NR_PAGES, status);

	q.flags = PAGENODE_F_MM_FD;
	q.mm_fd = fd;
	return q;
}

static void ask_each(int fd)
{
	struct pagenode_query q;
	size_t i;

	for (i = 0; i < NR_QUESTIONS; i++) {
		q = about(fd);
		questions[i].spoil(&q);
		want_answer(questions[i].what, questions[i].request, &q,
			    questions[i].want);
	}
	for (i = 0; i < NR_PAGES; i++)
		list[i] = (uintptr_t)pages + i * PAGE;
	q = about(fd);
	q.start = (uintptr_t)list;
	want_answer("pages", PAGENODE_IOC_PAGES, &q, 0);
}

/* The query is made, and then its results have nowhere to go. */
static void ask_without_results(int fd)
{
	struct pagenode_query *q = map_anon(PAGE);

	*q = about(fd);
	must(mprotect(q, PAGE, PROT_READ));
	want_answer("results", PAGENODE_IOC_STATUS, q, -EFAULT);
	must(munmap(q, PAGE));
}

#define MOUNT	"/tmp/proc"

static int open_on_mount(const char *format, pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), format, pid);
	return must(open(path, O_RDONLY | O_CLOEXEC));
}

static void mmfd_leaves_nothing(void)
{
	pid_t pid;
	int maps;
	int fd;

	pages = map_anon(NR_PAGES * PAGE);
	status = map_anon(PAGE);
	read_only = map_anon(PAGE);
	must(mprotect(read_only, PAGE, PROT_READ));
	fill_pool();
	must(unshare(CLONE_NEWNS));
	must(mkdir(MOUNT, 0700));
	must(mount("proc", MOUNT, "proc", 0, NULL));
	pid = start_target(be_asked_about, NULL);
	fd = open_on_mount(MOUNT "/%d/pagemap", pid);
	maps = open_on_mount(MOUNT "/%d/maps", pid);

	ask_each(fd);
	ask_without_results(fd);
	want_refused("maps", maps, pages, -EINVAL);
	want_taken("alive");
	end_target(pid);
	want_back("gone");
	want_refused("gone", fd, pages, -ESRCH);
	close(maps);
	close(fd);
	if (umount(MOUNT))
		fail("unmounting the file system of the pagemap: %s",
		     strerror(errno));
	must(rmdir(MOUNT));
}

const struct test_case mmfd_refs_cases[] = {
	{ "mmfd-leaves-nothing", mmfd_leaves_nothing },
	{ NULL, NULL },
};
