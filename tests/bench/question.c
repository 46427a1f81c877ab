// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <uapi/pagenode.h>

#include "file.h"
#include "question.h"

/* Not in the headers of Debian 12: <linux/fs.h> of Linux 6.7 and later */
struct scan {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t inverted_mask, mask, anyof_mask, return_mask;
};

#define SCAN		_IOWR('f', 16, struct scan)
#define SCAN_PRESENT	(1 << 3)

/* A bit of our own beside those of the module */
#define FEATURE_SCAN	(1ULL << 63)

static int device, pagemap;
static uint64_t features;

static void ask_status(void *buffer)
{
	struct buffer *b = buffer;
	struct pagenode_query q = {
		.size = sizeof(q),
		.start = (uintptr_t)b->start,
		.nr_pages = b->range,
		.out = (uintptr_t)b->status,
		.out_len = b->pages,
	};

	if (ioctl(device, PAGENODE_IOC_STATUS, &q))
		die("PAGENODE_IOC_STATUS");
}

static void ask_extents(void *buffer)
{
	struct buffer *b = buffer;
	struct pagenode_query q = {
		.size = sizeof(q),
		.start = (uintptr_t)b->start,
		.nr_pages = b->range,
		.out = (uintptr_t)b->extents,
		.out_len = MAX_EXTENTS,
	};

	if (ioctl(device, PAGENODE_IOC_EXTENTS, &q))
		die("PAGENODE_IOC_EXTENTS");
	b->nr_extents = q.out_count;
}

static void ask_counts(void *buffer)
{
	struct buffer *b = buffer;
	struct pagenode_query q = {
		.size = sizeof(q),
		.start = (uintptr_t)b->start,
		.nr_pages = b->range,
		.out = (uintptr_t)b->count,
		.out_len = NODES,
	};

	if (ioctl(device, PAGENODE_IOC_COUNTS, &q))
		die("PAGENODE_IOC_COUNTS");
	b->absent = q.nr_enoent + q.nr_efault;
}

static void ask_pages(void *buffer)
{
	struct buffer *b = buffer;
	struct pagenode_query q = {
		.size = sizeof(q),
		.start = (uintptr_t)b->list,
		.nr_pages = b->pages,
		.out = (uintptr_t)b->status,
		.out_len = b->pages,
	};

	if (ioctl(device, PAGENODE_IOC_PAGES, &q))
		die("PAGENODE_IOC_PAGES");
}

static void ask_move_pages(void *buffer)
{
	struct buffer *b = buffer;

	if (syscall(SYS_move_pages, 0, b->pages, b->list, NULL, b->status, 0))
		die("move_pages");
}

static void ask_mincore(void *buffer)
{
	struct buffer *b = buffer;

	if (mincore(b->start, b->range * PAGE, b->resident))
		die("mincore");
}

/* Runs of present pages, in the array of the extents */
static void ask_scan(void *buffer)
{
	struct buffer *b = buffer;
	struct scan scan = {
		.size = sizeof(scan),
		.start = (uintptr_t)b->start,
		.end = (uintptr_t)b->start + b->range * PAGE,
		.vec = (uintptr_t)b->extents,
		.vec_len = MAX_EXTENTS,
		.mask = SCAN_PRESENT,
		.return_mask = SCAN_PRESENT,
	};
	int nr = ioctl(pagemap, SCAN, &scan);

	if (nr < 0)
		die("PAGEMAP_SCAN");
	b->nr_extents = nr;
}

/* Before 6.12 move_pages says EFAULT of a page that was never touched. */
static bool agree(int truth, int answer)
{
	return answer == truth || (answer == -ENOENT && truth == -EFAULT);
}

static bool right_status(const struct buffer *b)
{
	size_t i;

	for (i = 0; i < b->pages; i++)
		if (!agree(b->truth[i], b->status[i]))
			return false;
	return true;
}

/* Extents follow each other; outside of the listed pages there are none. */
static bool right_extents(const struct buffer *b)
{
	uint64_t next = (uintptr_t)b->start, addr;
	uint64_t first = (uintptr_t)b->list[0];
	size_t i;

	for (i = 0; i < b->nr_extents; i++) {
		const struct pagenode_extent *e = b->extents + i;

		if (e->start != next)
			return false;
		next += e->nr_pages * PAGE;
		if (next > first && e->start < first + b->pages * PAGE)
			continue;
		if (e->status != -ENOENT)
			return false;
	}
	if (next != (uintptr_t)b->start + b->range * PAGE)
		return false;
	for (i = 0, addr = first; addr < first + b->pages * PAGE; addr += PAGE) {
		while (addr >= b->extents[i].start +
			       b->extents[i].nr_pages * PAGE)
			i++;
		if (!agree(b->truth[(addr - first) / PAGE],
			   b->extents[i].status))
			return false;
	}
	return true;
}

static uint64_t count_truth(const struct buffer *b, int nid)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < b->pages; i++)
		n += b->truth[i] == nid;
	return n;
}

static uint64_t count_present(const struct buffer *b)
{
	uint64_t n = 0;
	int nid;

	for (nid = 0; nid < NODES; nid++)
		n += count_truth(b, nid);
	return n;
}

static bool right_counts(const struct buffer *b)
{
	int nid;

	for (nid = 0; nid < NODES; nid++)
		if (b->count[nid] != count_truth(b, nid))
			return false;
	return b->absent == b->range - count_present(b);
}

static bool right_mincore(const struct buffer *b)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < b->range; i++)
		n += b->resident[i] & 1;
	return n == count_present(b);
}

static bool right_scan(const struct buffer *b)
{
	const struct { uint64_t start, end, categories; } *region =
		(const void *)b->extents;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < b->nr_extents; i++)
		n += (region[i].end - region[i].start) / PAGE;
	return n == count_present(b);
}

const struct question status = {
	"STATUS", PAGENODE_FEATURE_STATUS, ask_status, right_status,
};

const struct question extents = {
	"EXTENTS", PAGENODE_FEATURE_EXTENTS, ask_extents, right_extents,
};

const struct question counts = {
	"COUNTS", PAGENODE_FEATURE_COUNTS, ask_counts, right_counts,
};

const struct question pages = {
	"PAGES", PAGENODE_FEATURE_PAGES, ask_pages, right_status,
};

const struct question move_pages = {
	"move_pages", 0, ask_move_pages, right_status,
};

const struct question mincore_range = {
	"mincore", 0, ask_mincore, right_mincore,
};

const struct question pagemap_scan = {
	"PAGEMAP_SCAN", FEATURE_SCAN, ask_scan, right_scan,
};

void question_init(void)
{
	struct pagenode_info info = { .size = sizeof(info) };
	struct scan nothing = { .size = sizeof(nothing) };

	device = open("/dev/pagenode", O_RDWR | O_CLOEXEC);
	if (device < 0)
		die("/dev/pagenode");
	if (ioctl(device, PAGENODE_IOC_INFO, &info))
		die("PAGENODE_IOC_INFO");
	features = info.features;
	pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (pagemap < 0)
		die("/proc/self/pagemap");
	if (!ioctl(pagemap, SCAN, &nothing) || errno != ENOTTY)
		features |= FEATURE_SCAN;
}

bool question_works(const struct question *question)
{
	return (features & question->feature) == question->feature;
}

bool question_asked_right(const struct question *question, struct buffer *b)
{
	question->ask(b);
	return question->right(b);
}
