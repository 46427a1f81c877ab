// SPDX-License-Identifier: GPL-2.0-only
/*
 * syscall() of a program with libpagenode-preload.so, down to the kernel, and
 * what becomes of move_pages(2) where there is no module.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

#define NR 1024

/* As seen before any constructor has run. */
static struct {
	long pid;
	long failed;
	int err;
	const char *mapped;
} early;

static void look_early(void)
{
	long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/exe", O_RDONLY);

	early.mapped = (char *)syscall(SYS_mmap, NULL, 4096UL, PROT_READ,
				       MAP_PRIVATE, file, 0L);
	early.pid = syscall(SYS_getpid);
	errno = 0;
	early.failed = syscall(SYS_close, -1);
	early.err = errno;
}

__attribute__((section(".preinit_array"), used))
static void (*const preinit)(void) = look_early;

static void before_constructors(void)
{
	CHECK_EQ(early.pid, getpid());
	CHECK_EQ(early.failed, -1);
	CHECK_EQ(early.err, EBADF);
	CHECK(!memcmp(early.mapped, "\177ELF", 4));
}

static void arguments_and_errors(void)
{
	char *map;

	CHECK_EQ(syscall(SYS_getppid), getppid());
	errno = 0;
	CHECK_EQ(syscall(SYS_openat, AT_FDCWD, "/no/such/file", O_RDONLY), -1);
	CHECK_EQ(errno, ENOENT);
	errno = EXDEV;
	CHECK_EQ(syscall(SYS_write, -1, "", 0), -1);
	CHECK_EQ(errno, EBADF);
	/* Six of them, and a result that is no int. */
	map = (char *)syscall(SYS_mmap, NULL, 4096UL, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1L, 0L);
	CHECK(map != MAP_FAILED);
	*map = 1;
	CHECK_EQ(syscall(SYS_munmap, map, 4096UL), 0);
	errno = EXDEV;
	CHECK_EQ(syscall(SYS_gettid), gettid());
	CHECK_EQ(errno, EXDEV);
}

static void child_on_its_own_stack(void)
{
	_exit(7);
}

/*
 * The child returns from syscall() on a stack whose top is this function's
 * address. Any frame between here and the kernel would pop something else.
 */
static void clone_with_another_stack(void)
{
	static uintptr_t stack[1024] __attribute__((aligned(16)));
	uintptr_t *top = stack + 1001;
	long child;
	int end;

	*top = (uintptr_t)child_on_its_own_stack;
	child = syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, top, NULL,
			NULL, 0L);
	CHECK(child > 0);
	CHECK_EQ(waitpid((pid_t)child, &end, 0), child);
	CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 7);
}

/* The child must leave the stack alone, for it is its parent's. */
static void vfork_by_number(void)
{
	long number = SYS_vfork;
	long child;
	int end;

	__asm__ volatile("subq $128, %%rsp\n\t"
			 "movq %%rsp, %%rbx\n\t"
			 "andq $-16, %%rsp\n\t"
			 "call *%[syscall]\n\t"
			 "testq %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "movl %[exit], %%eax\n\t"
			 "movl $8, %%edi\n\t"
			 "syscall\n"
			 "1:\tmovq %%rbx, %%rsp\n\t"
			 "addq $128, %%rsp"
			 : "=a" (child), "+D" (number)
			 : [syscall] "r" (syscall), [exit] "i" (SYS_exit)
			 : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11",
			   "memory", "cc");
	CHECK(child > 0);
	CHECK_EQ(waitpid((pid_t)child, &end, 0), child);
	CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 8);
}

static void move_pages_of_another_library(void)
{
	void *handle = dlopen("libother.so", RTLD_NOW | RTLD_LOCAL);
	int (*other_moves)(int nr);

	CHECK(handle);
	*(void **)&other_moves = dlsym(handle, "other_moves");
	CHECK(other_moves);
	CHECK_EQ(other_moves(1), 2);
	dlclose(handle);
}

/* The kernel's own answer, which nobody can come between. */
static long ask_kernel(unsigned long nr, void **pages, int *status)
{
	register void *nodes __asm__("r10") = NULL;
	register int *result __asm__("r8") = status;
	register long flags __asm__("r9") = 0;
	long ret = SYS_move_pages;

	__asm__ volatile("syscall"
			 : "+a" (ret)
			 : "D" (0L), "S" (nr), "d" (pages), "r" (nodes),
			   "r" (result), "r" (flags)
			 : "rcx", "r11", "memory");
	return ret;
}

static void without_a_module(void)
{
	static char memory[NR * 4096];
	static int status[NR], want[NR];
	static void *pages[NR];
	int i;

	if (!access("/dev/pagenode", F_OK))
		SKIP("there is a module");
	for (i = 0; i < NR; i++) {
		pages[i] = memory + i * 4096L;
		if (i % 3)
			memory[i * 4096L] = 1;
	}
	CHECK_EQ(ask_kernel(NR, pages, want), 0);
	errno = EXDEV;
	CHECK_EQ(syscall(SYS_move_pages, 0, NR, pages, NULL, status, 0), 0);
	CHECK_EQ(errno, EXDEV);
	CHECK(!memcmp(status, want, sizeof(want)));
	CHECK_EQ(syscall(SYS_move_pages, 0, NR, NULL, NULL, status, 0), -1);
	CHECK_EQ(errno, EFAULT);
	CHECK_EQ(syscall(SYS_move_pages, 0, NR, pages, NULL, status, 1 << 10),
		 -1);
	CHECK_EQ(errno, EINVAL);
}

static const struct test tests[] = {
	TEST(before_constructors),
	TEST(arguments_and_errors),
	TEST(clone_with_another_stack),
	TEST(vfork_by_number),
	TEST(move_pages_of_another_library),
	TEST(without_a_module),
};

int main(void)
{
	const char *preload = getenv("LD_PRELOAD");

	if (!preload || !strstr(preload, "libpagenode-preload.so")) {
		fprintf(stderr, "the library is not preloaded\n");
		return 2;
	}
	return run_tests(tests, ARRAY_SIZE(tests));
}
