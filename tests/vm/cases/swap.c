// SPDX-License-Identifier: GPL-2.0-only
/* Where pages are swapped to: a device of compressed memory, or a file. */
#include "case.h"

#include <fcntl.h>
#include <sys/swap.h>

#define ZRAM		"/dev/zram0"
#define ZRAM_SIZE	(64UL << 20)

/* The header that mkswap writes, with one bad page: none. */
struct swap_header {
	char boot[1024];
	uint32_t version;
	uint32_t last_page;
	char rest[PAGE - 1024 - 8 - 10];
	char magic[10];
};

static void write_swap_header(int fd, size_t len)
{
	struct swap_header header = {
		.version = 1,
		.last_page = len / PAGE - 1,
		.magic = { 'S', 'W', 'A', 'P', 'S', 'P', 'A', 'C', 'E', '2' },
	};

	_Static_assert(sizeof(header) == PAGE, "a swap header is a page");
	if (pwrite(fd, &header, PAGE, 0) != PAGE)
		fail("writing the swap header: %s", strerror(errno));
	must(fsync(fd));
}

bool zram_swap_is_on(void)
{
	char buf[4096];

	read_file("/proc/swaps", buf, sizeof(buf));
	return strstr(buf, "/zram0");
}

void swap_off_zram(void)
{
	swapoff(ZRAM);
}

void want_swap(void)
{
	int fd;

	if (zram_swap_is_on())
		return;
	if (!have_path("/sys/block/zram0/disksize"))
		fail("no zram device to swap to: load the module zram");
	if (!read_number("/sys/block/zram0/disksize"))
		write_file("/sys/block/zram0/disksize", "64M");
	fd = must(open(ZRAM, O_WRONLY | O_CLOEXEC));
	write_swap_header(fd, ZRAM_SIZE);
	close(fd);
	must(swapon(ZRAM, 0));
}

/* The file has no name that lasts. */
static const char *fd_path(int fd)
{
	static char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

/* A file to swap to has no holes. */
void swap_on_file(int fd, size_t len)
{
	static const char zeroes[PAGE];
	size_t at;

	for (at = 0; at < len; at += PAGE)
		if (pwrite(fd, zeroes, PAGE, at) != PAGE)
			fail("filling the swap file: %s", strerror(errno));
	write_swap_header(fd, len);
	must(swapon(fd_path(fd), 0));
}

void swap_off_file(int fd)
{
	must(swapoff(fd_path(fd)));
}
