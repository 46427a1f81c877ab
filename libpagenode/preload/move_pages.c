// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * libpagenode-preload.so: programs that ask move_pages(2) on which nodes their
 * pages lie are answered by pagenode.
 *
 * It keeps no state, neither a descriptor nor whether there is a module. The
 * device is opened for each question and closed after it. So a program may fork,
 * close all of its descriptors, or count them, and a module that is loaded later
 * is used from then on.
 *
 * Whatever has no answer is asked of the kernel, so that an error is always the
 * kernel's, and so is what was written before it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libpagenode/backend.h"
#include "preload.h"

/*
 * The kernel answers some 20 pages in the time that it takes to open and close
 * the device. From here on an open that fails costs a tenth of the answer.
 */
#define PN_MANY 128

typedef long syscall_fn(long number, ...);

struct pn_call {
	int pid;
	unsigned long count;
	void **pages;
	const int *nodes;
	int *status;
	int flags;
};

/* Used by syscall.S, or defined there. */
extern syscall_fn *pn_next;
syscall_fn pn_next_syscall;
long pn_syscall_move_pages(long number, int pid, unsigned long count,
			   void **pages, const int *nodes, int *status,
			   int flags);

/* Those of libnuma, which does no more than make the system call. */
PN_EXPORT int numa_move_pages(int pid, unsigned long count, void **pages,
			      const int *nodes, int *status, int flags);
PN_EXPORT long pn_libnuma_move_pages(int pid, unsigned long count, void **pages,
				     const int *nodes, int *status, int flags);

syscall_fn *pn_next;

/* Another library may have a syscall() of its own between us and libc. */
__attribute__((constructor)) static void pn_find_next(void)
{
	*(void **)&pn_next = dlsym(RTLD_NEXT, "syscall");
}

static long pn_kernel(const struct pn_call *call)
{
	return pn_next_syscall(SYS_move_pages, (long)call->pid, call->count,
			       call->pages, call->nodes, call->status,
			       (long)call->flags);
}

/*
 * The kernel reads 16 addresses and then writes 16 statuses. Where these replace
 * addresses, it matters that it is 16.
 */
static bool pn_overlap(const struct pn_call *call)
{
	uintptr_t pages = (uintptr_t)call->pages;
	uintptr_t status = (uintptr_t)call->status;

	return status < pages + call->count * sizeof(*call->pages) &&
	       pages < status + call->count * sizeof(*call->status);
}

/* Can pagenode answer it just as the kernel does? */
static bool pn_ours(const struct pn_call *call)
{
	return !call->nodes &&
	       call->count <= PTRDIFF_MAX / sizeof(*call->pages) &&
	       !pn_overlap(call) &&
	       (!call->flags || call->flags == MPOL_MF_MOVE) &&
	       (!call->pid || call->pid == getpid());
}

/*
 * move_pages() allocates nothing and is no cancellation point, so neither is
 * this. errno is left alone.
 */
static int pn_ask(const struct pn_call *call)
{
	struct pagenode pn = {
		.backend = &pn_backend_device,
		.fd = -1,
		.mm_fd = -1,
		.page_size = (size_t)sysconf(_SC_PAGESIZE),
	};
	int cancel = PTHREAD_CANCEL_ENABLE;
	int err = errno;
	int ret;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	ret = pn_device_open(&pn, PN_DEVICE);
	if (!ret) {
		ret = pn_list_answer(&pn, call->pages, call->count,
				     call->status);
		pn_device_close(&pn);
	}
	pthread_setcancelstate(cancel, NULL);
	errno = err;
	return ret;
}

static long pn_query(const struct pn_call *call)
{
	int err = errno;
	long ret;

	if (call->count >= PN_MANY && !pn_ask(call))
		return 0;
	ret = pn_kernel(call);
	/* Containers often forbid it, and some kernels are built without. */
	if (ret && (errno == EPERM || errno == ENOSYS) && !pn_ask(call)) {
		errno = err;
		return 0;
	}
	return ret;
}

long pn_syscall_move_pages(long number __attribute__((unused)), int pid,
			   unsigned long count, void **pages, const int *nodes,
			   int *status, int flags)
{
	const struct pn_call call = {
		.pid = pid,
		.count = count,
		.pages = pages,
		.nodes = nodes,
		.status = status,
		.flags = flags,
	};

	return pn_ours(&call) ? pn_query(&call) : pn_kernel(&call);
}

int numa_move_pages(int pid, unsigned long count, void **pages,
		    const int *nodes, int *status, int flags)
{
	return (int)pn_syscall_move_pages(SYS_move_pages, pid, count, pages,
					  nodes, status, flags);
}

/*
 * One "@" keeps it from whoever asks for a move_pages() without a version: that
 * may be a library with a function of that name of its own.
 */
__asm__(".symver pn_libnuma_move_pages, move_pages@libnuma_1.2");

long pn_libnuma_move_pages(int pid, unsigned long count, void **pages,
			   const int *nodes, int *status, int flags)
{
	return pn_syscall_move_pages(SYS_move_pages, pid, count, pages, nodes,
				     status, flags);
}
