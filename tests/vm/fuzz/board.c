// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

struct board args = { .pages = "-ww-wrr-w.w-" };
struct board lists = { .pages = "-wwwwww-wr-w.w-" };
struct board outs = { .pages = "-ww-wrr-w.w-" };

static struct board *const boards[] = { &args, &lists, &outs };

#define NR_BOARDS	(sizeof(boards) / sizeof(boards[0]))

static void open_page(const struct board *b, size_t i, int fd)
{
	char *p = b->view + i * PAGE;
	char page = b->pages[i];
	int prot = page == 'w' ? PROT_READ | PROT_WRITE :
		   page == 'r' ? PROT_READ : PROT_NONE;

	if (page != '.')
		must((long)mmap(p, PAGE, prot, MAP_SHARED | MAP_FIXED_NOREPLACE,
				fd, i * PAGE));
}

static void board_open(struct board *b)
{
	size_t i, nr = strlen(b->pages);
	int fd = new_memfd(nr * PAGE, 0);

	b->size = nr * PAGE;
	b->view = quiet_room(b->size);
	b->alias = mmap(NULL, b->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			0);
	must((long)b->alias);
	b->shadow = malloc(b->size);
	for (i = 0; i < nr; i++)
		open_page(b, i, fd);
	close(fd);
	memset(b->alias, 0x5a, b->size);
}

void boards_open(void)
{
	size_t i;

	for (i = 0; i < NR_BOARDS; i++)
		board_open(boards[i]);
}

bool on_board(const struct board *b, uint64_t addr, uint64_t len)
{
	uint64_t offset = addr - (uintptr_t)b->view;

	return offset < b->size && len <= b->size - offset;
}

uint64_t choose_place(struct input *in, const struct board *b, uint64_t len)
{
	uint64_t offset = (1 + take_below(in, strlen(b->pages))) * PAGE;

	if (len > 2 * PAGE)
		len = 2 * PAGE;
	switch (take_below(in, 6)) {
	case 1:
		offset -= len;
		break;
	case 2:
		offset -= len ? take(in, 2) % len : 0;
		break;
	case 3:
		offset += take(in, 2) % PAGE;
		break;
	case 4:
		offset += take(in, 2) % PAGE & -8UL;
		break;
	case 5:
		offset = PAGE;
		break;
	}
	if (offset >= b->size)
		offset = PAGE;
	return (uintptr_t)b->view + offset;
}

uint64_t choose_bad(struct input *in)
{
	static const uint64_t bad[] = {
		0, 1, 8, PAGE, 8 * PAGE - 8,
		(1UL << 47) - PAGE, (1UL << 47) - 8, 1UL << 47, 1UL << 56,
		0xffff800000000000, 0xffff888000000000, 0xffffffff81000000,
		0xffffffffff600000, -80UL, -8UL, -1UL,
	};

	return TAKE_FROM(in, bad);
}

/* Is each page of these bytes one of the @letters? */
static bool board_is(const struct board *b, uint64_t addr, uint64_t len,
		     const char *letters)
{
	size_t first = (addr - (uintptr_t)b->view) / PAGE;
	size_t last = (addr + len - 1 - (uintptr_t)b->view) / PAGE;

	for (; first <= last; first++)
		if (!strchr(letters, b->pages[first]))
			return false;
	return true;
}

/* Larger than a run that the module stores in one piece */
#define BIG	(8UL << 20)

uint64_t big_place(void)
{
	static char *big;

	if (!big) {
		big = map_huge_aligned(BIG + PAGE);
		must(munmap(big + BIG, PAGE));
	}
	return (uintptr_t)big;
}

static bool can(uint64_t addr, uint64_t len, const char *letters)
{
	uint64_t offset = addr - big_place();
	size_t i;

	for (i = 0; len && i < NR_BOARDS; i++)
		if (on_board(boards[i], addr, len))
			return board_is(boards[i], addr, len, letters);
	return !len || (offset < BIG && len <= BIG - offset);
}

bool can_read(uint64_t addr, uint64_t len)
{
	return can(addr, len, "wr");
}

bool can_write(uint64_t addr, uint64_t len)
{
	return can(addr, len, "w");
}

char *board_at(const struct board *b, uint64_t addr)
{
	return b->alias + (addr - (uintptr_t)b->view);
}

static size_t clip(const struct board *b, uint64_t addr, size_t len)
{
	size_t left = b->size - (addr - (uintptr_t)b->view);

	return len < left ? len : left;
}

void board_put(const struct board *b, uint64_t addr, const void *from,
	       size_t len)
{
	memcpy(board_at(b, addr), from, clip(b, addr, len));
}

void board_get(const struct board *b, uint64_t addr, void *to, size_t len)
{
	memcpy(to, board_at(b, addr), clip(b, addr, len));
}

void memory_get(uint64_t addr, void *to, size_t len)
{
	size_t i;

	for (i = 0; i < NR_BOARDS; i++) {
		if (on_board(boards[i], addr, 0)) {
			board_get(boards[i], addr, to, len);
			return;
		}
	}
	memcpy(to, (const void *)addr, len);
}

void boards_save(void)
{
	size_t i;

	for (i = 0; i < NR_BOARDS; i++)
		memcpy(boards[i]->shadow, boards[i]->alias, boards[i]->size);
}

void boards_allow(uint64_t addr, uint64_t len)
{
	size_t i, at;

	for (i = 0; i < NR_BOARDS; i++) {
		if (!on_board(boards[i], addr, 0))
			continue;
		at = addr - (uintptr_t)boards[i]->view;
		memcpy(boards[i]->shadow + at, boards[i]->alias + at,
		       clip(boards[i], addr, len));
	}
}

void boards_check(void)
{
	const struct board *b;
	size_t i, at;

	for (i = 0; i < NR_BOARDS; i++) {
		b = boards[i];
		if (!memcmp(b->shadow, b->alias, b->size))
			continue;
		for (at = 0; b->shadow[at] == b->alias[at]; at++)
			;
		wrong("byte %zu of page %zu of board %zu was written",
		      at % PAGE, at / PAGE, i);
	}
}
