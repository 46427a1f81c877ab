/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every case uses: how it ends, the machine's knobs and counters, memory
 * put where the case wants it.
 *
 * A case ends with fail() or skip(), or passes by returning. Each prints one
 * line, and the last line printed is the reason or the note that the rig shows.
 */
#ifndef CASE_H
#define CASE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE		4096UL
#define HUGE		(2UL << 20)
#define HUGE_PAGES	(HUGE / PAGE)
#define EXIT_SKIP	77

struct test_case {
	const char *name;
	void (*run)(void);
};

/* One table a theme, each ended by an empty entry. */
extern const struct test_case abi_cases[];
extern const struct test_case abi_memory_cases[];
extern const struct test_case bounds_memory_cases[];
extern const struct test_case bounds_number_cases[];
extern const struct test_case bounds_time_cases[];
extern const struct test_case compat_cases[];
extern const struct test_case container_cases[];
extern const struct test_case counts_cases[];
extern const struct test_case crash_cases[];
extern const struct test_case example_cases[];
extern const struct test_case extents_cases[];
extern const struct test_case faults_ioctl_cases[];
extern const struct test_case faults_memory_cases[];
extern const struct test_case hugetlb_share_cases[];
extern const struct test_case library_cases[];
extern const struct test_case library_absent_cases[];
extern const struct test_case library_process_cases[];
extern const struct test_case library_zoo_cases[];
extern const struct test_case limit_cases[];
extern const struct test_case mmfd_cases[];
extern const struct test_case mmfd_files_cases[];
extern const struct test_case mmfd_load_cases[];
extern const struct test_case mmfd_race_cases[];
extern const struct test_case mmfd_refs_cases[];
extern const struct test_case mmfd_rights_cases[];
extern const struct test_case mmfd_targets_cases[];
extern const struct test_case module_cases[];
extern const struct test_case netlink_cases[];
extern const struct test_case nonuma_cases[];
extern const struct test_case numa_cases[];
extern const struct test_case pages_cases[];
extern const struct test_case race_cases[];
extern const struct test_case repeats_cases[];
extern const struct test_case shapes_abi_cases[];
extern const struct test_case special_cases[];
extern const struct test_case device_goes_cases[];
extern const struct test_case status_cases[];
extern const struct test_case thp_race_cases[];
extern const struct test_case tool_bench_cases[];
extern const struct test_case tool_doctor_cases[];
extern const struct test_case tool_many_cases[];
extern const struct test_case tool_map_cases[];
extern const struct test_case tool_stats_cases[];
extern const struct test_case topology_cases[];
extern const struct test_case trace_cases[];
extern const struct test_case unload_race_cases[];
extern const struct test_case zoo_cases[];

/* result.c: how a case ends */
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void fail(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void skip(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));
/* Runs @fn in a child and returns how it ended. */
int run_in_child(void (*fn)(void *arg), void *arg);
/* The same; if it fails or skips, so does the case. */
void in_child(void (*fn)(void *arg), void *arg);

/* Fails the case if a system call does. */
#define must(call) must_say((long)(call), #call)
long must_say(long ret, const char *what);

/* parallel.c: threads, and memory that processes share */
pthread_t start_thread(void *(*fn)(void *arg), void *arg);
/* Zeroed, and shared with the children to come */
void *map_shared(size_t len);

/* system.c: the kernel's version, files and counters */
bool kernel_at_least(int major, int minor);
bool have_path(const char *path);
int try_write(const char *path, const char *value);
void write_file(const char *path, const char *value);
void read_file(const char *path, char *buf, size_t size);
unsigned long read_number(const char *path);
unsigned long vmstat(const char *name);

struct faults {
	unsigned long minor;
	unsigned long major;
	unsigned long rss;
};

struct faults own_faults(void);

/* Without it there are no system calls about nodes, and all is node 0. */
bool have_numa(void);
void need_move_pages(void);
/* The nodes that have memory; node_b() is node_a() on a machine with one. */
int nr_nodes(void);
int node_a(void);
int node_b(void);
bool is_node(int id);

/*
 * memory.c: mappings, and pages put on a node. They lie in a stretch of address
 * space that nothing else uses, with holes before and after that stay holes.
 */
void *quiet_room(size_t len);
/* No huge pages there, where the kernel has them at all. */
void no_thp(void *addr, size_t len);
void *map_anon(size_t len);
void *map_huge_aligned(size_t len);
void *map_thp(size_t len);
void touch(void *addr, size_t len);
void touch_on(int node, void *addr, size_t len);
void read_touch(const void *addr, size_t len);
void bind_task(int node);
void unbind_task(void);
void bind_range(int node, void *addr, size_t len);
int new_memfd(size_t len, unsigned int flags);
void *map_repeated(size_t len);

/* knobs.c: what a case may change on the machine, undone when it ends */
void knobs_save(void);
void knobs_restore(void);
bool have_numa_balancing(void);
void set_numa_balancing(bool on);
bool have_thp(void);
/* False where the kernel has no transparent huge pages. */
bool set_thp_madvise(void);
/* The path of @file of the node's pool of 2 MiB pages. */
void hugetlb_pool(int node, const char *file, char *path, size_t size);
void want_hugetlb(int node, unsigned long pages);

/* swap.c: where pages are swapped to */
bool zram_swap_is_on(void);
void swap_off_zram(void);
void want_swap(void);
void swap_on_file(int fd, size_t len);
void swap_off_file(int fd);

/*
 * file.c: a file of @len bytes, alone in a file system that lasts as long as it
 * is open.
 */
int new_file_in(const char *device, const char *type, const char *options,
		size_t len);
/* The same, on the persistent memory that one of the guests has. */
bool have_pmem(void);
int new_pmem_file(const char *options, size_t len);

/* pageflags.c: what the kernel says a page is: /proc/PID/pagemap */
#define PF_SWAPPED	(1ULL << 62)
#define PF_PRESENT	(1ULL << 63)
void pagemap_entries(const void *addr, uint64_t *entry, size_t nr);
/* 0 if no page is present. */
uint64_t pagemap_pfn(uint64_t entry);
bool page_is(const void *addr, int kpf);
#define KPF_HWPOISON	19
#define KPF_KSM		21
#define KPF_THP		22
#define KPF_ZERO_PAGE	24

/* numa.c: on any CPU of @node, and on @cpu. A node without one skips the case. */
void run_on(int node);
void run_on_cpu(int cpu);

/* reclaim.c: pages swapped out and merged */
void swap_out(void *addr, size_t len);
void ksm_merge(void *addr, size_t len, bool zero);

/* Constants that the C library's headers may be too old for. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ	22
#endif
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL	102
#endif

#endif /* CASE_H */
