// SPDX-License-Identifier: GPL-2.0-only
/* Memory that belongs to files, for the zoo: shmem, tmpfs, hugetlb. */
#include "case.h"

#include <fcntl.h>
#include <linux/memfd.h>

#include "zoo.h"

void zoo_shmem(struct zoo *z)
{
	int fd = new_memfd(32 * PAGE, 0);
	char *p = zoo_map(z, 32, MAP_SHARED, fd);
	char *q = zoo_map(z, 16, MAP_SHARED | MAP_ANONYMOUS, -1);

	touch_on(node_b(), p, 16 * PAGE);
	zoo_add(z, "memfd", p, 16, NORMAL, node_b());
	zoo_add(z, "memfd, untouched", p + 16 * PAGE, 16, UNTOUCHED_FILE, 0);
	touch_on(node_a(), q, 16 * PAGE);
	zoo_add(z, "shared anon", q, 16, NORMAL, node_a());
	close(fd);
}

void zoo_shmem_thp(struct zoo *z)
{
	char *p;
	int fd;

	if (!set_thp_madvise())
		return;
	fd = new_file_in("cases", "tmpfs", "huge=always", HUGE);
	p = zoo_room(z, HUGE_PAGES, HUGE);
	must((long)mmap(p, HUGE, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0));
	touch_on(node_b(), p, HUGE);
	if (!page_is(p, KPF_THP))
		fail("writing to a tmpfs of huge pages gave no THP");
	zoo_add(z, "shmem THP", p, HUGE_PAGES, NORMAL, node_b());
	close(fd);
}

static int file_on(int node, size_t nr_pages)
{
	static const char page[PAGE] = "file";
	int fd = must(open("/tmp", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600));
	size_t i;

	bind_task(node);
	for (i = 0; i < nr_pages; i++)
		if (write(fd, page, PAGE) != PAGE)
			fail("writing a file in /tmp: %s", strerror(errno));
	unbind_task();
	return fd;
}

/* Read: the file's own page. Written: a copy, wherever the writer wants it. */
void zoo_file(struct zoo *z)
{
	int fd = file_on(node_a(), 16);
	char *p = zoo_map(z, 16, MAP_PRIVATE, fd);
	char *q = zoo_map(z, 16, MAP_SHARED, fd);
	char *r = zoo_map(z, 16, MAP_PRIVATE, fd);

	read_touch(p, 16 * PAGE);
	zoo_add(z, "file before its copy", p, 8, NORMAL, node_a());
	touch_on(node_b(), p + 8 * PAGE, 8 * PAGE);
	zoo_add(z, "file after its copy", p + 8 * PAGE, 8, NORMAL, node_b());
	touch(q, 16 * PAGE);
	zoo_add(z, "shared file", q, 16, NORMAL, node_a());
	zoo_add(z, "file, cached but not mapped", r, 16, UNTOUCHED_FILE, 0);
	close(fd);
}

static char *hugetlb(struct zoo *z, size_t nr_huge, int flags, int fd)
{
	char *p = zoo_room(z, nr_huge * HUGE_PAGES, HUGE);

	must((long)mmap(p, nr_huge * HUGE, PROT_READ | PROT_WRITE,
			flags | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0));
	return p;
}

void zoo_hugetlb(struct zoo *z)
{
	int fd = new_memfd(2 * HUGE, MFD_HUGETLB | MFD_HUGE_2MB);
	char *p = hugetlb(z, 2, MAP_SHARED, fd);
	char *q = hugetlb(z, 1, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1);
	char *r;

	want_hugetlb(node_a(), 1);
	want_hugetlb(node_b(), 2);
	touch_on(node_a(), p, PAGE);
	zoo_add(z, "hugetlb", p, HUGE_PAGES, NORMAL, node_a());
	zoo_add(z, "hugetlb, untouched", p + HUGE, HUGE_PAGES, UNTOUCHED_FILE,
		0);
	touch_on(node_b(), q, PAGE);
	zoo_add(z, "private hugetlb", q, HUGE_PAGES, NORMAL, node_b());

	r = hugetlb(z, 1, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1);
	touch_on(node_b(), r, PAGE);
	must(mprotect(r, HUGE, PROT_NONE));
	zoo_add(z, "PROT_NONE hugetlb", r, HUGE_PAGES, PROT_NONE_PAGE,
		node_b());
	close(fd);
}

static void huge_dev_zero(struct zoo *z, int fd)
{
	char *p = zoo_room(z, HUGE_PAGES, HUGE);

	must((long)mmap(p, HUGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0));
	must(madvise(p, HUGE, MADV_HUGEPAGE));
	read_touch(p, PAGE);
	if (!page_is(p + PAGE, KPF_ZERO_PAGE))
		fail("reading private /dev/zero gave no huge zero page");
	zoo_add(z, "/dev/zero, huge", p, HUGE_PAGES, HUGE_ZERO, 0);
}

/* Private memory that is anonymous though it has a file. */
void zoo_dev_zero(struct zoo *z)
{
	int fd = must(open("/dev/zero", O_RDWR | O_CLOEXEC));
	char *p = zoo_map(z, 12, MAP_PRIVATE, fd);

	read_touch(p, 4 * PAGE);
	touch_on(node_b(), p + 4 * PAGE, 4 * PAGE);
	zoo_add(z, "/dev/zero, read", p, 4, ZERO, 0);
	zoo_add(z, "/dev/zero, written", p + 4 * PAGE, 4, NORMAL, node_b());
	zoo_add(z, "/dev/zero, untouched", p + 8 * PAGE, 4, UNTOUCHED, 0);
	if (set_thp_madvise())
		huge_dev_zero(z, fd);
	close(fd);
}
