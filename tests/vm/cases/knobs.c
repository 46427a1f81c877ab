// SPDX-License-Identifier: GPL-2.0-only
/*
 * What cases change on the machine. The process that waits for the case notes
 * the old values before and puts them back after, however the case ends.
 */
#include "case.h"

#include <fcntl.h>
#include <unistd.h>

#define THP	"/sys/kernel/mm/transparent_hugepage/"
#define KSM	"/sys/kernel/mm/ksm/"
#define SCAN	"/sys/kernel/debug/sched/numa_balancing/"
#define OLDSCAN	"/proc/sys/kernel/numa_balancing_"
#define NODE	"/sys/devices/system/node/node%d"
#define NO_NODE	"/sys/kernel/mm"
#define POOL	"/hugepages/hugepages-2048kB/%s"

static struct knob {
	const char *path;
	char old[64];
} knobs[] = {
	{ .path = "/proc/sys/kernel/numa_balancing" },
	{ .path = SCAN "scan_delay_ms" },
	{ .path = SCAN "scan_period_min_ms" },
	{ .path = OLDSCAN "scan_delay_ms" },
	{ .path = OLDSCAN "scan_period_min_ms" },
	{ .path = THP "enabled" },
	{ .path = THP "use_zero_page" },
	{ .path = THP "defrag" },
	{ .path = KSM "run" },
	{ .path = KSM "sleep_millisecs" },
	{ .path = KSM "pages_to_scan" },
	{ .path = KSM "use_zero_pages" },
	{ .path = "/proc/sys/vm/nr_hugepages" },
	{ .path = "/proc/sys/vm/min_free_kbytes" },
};

#define NR_KNOBS (sizeof(knobs) / sizeof(knobs[0]))

static bool had_swap;

/* A list of choices has the one in force in brackets. */
static void keep_choice(char *value)
{
	char *open = strchr(value, '[');
	char *close = strchr(value, ']');

	if (open && close > open) {
		*close = '\0';
		memmove(value, open + 1, close - open);
	}
}

/* A kernel that is locked down lets nobody read debugfs. */
static bool can_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void knobs_save(void)
{
	size_t i;

	for (i = 0; i < NR_KNOBS; i++) {
		if (!can_read(knobs[i].path))
			continue;
		read_file(knobs[i].path, knobs[i].old, sizeof(knobs[i].old));
		keep_choice(knobs[i].old);
	}
	had_swap = zram_swap_is_on();
}

void knobs_restore(void)
{
	size_t i;

	for (i = 0; i < NR_KNOBS; i++)
		if (knobs[i].old[0])
			try_write(knobs[i].path, knobs[i].old);
	if (!had_swap && zram_swap_is_on())
		swap_off_zram();
}

bool have_numa_balancing(void)
{
	return have_path("/proc/sys/kernel/numa_balancing");
}

/* Scans as often as it can, if that may be said, so that nobody waits long. */
void set_numa_balancing(bool on)
{
	if (!have_numa_balancing())
		skip("this kernel has no NUMA balancing");
	try_write(SCAN "scan_delay_ms", "20");
	try_write(SCAN "scan_period_min_ms", "20");
	try_write(OLDSCAN "scan_delay_ms", "20");
	try_write(OLDSCAN "scan_period_min_ms", "20");
	write_file("/proc/sys/kernel/numa_balancing", on ? "1" : "0");
}

bool have_thp(void)
{
	return have_path(THP "enabled");
}

bool set_thp_madvise(void)
{
	if (!have_thp())
		return false;
	write_file(THP "enabled", "madvise");
	write_file(THP "defrag", "madvise");
	write_file(THP "use_zero_page", "1");
	return true;
}

void hugetlb_pool(int node, const char *file, char *path, size_t size)
{
	if (have_numa())
		snprintf(path, size, NODE POOL, node, file);
	else
		snprintf(path, size, NO_NODE POOL, file);
}

/* Adds to the pool, which knobs_restore() makes as small as it was. */
void want_hugetlb(int node, unsigned long pages)
{
	char path[128];
	char value[32];
	unsigned long have;

	hugetlb_pool(node, "nr_hugepages", path, sizeof(path));
	if (!have_path(path))
		fail("this kernel has no 2 MiB hugetlb pages");
	have = read_number(path);
	snprintf(value, sizeof(value), "%lu", have + pages);
	write_file(path, value);
	if (read_number(path) < have + pages)
		fail("node %d has no %lu free huge pages", node, pages);
}
