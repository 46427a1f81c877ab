// SPDX-License-Identifier: GPL-2.0-only
/* Pages in states that few programs see, for the zoo. */
#include "case.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "uffd.h"
#include "zoo.h"

static void swapped_anon(struct zoo *z)
{
	char *p = zoo_anon(z, 64);

	touch_on(node_a(), p, 64 * PAGE);
	swap_out(p, 64 * PAGE);
	zoo_add(z, "swapped out", p, 64, SWAPPED, 0);
}

/* PROT_NONE entries hold inverted frame numbers, swap entries hold others. */
static void swapped_beside_prot_none(struct zoo *z)
{
	char *p = zoo_anon(z, 64);
	int i;

	touch_on(node_b(), p, 64 * PAGE);
	for (i = 0; i < 64; i += 2)
		swap_out(p + i * PAGE, PAGE);
	must(mprotect(p, 64 * PAGE, PROT_NONE));
	for (i = 0; i < 64; i += 2) {
		zoo_add(z, "swapped, PROT_NONE", p + i * PAGE, 1, SWAPPED, 0);
		zoo_add(z, "PROT_NONE", p + (i + 1) * PAGE, 1, PROT_NONE_PAGE,
			node_b());
	}
}

void zoo_swapped(struct zoo *z)
{
	want_swap();
	swapped_anon(z);
	swapped_beside_prot_none(z);
}

void zoo_ksm(struct zoo *z)
{
	char *p;
	char *q;

	if (!have_path("/sys/kernel/mm/ksm/run")) {
		zoo_absent(z, KSM_ZERO, "no KSM");
		return;
	}
	p = zoo_anon(z, 8);
	q = zoo_anon(z, 8);
	touch_on(node_b(), p, 8 * PAGE);
	ksm_merge(p, 8 * PAGE, false);
	zoo_add(z, "KSM", p, 8, NORMAL, node_b());
	touch_on(node_b(), q, 8 * PAGE);
	memset(q, 0, 8 * PAGE);
	ksm_merge(q, 8 * PAGE, true);
	zoo_add(z, "KSM's zero page", q, 8, KSM_ZERO, 0);
}

static void ignore_signal(int sig)
{
	(void)sig;
}

/* The signal that comes with it can't be blocked, only handled. */
static int poison(void *page)
{
	int err;

	signal(SIGBUS, ignore_signal);
	err = madvise(page, PAGE, MADV_HWPOISON) ? errno : 0;
	signal(SIGBUS, SIG_DFL);
	return err;
}

/* The machine loses the page for good: in a guest only. */
void zoo_poisoned(struct zoo *z)
{
	char *p;
	int err;

	if (kernel_alone && !have_path("/dev/pagenode")) {
		zoo_absent(z, POISONED, "not on this machine");
		return;
	}
	p = zoo_anon(z, 4);
	touch_on(node_a(), p, 4 * PAGE);
	zoo_add(z, "beside a poisoned page", p, 1, NORMAL, node_a());
	zoo_add(z, "beside a poisoned page", p + 2 * PAGE, 2, NORMAL,
		node_a());
	err = poison(p + PAGE);
	if (!err) {
		zoo_add(z, "poisoned", p + PAGE, 1, POISONED, 0);
		return;
	}
	zoo_absent(z, POISONED, strerror(err));
	zoo_add(z, "not poisoned", p + PAGE, 1, NORMAL, node_a());
}

void zoo_secretmem(struct zoo *z)
{
	int fd = syscall(SYS_memfd_secret, 0);
	char *p;

	if (fd < 0) {
		zoo_absent(z, SECRET, strerror(errno));
		return;
	}
	must(ftruncate(fd, 8 * PAGE));
	p = zoo_map(z, 8, MAP_SHARED, fd);
	touch_on(node_b(), p, 4 * PAGE);
	zoo_add(z, "secretmem", p, 4, SECRET, node_b());
	zoo_add(z, "secretmem, untouched", p + 4 * PAGE, 4, UNTOUCHED_FILE, 0);
	close(fd);
}

void zoo_guard(struct zoo *z)
{
	char *p = zoo_anon(z, 16);

	touch_on(node_a(), p, 16 * PAGE);
	zoo_add(z, "beside a guard", p, 4, NORMAL, node_a());
	zoo_add(z, "beside a guard", p + 12 * PAGE, 4, NORMAL, node_a());
	if (!madvise(p + 4 * PAGE, 8 * PAGE, MADV_GUARD_INSTALL)) {
		zoo_add(z, "guard", p + 4 * PAGE, 8, GUARD, 0);
		return;
	}
	zoo_absent(z, GUARD, strerror(errno));
	zoo_add(z, "beside a guard", p + 4 * PAGE, 8, NORMAL, node_a());
}

void zoo_uffd(struct zoo *z)
{
	static const char page[PAGE] __attribute__((aligned(PAGE))) = "copy";
	int fd = new_uffd(O_NONBLOCK, 0);
	char *p = zoo_anon(z, 16);
	struct uffdio_zeropage zero = {
		.range = { (uintptr_t)p + 2 * PAGE, 3 * PAGE },
	};
	struct uffdio_copy copy = {
		.dst = (uintptr_t)p + 8 * PAGE,
		.src = (uintptr_t)page,
		.len = PAGE,
	};

	if (fd < 0)
		fail("no userfaultfd: %s", strerror(errno));
	uffd_register(fd, p, 16, UFFDIO_REGISTER_MODE_MISSING);
	must(ioctl(fd, UFFDIO_ZEROPAGE, &zero));
	bind_task(node_b());
	must(ioctl(fd, UFFDIO_COPY, &copy));
	unbind_task();
	zoo_add(z, "userfaultfd, missing", p, 2, UFFD_MISSING, 0);
	zoo_add(z, "UFFDIO_ZEROPAGE", p + 2 * PAGE, 3, ZERO, 0);
	zoo_add(z, "userfaultfd, missing", p + 5 * PAGE, 3, UFFD_MISSING, 0);
	zoo_add(z, "UFFDIO_COPY", p + 8 * PAGE, 1, NORMAL, node_b());
	zoo_add(z, "userfaultfd, missing", p + 9 * PAGE, 7, UFFD_MISSING, 0);
	zoo_watch(z, fd);
}

static void protected_anon(struct zoo *z)
{
	int fd = new_uffd(O_NONBLOCK, UFFD_FEATURE_PAGEFAULT_FLAG_WP);
	char *p;

	if (fd < 0)
		return;
	p = zoo_anon(z, 8);
	touch_on(node_b(), p, 8 * PAGE);
	uffd_register(fd, p, 8, UFFDIO_REGISTER_MODE_WP);
	uffd_protect(fd, p, 8);
	zoo_add(z, "userfaultfd, protected", p, 8, NORMAL, node_b());
	zoo_watch(z, fd);
}

/* Protecting shmem that is not there leaves markers in the page table. */
static void markers(struct zoo *z)
{
	int fd = new_uffd(O_NONBLOCK, UFFD_FEATURE_PAGEFAULT_FLAG_WP |
				      UFFD_FEATURE_WP_HUGETLBFS_SHMEM);
	char *p;

	if (fd < 0) {
		zoo_absent(z, UFFD_MARKER, "no write protection of shmem");
		return;
	}
	p = zoo_map(z, 8, MAP_SHARED | MAP_ANONYMOUS, -1);
	uffd_register(fd, p, 8, UFFDIO_REGISTER_MODE_WP);
	uffd_protect(fd, p, 8);
	zoo_add(z, "userfaultfd, marker", p, 8, UFFD_MARKER, 0);
	zoo_watch(z, fd);
}

void zoo_uffd_wp(struct zoo *z)
{
	protected_anon(z);
	markers(z);
}

#define PCI "/sys/bus/pci/devices"

/* A memory BAR of @device, open, with its size in pages; -1 if it has none. */
static int open_bar(const char *device, size_t *nr_pages)
{
	char path[300];
	struct stat st;
	void *p;
	int bar;
	int fd;

	for (bar = 0; bar < 6; bar++) {
		snprintf(path, sizeof(path), PCI "/%s/resource%d", device, bar);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		must(fstat(fd, &st));
		p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED && (size_t)st.st_size >= PAGE) {
			munmap(p, PAGE);
			*nr_pages = st.st_size / PAGE;
			return fd;
		}
		close(fd);
	}
	return -1;
}

static int find_bar(size_t *nr_pages)
{
	DIR *dir = opendir(PCI);
	struct dirent *entry;
	int fd = -1;

	if (!dir)
		return -1;
	while (fd < 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			fd = open_bar(entry->d_name, nr_pages);
	closedir(dir);
	return fd;
}

/*
 * Mapped, never read: an address that no PC has memory at, and the first
 * MiB's memory, which has struct pages, but is mapped as if it had none.
 */
#define DEVICE_ADDRESS	0xfea00000UL
#define LOW_MEMORY	0x10000UL

static bool dev_mem(struct zoo *z, off_t address)
{
	int fd = open("/dev/mem", O_RDONLY | O_CLOEXEC);
	char *p = zoo_room(z, 4, PAGE);
	void *got;

	if (fd < 0)
		return false;
	got = mmap(p, 4 * PAGE, PROT_READ, MAP_SHARED | MAP_FIXED_NOREPLACE, fd,
		   address);
	if (got != MAP_FAILED)
		zoo_add(z, "/dev/mem", p, 4, NO_STRUCT_PAGE, 0);
	close(fd);
	return got != MAP_FAILED;
}

#define MAX_BAR_PAGES	600UL

void zoo_pci_bar(struct zoo *z)
{
	bool low = dev_mem(z, LOW_MEMORY);
	bool mem = dev_mem(z, DEVICE_ADDRESS);
	size_t nr_pages;
	int fd = find_bar(&nr_pages);
	char *p;

	if (fd < 0) {
		if (!mem && !low)
			zoo_absent(z, NO_STRUCT_PAGE, "no PCI memory BAR");
		return;
	}
	if (nr_pages > MAX_BAR_PAGES)
		nr_pages = MAX_BAR_PAGES;
	p = zoo_map(z, nr_pages, MAP_SHARED, fd);
	zoo_add(z, "PCI BAR", p, nr_pages, NO_STRUCT_PAGE, 0);
	close(fd);
}

/* Where the mapping called @name starts, and whether its flags have @flag. */
static char *find_mapping(const char *name, const char *flag, bool *has_flag)
{
	static char buf[1 << 18];
	char *at;
	char *line;
	char *flags;

	read_file("/proc/self/smaps", buf, sizeof(buf));
	at = strstr(buf, name);
	if (!at)
		return NULL;
	for (line = at; line > buf && line[-1] != '\n';)
		line--;
	flags = strstr(at, "VmFlags:");
	if (!flags)
		fail("/proc/self/smaps has no flags of %s", name);
	*strchr(flags, '\n') = '\0';
	*has_flag = strstr(flags, flag);
	return (char *)strtoul(line, NULL, 16);
}

/* The text, the stack, and what the kernel itself maps. */
void zoo_process(struct zoo *z)
{
	uintptr_t text = (uintptr_t)zoo_process & ~(PAGE - 1);
	bool pfnmap;
	char *p;

	zoo_add(z, "text", (char *)text, 1, NORMAL, ANY_NODE);
	p = (char *)((uintptr_t)&pfnmap & ~(PAGE - 1));
	zoo_add(z, "stack", p, 1, NORMAL, ANY_NODE);
	p = find_mapping("[vdso]", " pf", &pfnmap);
	if (p) {
		read_touch(p, PAGE);
		zoo_add(z, "vdso", p, 1, NORMAL, ANY_NODE);
	}
	p = find_mapping("[vvar]", " pf", &pfnmap);
	if (p) {
		read_touch(p, PAGE);
		zoo_add(z, "vvar", p, 1, pfnmap ? NO_STRUCT_PAGE : NORMAL,
			ANY_NODE);
	}
}

/* Addresses that no process has. */
void zoo_beyond(struct zoo *z)
{
	static const uintptr_t kernel[] = {
		0xffff888000000000, 0xffffffff81000000, 0xfffffffffffff000,
	};
	size_t i;

	zoo_add(z, "vsyscall", (char *)0xffffffffff600000, 1, VSYSCALL, 0);
	for (i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++)
		zoo_add(z, "kernel", (char *)kernel[i], 1, KERNEL_ADDRESS, 0);
}
