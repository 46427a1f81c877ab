// SPDX-License-Identifier: GPL-2.0-only
/*
 * memcheck move_pages|device: asks every question and decides by every byte of
 * the answers, for a tool that watches out for bytes that nobody wrote.
 *
 * The device is a false one (--wrap of open and ioctl), and writes its answers
 * as the kernel does: without the tool's knowledge.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libpagenode/annotate.h"
#include "pagenode.h"

#define PAGE ((size_t)sysconf(_SC_PAGESIZE))
#define NR_PAGES 600
#define NR_NODES 4
#define NR_EXTENTS 3

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);

static unsigned long sum;

/* A branch on each byte: what is unknown shows here. */
static void decide_by(const void *answer, size_t len)
{
	const unsigned char *p = answer;
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] == 1)
			sum++;
}

/* Neither Valgrind nor MemorySanitizer follows this call to its target. */
static void write_unseen(__u64 to, const void *from, size_t len)
{
	struct iovec local = { .iov_base = (void *)from, .iov_len = len };
	struct iovec remote = { .iov_base = (void *)to, .iov_len = len };

	if (syscall(SYS_process_vm_writev, getpid(), &local, 1UL, &remote, 1UL,
		    0UL) != (long)len) {
		perror("memcheck: process_vm_writev");
		exit(1);
	}
}

static void answer(unsigned long request, struct pagenode_query *q)
{
	static const char zeros[4096];
	size_t size = request == PAGENODE_IOC_EXTENTS ?
		      sizeof(struct pagenode_extent) :
		      request == PAGENODE_IOC_COUNTS ? sizeof(__u64) :
		      sizeof(int);

	q->out_count = q->out_len;
	q->next = q->start + PAGE * q->nr_pages;
	write_unseen(q->out, zeros, q->out_len * size);
}

int __wrap_open(const char *path, int flags, ...)
{
	if (!strcmp(path, "/dev/pagenode"))
		path = "/dev/null";
	return __real_open(path, flags);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct pagenode_info *info;
	va_list args;
	void *arg;

	(void)fd;
	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	/* The kernel, whose part this is, does not ask either. */
	pn_written(arg, _IOC_SIZE(request));
	if (request == PAGENODE_IOC_INFO) {
		info = arg;
		info->abi_version = PAGENODE_ABI_VERSION;
		info->features = ~0ULL;
	} else {
		answer(request, arg);
	}
	return 0;
}

/* Leaves unknown bytes where the library's own variables will lie. */
static __attribute__((noinline)) void dirty_stack(void)
{
	char junk[32768];

	__asm__ volatile("" : : "r"(junk) : "memory");
}

static void *must_malloc(size_t size)
{
	void *p = malloc(size);

	if (!p) {
		perror("memcheck");
		exit(1);
	}
	return p;
}

static void check(int wrong, const char *what)
{
	if (!wrong)
		return;
	perror(what);
	exit(1);
}

static void ask_status(struct pagenode *pn, const char *p, size_t len)
{
	size_t nr = ((uintptr_t)p % PAGE + len + PAGE - 1) / PAGE;
	int *status = must_malloc(nr * sizeof(*status));
	void *page = (void *)p;

	dirty_stack();
	check(pagenode_status(pn, p, len, status, nr), "status");
	decide_by(status, nr * sizeof(*status));
	free(status);

	status = must_malloc(sizeof(*status));
	check(pagenode_pages(pn, 1, &page, status), "pages");
	decide_by(status, sizeof(*status));
	free(status);
}

static void ask_extents(struct pagenode *pn, const char *p, size_t len)
{
	struct pagenode_extent *ext = must_malloc(NR_EXTENTS * sizeof(*ext));
	const void *next;
	ssize_t used;

	dirty_stack();
	used = pagenode_extents(pn, p, len, ext, NR_EXTENTS, &next);
	check(used < 0, "extents");
	decide_by(ext, (size_t)used * sizeof(*ext));
	decide_by(&next, sizeof(next));
	free(ext);
}

static void ask_counts(struct pagenode *pn, const char *p, size_t len)
{
	struct pagenode_counts counts;

	counts.node = must_malloc(NR_NODES * sizeof(*counts.node));
	counts.nr_nodes = NR_NODES;
	dirty_stack();
	check(pagenode_counts(pn, p, len, &counts), "counts");
	decide_by(counts.node, NR_NODES * sizeof(*counts.node));
	decide_by(&counts.nr_enoent, sizeof(counts.nr_enoent));
	decide_by(&counts.nr_efault, sizeof(counts.nr_efault));
	free(counts.node);
}

int main(int argc, char **argv)
{
	int device = argc > 1 && !strcmp(argv[1], "device");
	char *p = must_malloc(NR_PAGES * PAGE);
	size_t len = (NR_PAGES - 1) * PAGE;
	struct pagenode *pn;

	p[0] = 1;
	p[300 * PAGE] = 1;
	dirty_stack();
	pn = pagenode_open(device ? PAGENODE_OPEN_DEVICE :
				    PAGENODE_OPEN_MOVE_PAGES);
	check(!pn, "open");
	decide_by(pagenode_describe(pn), strlen(pagenode_describe(pn)));
	ask_status(pn, p, len);
	ask_status(pn, p, 1);
	ask_extents(pn, p, len);
	ask_extents(pn, p, 0);
	ask_counts(pn, p, len);
	ask_counts(pn, p, 0);
	pagenode_close(pn);
	free(p);
	return sum == (unsigned long)-1;
}
