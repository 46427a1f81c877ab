// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 10: a 32-bit program on the 64-bit kernel. Without a C library, so that
 * it builds where there is none for 32 bits.
 *
 * cases32 NODE NODE: prints what is wrong, if anything, and exits with 1.
 */
#include <linux/fcntl.h>
#include <linux/mempolicy.h>
#include <linux/mman.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/pagenode.h>

#define PAGE		4096UL
#define NR_PAGES	1000
#define NR_IDS		1024
#define ENOENT		2
#define EFAULT		14
#define BEYOND		(1ULL << 32)

/* System calls by their numbers on i386 */
#define SYS_EXIT	1
#define SYS_WRITE	4
#define SYS_OPEN	5
#define SYS_IOCTL	54
#define SYS_OLD_MMAP	90
#define SYS_MADVISE	219
#define SYS_SET_MEMPOLICY 276

static long call(long nr, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "0"(nr), "b"(a), "c"(b), "d"(c)
			 : "memory");
	return ret;
}

__attribute__((noreturn)) static void quit(int code)
{
	for (;;)
		call(SYS_EXIT, code, 0, 0);
}

static void put(const char *text)
{
	size_t len = 0;

	while (text[len])
		len++;
	call(SYS_WRITE, 1, (long)text, (long)len);
}

static void put_number(long n)
{
	char digits[16];
	char *p = digits + sizeof(digits) - 1;
	unsigned long rest = n < 0 ? -(unsigned long)n : (unsigned long)n;

	*p = '\0';
	for (; rest > 9; rest /= 10)
		*--p = (char)('0' + rest % 10);
	*--p = (char)('0' + rest);
	if (n < 0)
		*--p = '-';
	put(p);
}

__attribute__((noreturn)) static void fail(const char *what, long i, long got,
					   long want)
{
	put(what);
	put(" ");
	put_number(i);
	put(": ");
	put_number(got);
	put(", not ");
	put_number(want);
	put("\n");
	quit(1);
}

static void same(const char *what, long i, long got, long want)
{
	if (got != want)
		fail(what, i, got, want);
}

static int device;
static int nodes[2];
static char *memory;
static int32_t status[NR_PAGES];
static uint64_t list[NR_PAGES];
static uint64_t count[NR_IDS];
static struct pagenode_extent extent[NR_PAGES];
static struct pagenode_query q;

/* In turn: on a node, on the other, read but not written, untouched. */
static int want(long i)
{
	switch (i % 4) {
	case 0:
	case 1:
		return nodes[i % 4];
	case 2:
		return -EFAULT;
	}
	return -ENOENT;
}

/* A kernel of one node may have no such system call. */
static void bind(int node)
{
	static unsigned long mask[NR_IDS / 8 / sizeof(long)];
	const int bits = 8 * sizeof(mask[0]);

	if (nodes[0] == nodes[1])
		return;
	mask[node / bits] = 1UL << node % bits;
	same("set_mempolicy", node,
	     call(SYS_SET_MEMPOLICY, MPOL_BIND, (long)mask, NR_IDS), 0);
	mask[node / bits] = 0;
}

static void make_memory(void)
{
	const unsigned long args[] = {
		0, NR_PAGES * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1UL, 0,
	};
	volatile char *p;
	long i;

	memory = (char *)call(SYS_OLD_MMAP, (long)args, 0, 0);
	call(SYS_MADVISE, (long)memory, NR_PAGES * PAGE, MADV_NOHUGEPAGE);
	for (i = 0; i < NR_PAGES; i++) {
		p = memory + i * PAGE;
		if (i % 4 < 2) {
			bind(nodes[i % 4]);
			*p = 1;
		} else if (i % 4 == 2) {
			(void)*p;
		}
	}
}

static long ask(unsigned long request, uint64_t start, long nr_pages,
		const void *out, long out_len)
{
	q = (struct pagenode_query){
		.size = sizeof(q),
		.start = start,
		.nr_pages = nr_pages,
		.out = (unsigned long)out,
		.out_len = out_len,
	};
	return call(SYS_IOCTL, device, (long)request, (long)&q);
}

static void check_info(void)
{
	static struct pagenode_info info = { .size = sizeof(info) };

	same("info", 0,
	     call(SYS_IOCTL, device, (long)PAGENODE_IOC_INFO, (long)&info), 0);
	same("ABI version", 0, info.abi_version, PAGENODE_ABI_VERSION);
	same("page shift", 0, info.page_shift, 12);
}

static void check_status(long nr_pages)
{
	long i;

	same("status", nr_pages,
	     ask(PAGENODE_IOC_STATUS, (unsigned long)memory, nr_pages, status,
		 nr_pages), 0);
	same("status: out_count", nr_pages, (long)q.out_count, nr_pages);
	for (i = 0; i < nr_pages; i++)
		same("status of page", i, status[i], want(i));
}

/* Backwards */
static void check_pages(long nr_pages)
{
	long last = nr_pages - 1;
	long i;

	for (i = 0; i < nr_pages; i++)
		list[i] = (unsigned long)memory + (last - i) * PAGE + 5;
	same("pages", nr_pages,
	     ask(PAGENODE_IOC_PAGES, (unsigned long)list, nr_pages, status,
		 nr_pages), 0);
	for (i = 0; i < nr_pages; i++)
		same("pages: page", last - i, status[i], want(last - i));
}

static void check_extents(void)
{
	long page = 0;
	long i;
	long j;

	same("extents", 0,
	     ask(PAGENODE_IOC_EXTENTS, (unsigned long)memory, NR_PAGES, extent,
		 NR_PAGES), 0);
	for (i = 0; i < (long)q.out_count; i++) {
		same("extent", i, (long)extent[i].start,
		     (long)(memory + page * PAGE));
		for (j = 0; j < (long)extent[i].nr_pages; j++, page++)
			same("extents: page", page, extent[i].status,
			     want(page));
	}
	same("extents: pages", 0, page, NR_PAGES);
}

static void check_counts(void)
{
	long quarter = NR_PAGES / 4;
	long on_each = nodes[0] == nodes[1] ? 2 * quarter : quarter;

	same("counts", 0,
	     ask(PAGENODE_IOC_COUNTS, (unsigned long)memory, NR_PAGES, count,
		 NR_IDS), 0);
	same("count of node", nodes[0], (long)count[nodes[0]], on_each);
	same("count of node", nodes[1], (long)count[nodes[1]], on_each);
	same("count of", -EFAULT, (long)q.nr_efault, quarter);
	same("count of", -ENOENT, (long)q.nr_enoent, quarter);
}

/* Addresses that this program can't have. */
static void check_beyond(void)
{
	long i;

	same("beyond 4 GiB", 0,
	     ask(PAGENODE_IOC_STATUS, BEYOND - PAGE, 17, status, 17), 0);
	for (i = 1; i < 17; i++)
		same("beyond 4 GiB: page", i, status[i], -EFAULT);
	q.out = BEYOND;
	same("result beyond 4 GiB", 0,
	     call(SYS_IOCTL, device, (long)PAGENODE_IOC_STATUS, (long)&q),
	     -EFAULT);
}

static int number(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n = 10 * n + *text - '0';
	return n;
}

/* @stack: argc, then argv, as the kernel leaves them. */
__attribute__((noreturn, used)) static void program(char **stack)
{
	if ((long)stack[0] != 3) {
		put("usage: cases32 NODE NODE\n");
		quit(1);
	}
	nodes[0] = number(stack[2]);
	nodes[1] = number(stack[3]);
	device = (int)call(SYS_OPEN, (long)"/dev/pagenode", O_RDWR, 0);
	if (device < 0)
		fail("opening /dev/pagenode", 0, device, 0);
	make_memory();
	check_info();
	check_status(1);
	check_status(17);
	check_status(NR_PAGES);
	check_pages(17);
	check_pages(NR_PAGES);
	check_extents();
	check_counts();
	check_beyond();
	quit(0);
}

__asm__(".globl _start\n"
	"_start:\n"
	"	mov %esp, %eax\n"
	"	and $-16, %esp\n"
	"	sub $12, %esp\n"
	"	push %eax\n"
	"	call program\n");
