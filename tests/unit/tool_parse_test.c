// SPDX-License-Identifier: GPL-2.0-only
/*
 * What people type, what the kernel says of a process, and how sizes and shares
 * are shown.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "tools/bar.h"
#include "tools/maps.h"
#include "tools/size.h"

#define KIB	1024ULL
#define EIB	(1ULL << 60)

static void size_is(const char *text, uint64_t want)
{
	uint64_t got = ~want;

	if (size_parse(text, &got))
		FAIL("\"%s\": %s", text, strerror(errno));
	if (got != want)
		FAIL("\"%s\" is %ju, not %ju", text, (uintmax_t)got,
		     (uintmax_t)want);
}

static void sizes(void)
{
	size_is("0", 0);
	size_is("4096", 4096);
	size_is("0x1000", 4096);
	size_is("0X1fF", 0x1ff);
	size_is("4K", 4096);
	size_is("4k", 4096);
	size_is("4KB", 4096);
	size_is("4KiB", 4096);
	size_is("512B", 512);
	size_is("2G", 2 * KIB * KIB * KIB);
	size_is("1.5G", 3 * KIB * KIB * KIB / 2);
	size_is("0.25K", 256);
	size_is("100T", 100ULL << 40);
	size_is("1P", 1ULL << 50);
	size_is("15E", 15 * EIB);
	size_is("18446744073709551615", UINT64_MAX);
	size_is("0xffffffffffffffff", UINT64_MAX);
}

static void size_fails(const char *text, int want)
{
	uint64_t size;

	errno = 0;
	if (!size_parse(text, &size))
		FAIL("\"%s\" was taken for %ju", text, (uintmax_t)size);
	if (errno != want)
		FAIL("\"%s\": %s, not %s", text, strerror(errno),
		     strerror(want));
}

static void bad_sizes(void)
{
	static const char *const bad[] = {
		"", " 4K", "4 K", "4K ", "-1", "+1", "K", "x", "0x", "0xg",
		"4KK", "4KiBs", "4iB", "4Z", "1.5", "1.", ".5K", "1..5K",
		"1.5.5K", "0x10K", "4e3", "1,5K", "4\n",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		size_fails(bad[i], EINVAL);
	size_fails("18446744073709551616", ERANGE);
	size_fails("0x10000000000000000", ERANGE);
	size_fails("16E", ERANGE);
	size_fails("15.9999999999E", EINVAL);
	size_fails("17179869184G", ERANGE);
}

static void range_is(const char *text, uint64_t start, uint64_t end)
{
	struct range range;

	if (range_parse(text, &range))
		FAIL("\"%s\": %s", text, strerror(errno));
	if (range.start != start || range.end != end)
		FAIL("\"%s\" is %jx-%jx", text, (uintmax_t)range.start,
		     (uintmax_t)range.end);
}

static void range_fails(const char *text, int want)
{
	struct range range;

	errno = 0;
	if (!range_parse(text, &range))
		FAIL("\"%s\" was taken for %jx-%jx", text,
		     (uintmax_t)range.start, (uintmax_t)range.end);
	if (errno != want)
		FAIL("\"%s\": %s, not %s", text, strerror(errno),
		     strerror(want));
}

static void ranges(void)
{
	range_is("7f0000000000-7f0000200000", 0x7f0000000000, 0x7f0000200000);
	range_is("0x1000-0x2000", 0x1000, 0x2000);
	range_is("1000+4K", 0x1000, 0x2000);
	range_is("0x1000+0x1000", 0x1000, 0x2000);
	/* A size is decimal, an address is not. */
	range_is("10+10", 0x10, 0x1a);
	range_is("0-0", 0, 0);
	range_is("0-ffffffffffffffff", 0, UINT64_MAX);
	range_fails("", EINVAL);
	range_fails("1000", EINVAL);
	range_fails("1000-", EINVAL);
	range_fails("-1000", EINVAL);
	range_fails("2000-1000", EINVAL);
	range_fails("1000-2000-3000", EINVAL);
	range_fails("1000-2000 ", EINVAL);
	range_fails("1000+", EINVAL);
	range_fails("1000+4Q", EINVAL);
	range_fails("1000--2000", EINVAL);
	range_fails("xyz-2000", EINVAL);
	range_fails("10000000000000000-1", ERANGE);
	range_fails("1-10000000000000000", ERANGE);
	range_fails("ffffffffffffffff+1", ERANGE);
}

static void start_and_size(void)
{
	struct range range;

	CHECK_EQ(range_of("0x1000", "8K", &range), 0);
	CHECK_EQ(range.start, 0x1000);
	CHECK_EQ(range.end, 0x3000);
	CHECK_EQ(range_of("0x1000", "8Q", &range), -1);
	CHECK_EQ(range_of("0x1000-", "8K", &range), -1);
	CHECK_EQ(range_of("fffffffffffff000", "4K", &range), -1);
	CHECK_EQ(errno, ERANGE);
}

static void process_ids(void)
{
	uint64_t number;

	CHECK_EQ(number_parse("4194304", &number), 0);
	CHECK_EQ(number, 4194304);
	CHECK_EQ(number_parse("010", &number), 0);
	CHECK_EQ(number, 10);
	CHECK_EQ(number_parse("0x10", &number), -1);
	CHECK_EQ(number_parse("-1", &number), -1);
	CHECK_EQ(number_parse("1 ", &number), -1);
	CHECK_EQ(number_parse("", &number), -1);
}

static void shown_as(uint64_t size, const char *want)
{
	char text[SIZE_TEXT];

	if (strcmp(size_text(text, size), want) != 0)
		FAIL("%ju is shown as %s, not %s", (uintmax_t)size, text, want);
}

static void shown_sizes(void)
{
	shown_as(0, "0");
	shown_as(512, "512");
	shown_as(4096, "4K");
	shown_as(1023 * KIB, "1023K");
	shown_as(1536, "1.50K");
	shown_as(KIB * KIB, "1M");
	shown_as(KIB * KIB + 4096, "1.00M");
	shown_as(12 * KIB * KIB + 512 * KIB, "12.5M");
	shown_as(100 * KIB * KIB + 512 * KIB, "101M");
	shown_as(100 * KIB * KIB * KIB, "100G");
	shown_as(UINT64_MAX, "16.0E");
}

static struct maps maps_from(const char *text)
{
	FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	struct maps maps = { NULL, 0 };

	CHECK(file);
	CHECK_EQ(maps_read(&maps, file), 0);
	fclose(file);
	return maps;
}

static void mappings(void)
{
	static const char text[] =
		"55d0c8a00000-55d0c8a21000 r-xp 00002000 fd:01 1234       /usr/bin/with space\n"
		"7f0000000000-7f0000001000 rw-p 00000000 00:00 0\n"
		"7f0000001000-7f0000002000 rw-s 00000000 00:01 77         /dev/zero (deleted)\n"
		"7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                          [stack]\n"
		"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]\n";
	struct maps maps = maps_from(text);

	/* The kernel's page at the top is not the process's. */
	CHECK_EQ(maps.nr, 4);
	CHECK_EQ(maps.list[0].range.start, 0x55d0c8a00000);
	CHECK_EQ(maps.list[0].range.end, 0x55d0c8a21000);
	CHECK_EQ(maps.list[0].offset, 0x2000);
	CHECK(!strcmp(maps.list[0].perms, "r-xp"));
	CHECK(!strcmp(maps.list[0].name, "/usr/bin/with space"));
	CHECK(!strcmp(maps.list[1].name, ""));
	CHECK(!strcmp(maps.list[2].name, "/dev/zero (deleted)"));
	CHECK(!strcmp(maps.list[3].name, "[stack]"));
	maps_free(&maps);
}

static void broken_maps(void)
{
	static const char *const bad[] = {
		"nonsense\n",
		"1000-2000\n",
		"1000-2000 rw-p\n",
		"1000-2000 rw-p 00000000 00:00\n",
	};
	struct maps maps;
	FILE *file;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		file = fmemopen((void *)(uintptr_t)bad[i], strlen(bad[i]), "r");
		CHECK(file);
		if (!maps_read(&maps, file))
			FAIL("taken for mappings: %s", bad[i]);
		CHECK_EQ(maps.nr, 0);
		fclose(file);
	}
}

/* A file may be called what it likes. */
static void names_are_safe_to_print(void)
{
	static const char *const names[][2] = {
		{ "a\033[31mb\177\tc", "a?[31mb??c" },
		{ "caf\303\251", "caf\303\251" },
		{ "caf\351 \303\251", "caf? ??" },
		{ "c1 \302\233 \302\240", "c1 ?? \302\240" },
		{ "", "" },
	};
	char text[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(text, sizeof(text), "%s", names[i][0]);
		text_make_safe(text);
		if (strcmp(text, names[i][1]) != 0)
			FAIL("name %zu became \"%s\"", i, text);
	}
}

#define NODES	40

static void bar_is(const uint64_t *pages, const char *want)
{
	struct placement p = { .nr_nodes = NODES };
	struct tally tally = { .node = (uint64_t *)(uintptr_t)pages };
	char cells[BAR_CELLS + 1];

	bar_cells(cells, &p, &tally);
	if (strcmp(cells, want) != 0)
		FAIL("the bar is \"%s\", not \"%s\"", cells, want);
}

static void bars(void)
{
	uint64_t crowd[NODES];
	size_t i;

	bar_is((uint64_t[NODES]) { 0 }, "                ");
	bar_is((uint64_t[NODES]) { 1 }, "0000000000000000");
	bar_is((uint64_t[NODES]) { 5, 5 }, "0000000011111111");
	bar_is((uint64_t[NODES]) { 1, 3 }, "0000111111111111");
	bar_is((uint64_t[NODES]) { [11] = 1, [39] = 1 }, "bbbbbbbb++++++++");
	/* Few pages are seen too, and no more than are there. */
	bar_is((uint64_t[NODES]) { 1ULL << 50, 1 }, "0000000000000001");
	bar_is((uint64_t[NODES]) { 1, 1, 1ULL << 50 }, "0122222222222222");
	bar_is((uint64_t[NODES]) { 1, 1, 1 }, "0000001111122222");
	for (i = 0; i < NODES; i++)
		crowd[i] = i;
	bar_is(crowd, "123456789abcdefg");
}

static const struct test tests[] = {
	TEST(sizes),
	TEST(bad_sizes),
	TEST(ranges),
	TEST(start_and_size),
	TEST(process_ids),
	TEST(shown_sizes),
	TEST(mappings),
	TEST(broken_maps),
	TEST(names_are_safe_to_print),
	TEST(bars),
};

int main(void)
{
	return run_tests(tests, ARRAY_SIZE(tests));
}
