// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command, asked about this very process, whose pages are known. Without
 * the module, unless this machine has it loaded.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#define PAGES		64
#define TOUCHED		16
#define READ		8
#define SPARSE		(64ULL << 30)
#define LONG		(3ULL << 30)

static size_t page_size;

/* Nothing that is mapped beside it has the same rights, and joins it. */
static char *map_room(size_t len)
{
	char *p = mmap(NULL, len + 2 * page_size, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	CHECK(p != MAP_FAILED);
	p += page_size;
	CHECK(!mprotect(p, len, PROT_READ | PROT_WRITE));
	madvise(p, len, MADV_NOHUGEPAGE);
	return p;
}

static void unmap(char *p, size_t len)
{
	munmap(p - page_size, len + 2 * page_size);
}

/* Sixteen pages, eight zero pages, and forty that nobody touched */
static char *known_pages(void)
{
	char *p = map_room(PAGES * page_size);
	size_t i;

	for (i = 0; i < TOUCHED; i++)
		p[i * page_size] = 1;
	for (; i < TOUCHED + READ; i++)
		(void)*(volatile char *)(p + i * page_size);
	return p;
}

/* The command of this program's own build, in the directory above */
static FILE *start_tool(const char *args)
{
	char path[512], line[1024];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;
	FILE *pipe;
	int i;

	CHECK(len > 0);
	path[len] = '\0';
	for (i = 0; i < 2; i++) {
		slash = strrchr(path, '/');
		CHECK(slash);
		*slash = '\0';
	}
	snprintf(line, sizeof(line), "'%s/pagenode' %s", path, args);
	pipe = popen(line, "re");
	CHECK(pipe);
	return pipe;
}

static json_t *json_of(const char *args)
{
	FILE *pipe = start_tool(args);
	json_error_t error;
	json_t *json = json_loadf(pipe, 0, &error);
	int status = pclose(pipe);

	if (!json)
		FAIL("pagenode %s: no JSON: %s", args, error.text);
	if (status)
		FAIL("pagenode %s: wait status %#x", args, status);
	return json;
}

static json_t *map_of_self(void)
{
	char args[64];

	snprintf(args, sizeof(args), "map --json %d", (int)getpid());
	return json_of(args);
}

static uint64_t number(const json_t *json, const char *key)
{
	const json_t *member = json_object_get(json, key);

	if (!json_is_integer(member))
		FAIL("no number \"%s\"", key);
	return (uint64_t)json_integer_value(member);
}

static uint64_t on_nodes(const json_t *json)
{
	json_t *nodes = json_object_get(json, "nodes"), *pages;
	const char *node;
	uint64_t sum = 0;

	CHECK(json_is_object(nodes));
	json_object_foreach(nodes, node, pages)
		sum += (uint64_t)json_integer_value(pages);
	return sum;
}

static json_t *mapping_at(const json_t *map, const char *start)
{
	json_t *list = json_object_get(map, "mappings"), *mapping;
	char address[32];
	size_t i;

	snprintf(address, sizeof(address), "0x%" PRIxPTR, (uintptr_t)start);
	json_array_foreach(list, i, mapping)
		if (!strcmp(json_string_value(json_object_get(mapping,
							      "start")),
			    address))
			return mapping;
	FAIL("no mapping at %s", address);
}

static void map_knows_the_pages(void)
{
	char *p = known_pages();
	json_t *map = map_of_self();
	json_t *mapping = mapping_at(map, p);

	CHECK_EQ(number(map, "pid"), getpid());
	CHECK_EQ(number(map, "page_bytes"), page_size);
	CHECK_EQ(number(mapping, "pages"), PAGES);
	CHECK_EQ(on_nodes(mapping), TOUCHED);
	CHECK_EQ(number(mapping, "zero"), READ);
	CHECK_EQ(number(mapping, "absent"), PAGES - TOUCHED - READ);
	CHECK(!strcmp(json_string_value(json_object_get(mapping, "perms")),
		      "rw-p"));
	json_decref(map);
	unmap(p, PAGES * page_size);
}

/* By the kernel's own count, which leaves the zero page out too */
static void map_agrees_with_numa_maps(void)
{
	FILE *file = fopen("/proc/self/numa_maps", "re");
	char *p = known_pages(), *line = NULL, *field;
	uint64_t sum = 0;
	size_t size = 0;
	json_t *map;

	if (!file)
		SKIP("this kernel has no /proc/self/numa_maps");
	map = map_of_self();
	while (getline(&line, &size, file) > 0) {
		if (strtoull(line, NULL, 16) != (uintptr_t)p)
			continue;
		for (field = line; (field = strstr(field, " N")); field++)
			sum += strtoull(strchr(field, '=') + 1, NULL, 10);
	}
	CHECK_EQ(sum, TOUCHED);
	CHECK_EQ(on_nodes(mapping_at(map, p)), sum);
	free(line);
	fclose(file);
	json_decref(map);
	unmap(p, PAGES * page_size);
}

static void totals_are_sums(void)
{
	static const char *const keys[] = { "pages", "zero", "absent" };
	json_t *map = map_of_self(), *mapping;
	json_t *list = json_object_get(map, "mappings");
	json_t *total = json_object_get(map, "total");
	uint64_t sum, all = 0;
	size_t i, key;

	for (key = 0; key < ARRAY_SIZE(keys); key++) {
		sum = 0;
		json_array_foreach(list, i, mapping)
			sum += number(mapping, keys[key]);
		CHECK_EQ(number(total, keys[key]), sum);
	}
	json_array_foreach(list, i, mapping) {
		CHECK_EQ(number(mapping, "pages"),
			 on_nodes(mapping) + number(mapping, "zero") +
			 number(mapping, "absent"));
		all += on_nodes(mapping);
	}
	CHECK_EQ(on_nodes(total), all);
	json_decref(map);
}

/* Asked about page by page this would take seconds, and with 1 TiB minutes. */
static void sparse_mappings_are_answered(void)
{
	static const uint64_t touched[] = { 0, SPARSE / 2, SPARSE - 1 };
	char *p = map_room(SPARSE);
	json_t *map, *mapping;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(touched); i++)
		p[touched[i]] = 1;
	map = map_of_self();
	mapping = mapping_at(map, p);
	CHECK_EQ(on_nodes(mapping), ARRAY_SIZE(touched));
	CHECK_EQ(number(mapping, "absent"),
		 SPARSE / page_size - ARRAY_SIZE(touched));
	json_decref(map);
	unmap(p, SPARSE);
}

static void query_args(char args[128], const char *options, const char *p)
{
	snprintf(args, 128, "query %s -p %d %" PRIxPTR "+%zu", options,
		 (int)getpid(), (uintptr_t)p, PAGES * page_size);
}

/* Before Linux 6.12 move_pages says of pages that nobody touched what it likes. */
static bool names_absent_pages(void)
{
	char *p = map_room(page_size);
	void *page = p;
	int status = 0;

	CHECK(!syscall(SYS_move_pages, 0, 1UL, &page, NULL, &status, 0));
	unmap(p, page_size);
	return status == -ENOENT;
}

static void check_extent(const json_t *extent, const char *p, size_t first,
			 size_t nr, const char *status)
{
	char start[32];

	snprintf(start, sizeof(start), "0x%" PRIxPTR,
		 (uintptr_t)p + first * page_size);
	CHECK(!strcmp(json_string_value(json_object_get(extent, "start")),
		      start));
	CHECK_EQ(number(extent, "pages"), nr);
	if (strcmp(json_string_value(json_object_get(extent, "status")),
		   status) != 0)
		FAIL("the extent at page %zu is not \"%s\"", first, status);
	CHECK_EQ(json_is_integer(json_object_get(extent, "node")),
		 !strcmp(status, "on a node"));
}

static void query_tells_extents(void)
{
	char *p = known_pages(), args[128];
	json_t *answer, *list;

	if (!names_absent_pages())
		SKIP("this kernel's move_pages(2) does not tell absent pages");
	query_args(args, "--json", p);
	answer = json_of(args);
	list = json_object_get(answer, "extents");
	CHECK_EQ(json_array_size(list), 3);
	check_extent(json_array_get(list, 0), p, 0, TOUCHED, "on a node");
	check_extent(json_array_get(list, 1), p, TOUCHED, READ,
		     "zero or unmapped");
	check_extent(json_array_get(list, 2), p, TOUCHED + READ,
		     PAGES - TOUCHED - READ, "absent");
	json_decref(answer);
	unmap(p, PAGES * page_size);
}

static void query_tells_pages(void)
{
	char *p = known_pages(), args[128];
	json_t *answer, *list, *page;
	size_t i, on_a_node = 0;

	query_args(args, "--pages --json", p);
	answer = json_of(args);
	list = json_object_get(answer, "pages");
	CHECK_EQ(json_array_size(list), PAGES);
	json_array_foreach(list, i, page)
		if (json_is_integer(json_object_get(page, "node")))
			on_a_node++;
	CHECK_EQ(on_a_node, TOUCHED);
	json_decref(answer);
	unmap(p, PAGES * page_size);
}

static void query_counts(void)
{
	char *p = known_pages(), args[128];
	json_t *answer;

	query_args(args, "--counts --json", p);
	answer = json_of(args);
	CHECK_EQ(on_nodes(answer), TOUCHED);
	CHECK_EQ(number(answer, "absent") + number(answer, "zero_or_unmapped"),
		 PAGES - TOUCHED);
	json_decref(answer);
	unmap(p, PAGES * page_size);
}

/* Each page that the range touches, and no other */
static void query_rounds_outward(void)
{
	char *p = known_pages(), args[128];
	json_t *answer;

	snprintf(args, sizeof(args), "query --counts --json -p %d %" PRIxPTR " 2",
		 (int)getpid(), (uintptr_t)p + page_size - 1);
	answer = json_of(args);
	CHECK_EQ(on_nodes(answer), 2);
	json_decref(answer);
	unmap(p, PAGES * page_size);
}

/* The command asks more than once, and nobody sees it. */
static void query_joins_its_answers(void)
{
	char *p = map_room(LONG), args[128];
	json_t *answer, *list;

	snprintf(args, sizeof(args), "query --json -p %d %" PRIxPTR " 3G",
		 (int)getpid(), (uintptr_t)p);
	answer = json_of(args);
	list = json_object_get(answer, "extents");
	CHECK_EQ(json_array_size(list), 1);
	CHECK_EQ(number(json_array_get(list, 0), "pages"), LONG / page_size);
	json_decref(answer);
	unmap(p, LONG);
}

static const struct test tests[] = {
	TEST(map_knows_the_pages),
	TEST(map_agrees_with_numa_maps),
	TEST(totals_are_sums),
	TEST(sparse_mappings_are_answered),
	TEST(query_tells_extents),
	TEST(query_tells_pages),
	TEST(query_counts),
	TEST(query_rounds_outward),
	TEST(query_joins_its_answers),
};

int main(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	return run_tests(tests, ARRAY_SIZE(tests));
}
