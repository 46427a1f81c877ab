// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "present.h"

/* The kernel's <linux/fs.h> has these from 6.7 on. */
struct scan_region {
	__u64 start;
	__u64 end;
	__u64 categories;
};

struct scan_arg {
	__u64 size;
	__u64 flags;
	__u64 start;
	__u64 end;
	__u64 walk_end;
	__u64 vec;
	__u64 vec_len;
	__u64 max_pages;
	__u64 category_inverted;
	__u64 category_mask;
	__u64 category_anyof_mask;
	__u64 return_mask;
};

#define IOC_PAGEMAP_SCAN	_IOWR('f', 16, struct scan_arg)
#define SCAN_PRESENT		(1ULL << 3)
#define SCAN_REGIONS		256

/* Bit 63 of an entry of the file */
#define ENTRY_PRESENT		(1ULL << 63)
#define ENTRIES			4096

int present_open(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Passes over empty page tables at their own size. */
static ssize_t scan(int fd, struct range *range, struct range *list, size_t nr)
{
	struct scan_region regions[SCAN_REGIONS];
	struct scan_arg arg = {
		.size = sizeof(arg),
		.start = range->start,
		.end = range->end,
		.vec = (uintptr_t)regions,
		.vec_len = nr < SCAN_REGIONS ? nr : SCAN_REGIONS,
		.category_mask = SCAN_PRESENT,
		.return_mask = SCAN_PRESENT,
	};
	int found = ioctl(fd, IOC_PAGEMAP_SCAN, &arg);
	int i;

	if (found < 0)
		return -1;
	for (i = 0; i < found; i++)
		list[i] = (struct range) { regions[i].start, regions[i].end };
	range->start = arg.walk_end;
	return found;
}

/* The ranges of a piece of the file, up to where the list is full */
static size_t gather(const uint64_t *entry, size_t nr_entries, size_t page_size,
		     struct range *range, struct range *list, size_t nr)
{
	bool was_present = false;
	size_t found = 0, i;

	for (i = 0; i < nr_entries; i++, range->start += page_size) {
		bool present = entry[i] & ENTRY_PRESENT;

		if (present && !was_present) {
			if (found == nr)
				break;
			list[found++].start = range->start;
		}
		if (present)
			list[found - 1].end = range->start + page_size;
		was_present = present;
	}
	return found;
}

/* Eight bytes a page, for older kernels */
static ssize_t read_entries(int fd, struct range *range, struct range *list,
			    size_t nr)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t left = (range->end - range->start) / page_size;
	uint64_t entries[ENTRIES];
	ssize_t got;

	got = pread(fd, entries,
		    (left < ENTRIES ? left : ENTRIES) * sizeof(*entries),
		    (off_t)(range->start / page_size * sizeof(*entries)));
	if (got < 0)
		return -1;
	/* The file ends where the process's address space does. */
	if (!got)
		range->start = range->end;
	return (ssize_t)gather(entries, (size_t)got / sizeof(*entries),
			       page_size, range, list, nr);
}

ssize_t present_list(int fd, struct range *range, struct range *list, size_t nr)
{
	ssize_t found = scan(fd, range, list, nr);

	if (found < 0 && errno == ENOTTY)
		found = read_entries(fd, range, list, nr);
	return found;
}
