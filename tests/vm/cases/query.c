// SPDX-License-Identifier: GPL-2.0-only
/* Questions to the module and to the kernel's own move_pages. */
#include "case.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "query.h"

#define DEVICE	"/dev/pagenode"

int device(void)
{
	static int fd = -1;

	if (fd >= 0)
		return fd;
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		fail("opening " DEVICE ": %s: load the module pagenode",
		     strerror(errno));
	return fd;
}

/* 0 while questions are about the process that asks. */
static pid_t target;
static int target_fd;

const char *proc_path(const char *file)
{
	static _Thread_local char path[64];

	if (target)
		snprintf(path, sizeof(path), "/proc/%d/%s", target, file);
	else
		snprintf(path, sizeof(path), "/proc/self/%s", file);
	return path;
}

void ask_about(pid_t pid)
{
	if (target)
		close(target_fd);
	target = pid;
	if (target)
		target_fd = must(open(proc_path("pagemap"),
				      O_RDONLY | O_CLOEXEC));
}

struct pagenode_query question(const void *start, uint64_t nr_pages, int *out)
{
	return (struct pagenode_query){
		.size = sizeof(struct pagenode_query),
		.flags = target ? PAGENODE_F_MM_FD : 0,
		.mm_fd = target ? target_fd : 0,
		.start = (uintptr_t)start,
		.nr_pages = nr_pages,
		.out = (uintptr_t)out,
		.out_len = nr_pages,
	};
}

int ask(unsigned long request, void *arg)
{
	return ioctl(device(), request, arg) ? -errno : 0;
}

void module_status(const void *start, uint64_t nr_pages, int *status)
{
	struct pagenode_query q = question(start, nr_pages, status);
	uint64_t next = q.start + nr_pages * PAGE;
	int err = ask(PAGENODE_IOC_STATUS, &q);

	if (err)
		fail("status of %llu pages at %p: %s",
		     (unsigned long long)nr_pages, start, strerror(-err));
	if (q.out_count != nr_pages || q.next != next)
		fail("status of %llu pages at %p: out_count %llu, next %#llx",
		     (unsigned long long)nr_pages, start,
		     (unsigned long long)q.out_count,
		     (unsigned long long)q.next);
}

struct pagenode_info module_info(void)
{
	struct pagenode_info info = { .size = sizeof(info) };
	int err = ask(PAGENODE_IOC_INFO, &info);

	if (err)
		fail("info: %s", strerror(-err));
	return info;
}

#define BATCH 1024

void kernel_status(const void *start, size_t nr_pages, int *status)
{
	const char *page[BATCH];
	size_t nr = 0;
	size_t i;

	if (kernel_alone)
		need_move_pages();
	if (!have_numa()) {
		module_status(start, nr_pages, status);
		return;
	}
	for (i = 0; i < nr_pages; i++) {
		page[nr++] = (const char *)start + i * PAGE;
		if (nr < BATCH && i + 1 < nr_pages)
			continue;
		must(syscall(SYS_move_pages, target, nr, page, NULL,
			     status + i + 1 - nr, 0));
		nr = 0;
	}
}

/* One of a few static buffers, so that a message can hold three. */
const char *status_name(int status)
{
	static char buf[4][24];
	static int turn;
	char *name = buf[turn++ % 4];

	if (status == -ENOENT)
		return "-ENOENT";
	if (status == -EFAULT)
		return "-EFAULT";
	snprintf(name, sizeof(buf[0]), status < 0 ? "%d" : "node %d", status);
	return name;
}

static size_t status_room(size_t nr)
{
	return (nr * sizeof(int) + PAGE - 1) & ~(PAGE - 1);
}

int *new_statuses(size_t nr)
{
	size_t room = status_room(nr);
	char *p = mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must((long)p);
	must(mprotect(p + room, PAGE, PROT_NONE));
	memset(p, 0x55, room);
	return (int *)(p + room) - nr;
}

void free_statuses(int *status, size_t nr)
{
	size_t room = status_room(nr);

	must(munmap((char *)(status + nr) - room, room + PAGE));
}
