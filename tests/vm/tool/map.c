// SPDX-License-Identifier: GPL-2.0-only
/* "map" and "query" of processes whose placement is known. */
#include "tool.h"

#include <grp.h>
#include <signal.h>
#include <sys/wait.h>

#define SMALL	(64 * PAGE)

/* What the command must say of a mapping */
struct want {
	const char *what;
	char *start;
	uint64_t pages;
	uint64_t on_a;
	uint64_t on_b;
	uint64_t zero;
	uint64_t by_4k;
	uint64_t by_2m;
};

#define MAX_WANTED 16

static struct want wanted[MAX_WANTED];
static size_t nr_wanted;

/* A mapping whose pages are all absent, until the caller says otherwise */
static struct want *want(const char *what, char *start, uint64_t pages)
{
	struct want *w = &wanted[nr_wanted++];

	w->what = what;
	w->start = start;
	w->pages = pages;
	return w;
}

static void make_small(void)
{
	char *p = map_anon(SMALL);
	struct want *w = want("4K on one node", p, 64);

	touch_on(node_a(), p, SMALL);
	w->on_a = 64;
	w->by_4k = 64;

	p = map_anon(SMALL);
	touch_on(node_a(), p, 8 * PAGE);
	touch_on(node_b(), p + 40 * PAGE, 16 * PAGE);
	w = want("4K on two", p, 64);
	w->on_a = 8;
	w->on_b = 16;
	w->by_4k = 24;

	p = map_anon(SMALL);
	touch_on(node_b(), p, PAGE);
	read_touch(p + 10 * PAGE, 10 * PAGE);
	w = want("4K and zero pages", p, 64);
	w->on_b = 1;
	w->zero = 10;
	w->by_4k = 11;

	want("untouched", map_anon(SMALL), 64);
}

/* A hole makes two mappings of one. */
static void make_hole(void)
{
	char *p = map_anon(SMALL);
	struct want *w = want("before a hole", p, 20);

	touch_on(node_b(), p, SMALL);
	must(munmap(p + 20 * PAGE, 4 * PAGE));
	w->on_b = 20;
	w->by_4k = 20;
	w = want("after a hole", p + 24 * PAGE, 40);
	w->on_b = 40;
	w->by_4k = 40;
}

static void make_thp(void)
{
	char *p = map_thp(4 * HUGE);
	struct want *w = want("THP", p, 4 * HUGE_PAGES);

	touch_on(node_b(), p, 2 * HUGE);
	w->on_b = 2 * HUGE_PAGES;
	w->by_2m = 2 * HUGE_PAGES;

	p = map_thp(2 * HUGE);
	read_touch(p, HUGE);
	w = want("the huge zero page", p, 2 * HUGE_PAGES);
	w->zero = HUGE_PAGES;
	w->by_2m = HUGE_PAGES;
}

static void make_hugetlb(void)
{
	char *p = map_repeated(2 * HUGE);
	struct want *w = want("hugetlb", p, HUGE_PAGES);

	touch(p, HUGE);
	w->on_a = HUGE_PAGES;
	w->by_2m = HUGE_PAGES;
}

static void make_shared(void)
{
	int fd = new_memfd(SMALL, 0);
	char *p = quiet_room(SMALL);
	struct want *w = want("shmem", p, 64);

	must((long)mmap(p, SMALL, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0));
	close(fd);
	touch_on(node_b(), p, 12 * PAGE);
	w->on_b = 12;
	w->by_4k = 12;
}

static void make_all(void)
{
	make_small();
	make_hole();
	if (set_thp_madvise())
		make_thp();
	make_hugetlb();
	make_shared();
}

static void same(const struct want *w, const char *key, uint64_t got,
		 uint64_t right)
{
	if (got != right)
		fail("%s: %s is %llu, not %llu", w->what, key,
		     (unsigned long long)got, (unsigned long long)right);
}

/* Without the module nobody knows by which sizes memory is mapped. */
static void check_mapping(const json_t *map, const struct want *w, bool sizes)
{
	json_t *m = mapping_at(map, w->start);
	json_t *by = member(m, "mapped_by");
	bool apart = node_a() != node_b();

	same(w, "pages", number(m, "pages"), w->pages);
	same(w, "zero", number(m, "zero"), w->zero);
	same(w, "absent", number(m, "absent"),
	     w->pages - w->on_a - w->on_b - w->zero);
	same(w, "node a", on_node(m, node_a()),
	     apart ? w->on_a : w->on_a + w->on_b);
	if (apart)
		same(w, "node b", on_node(m, node_b()), w->on_b);
	if (json_is_object(by) != sizes)
		fail("mapped_by is%s null", sizes ? "" : " not");
	same(w, "4K", number_or_0(by, "4096"), sizes ? w->by_4k : 0);
	same(w, "2M", number_or_0(by, "2097152"), sizes ? w->by_2m : 0);
}

static void check_map(pid_t pid, bool fast)
{
	json_t *map = tool_json(0, "map --json %d", pid);
	size_t i;

	if (json_is_true(member(map, "module")) != fast)
		fail("the module answered, or did not");
	for (i = 0; i < nr_wanted; i++)
		check_mapping(map, &wanted[i], fast);
	json_decref(map);
}

static void map_known(void)
{
	make_all();
	check_map(getpid(), true);
}

static void check_parent(void)
{
	check_map(getppid(), false);
}

static void map_fallback(void)
{
	need_move_pages();
	make_all();
	without_module(check_parent);
}

/* Of base pages, as one line of numa_maps says: hugetlb's are in huge ones. */
static uint64_t numa_maps_on(const char *line, int node)
{
	const char *size = strstr(line, "kernelpagesize_kB=");
	char key[16];
	const char *found;

	snprintf(key, sizeof(key), " N%d=", node);
	found = strstr(line, key);
	if (!found)
		return 0;
	return strtoull(found + strlen(key), NULL, 10) *
	       (size ? strtoull(strchr(size, '=') + 1, NULL, 10) / 4 : 1);
}

/*
 * The kernel's own page of code is reserved, which numa_maps leaves out. On old
 * kernels it leaves out marked pages too: balancing is off.
 */
static bool comparable(const json_t *mapping)
{
	return strncmp(text(mapping, "name"), "[v", 2);
}

static size_t compare(const json_t *map, FILE *numa_maps)
{
	static char line[4096];
	size_t nr = 0;

	while (fgets(line, sizeof(line), numa_maps)) {
		char *start = (char *)strtoull(line, NULL, 16);
		json_t *m = mapping_at(map, start);
		struct want w = { .what = text(m, "name") };

		if (!comparable(m))
			continue;
		same(&w, "node a", on_node(m, node_a()),
		     numa_maps_on(line, node_a()));
		same(&w, "node b", on_node(m, node_b()),
		     numa_maps_on(line, node_b()));
		nr++;
	}
	return nr;
}

static void map_numa_maps(void)
{
	char path[40];
	int status;
	FILE *file;
	json_t *map;
	pid_t pid;
	size_t nr;

	if (!have_numa())
		skip("this kernel has no numa_maps");
	make_all();
	pid = must(fork());
	if (!pid) {
		touch(wanted[0].start, SMALL);
		pause();
	}
	must(kill(pid, SIGSTOP));
	must(waitpid(pid, &status, WUNTRACED));
	map = tool_json(0, "map --json %d", pid);
	snprintf(path, sizeof(path), "/proc/%d/numa_maps", pid);
	file = fopen(path, "re");
	if (!file)
		fail("%s: %s", path, strerror(errno));
	nr = compare(map, file);
	kill(pid, SIGKILL);
	if (nr < nr_wanted)
		fail("%zu mappings, fewer than were made", nr);
	note("%zu mappings", nr);
}

static void check_counts(const struct want *w)
{
	json_t *c = tool_json(0, "query --counts --json -p %d %lx+%lu",
			      getpid(), (unsigned long)w->start,
			      w->pages * PAGE);

	if (node_a() != node_b()) {
		same(w, "node a", on_node(c, node_a()), w->on_a);
		same(w, "node b", on_node(c, node_b()), w->on_b);
	}
	same(w, "zero", number(c, "zero_or_unmapped"), w->zero);
	same(w, "absent", number(c, "absent"),
	     w->pages - w->on_a - w->on_b - w->zero);
	json_decref(c);
}

static bool alike(const json_t *a, const json_t *b)
{
	return !strcmp(text(a, "status"), text(b, "status")) &&
	       json_equal(member(a, "node"), member(b, "node")) &&
	       json_equal(member(a, "mapped_by"), member(b, "mapped_by"));
}

/* Extents follow each other, and no two that do are alike. */
static void check_extents(const struct want *w)
{
	json_t *answer = tool_json(0, "query --json -p %d %lx+%lu", getpid(),
				   (unsigned long)w->start, w->pages * PAGE);
	json_t *list = member(answer, "extents");
	uint64_t placed = 0, next = (uintptr_t)w->start;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		json_t *extent = json_array_get(list, i);

		same(w, "start", strtoull(text(extent, "start"), NULL, 16),
		     next);
		next += number(extent, "pages") * PAGE;
		if (json_is_integer(member(extent, "node")))
			placed += number(extent, "pages");
		if (i && alike(json_array_get(list, i - 1), extent))
			fail("%s: two extents are one", w->what);
	}
	same(w, "the end", next, (uintptr_t)w->start + w->pages * PAGE);
	same(w, "pages on nodes", placed, w->on_a + w->on_b);
	json_decref(answer);
}

static void query_known(void)
{
	size_t i;

	make_all();
	for (i = 0; i < nr_wanted; i++) {
		check_counts(&wanted[i]);
		check_extents(&wanted[i]);
	}
}

static void become_nobody(void)
{
	must(setgroups(0, NULL));
	must(setgid(65534));
	must(setuid(65534));
}

/* Root's process is out of bounds, one's own is not. */
static void map_rights(void)
{
	pid_t roots = getppid(), own;
	char out[512];
	int status;

	need_move_pages();
	become_nobody();
	status = tool(out, sizeof(out), "map %d 2>&1", roots);
	if (status != 1 || !strstr(out, "not permitted"))
		fail("root's process: exit status %d: %s", status, out);
	own = must(fork());
	if (!own) {
		execl("/bin/sleep", "sleep", "100", NULL);
		_exit(1);
	}
	while (strcmp(out, "sleep\n") != 0) {
		char path[32];

		snprintf(path, sizeof(path), "/proc/%d/comm", own);
		read_file(path, out, sizeof(out));
	}
	json_decref(tool_json(0, "map --json %d", own));
	kill(own, SIGKILL);
}

const struct test_case tool_map_cases[] = {
	{ "tool-map-known", map_known },
	{ "tool-map-fallback", map_fallback },
	{ "tool-map-numa-maps", map_numa_maps },
	{ "tool-map-rights", map_rights },
	{ "tool-query-known", query_known },
	{ NULL, NULL },
};
