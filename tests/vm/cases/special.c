// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 11 to 13 and 20a: memory in special states. Each is a zoo with that
 * animal alone.
 */
#include "case.h"

#include <linux/mman.h>

#include "zoo.h"

static void check_alone(build_fn *build)
{
	struct zoo *z = zoo_open();

	build(z);
	zoo_check(z);
}

static void case11_ksm(void)
{
	if (!have_path("/sys/kernel/mm/ksm/run"))
		skip("this kernel has no KSM");
	check_alone(zoo_ksm);
}

static void case11_mlocked(void)
{
	char *p = map_anon(16 * PAGE);

	must(mlock(p, 8 * PAGE));
	expect("mlocked", p, 8, NORMAL, ANY_NODE);
	touch_on(node_b(), p + 8 * PAGE, 8 * PAGE);
	must(mlock(p + 8 * PAGE, 8 * PAGE));
	expect("touched, then mlocked", p + 8 * PAGE, 8, NORMAL, node_b());
}

static void case11_secretmem(void)
{
	struct zoo *z = zoo_open();

	zoo_secretmem(z);
	if (zoo_lacks(z, SECRET))
		skip("this kernel gives no secretmem: %s",
		     zoo_lacks(z, SECRET));
	zoo_check(z);
}

static void case12_userfaultfd(void)
{
	check_alone(zoo_uffd);
}

static void case12_userfaultfd_protected(void)
{
	check_alone(zoo_uffd_wp);
}

static void case13_device_memory(void)
{
	struct zoo *z = zoo_open();

	zoo_pci_bar(z);
	if (zoo_lacks(z, NO_STRUCT_PAGE))
		skip("this machine has %s", zoo_lacks(z, NO_STRUCT_PAGE));
	zoo_check(z);
}

static void case20a_swap_beside_prot_none(void)
{
	check_alone(zoo_swapped);
}

static void case20a_dev_zero(void)
{
	check_alone(zoo_dev_zero);
}

static void case20a_dax(void)
{
	if (!have_pmem())
		skip("this guest has no persistent memory");
	check_alone(zoo_dax);
}

static void guard_regions(void)
{
	struct zoo *z = zoo_open();

	zoo_guard(z);
	if (zoo_lacks(z, GUARD))
		skip("this kernel has no guard regions: %s",
		     zoo_lacks(z, GUARD));
	zoo_check(z);
}

#define GIB		(1UL << 30)
#define GIB_PAGES	(GIB / PAGE)
#define GIB_POOL \
	"/sys/devices/system/node/node%d/hugepages/hugepages-1048576kB/"

static void want_1g_page(int node)
{
	char path[128];

	snprintf(path, sizeof(path), GIB_POOL "nr_hugepages", node);
	if (!have_path(path))
		skip("this machine has no 1 GiB pages");
	if (try_write(path, "1") || read_number(path) < 1)
		skip("node %d has no free 1 GiB page", node);
}

static void give_1g_page_back(int node)
{
	char path[128];

	snprintf(path, sizeof(path), GIB_POOL "nr_hugepages", node);
	write_file(path, "0");
}

static void case20a_1g_page(void)
{
	void *p;

	want_1g_page(node_b());
	p = mmap(NULL, GIB, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_HUGE_1GB, -1,
		 0);
	must((long)p);
	expect("untouched", p, GIB_PAGES, UNTOUCHED_FILE, 0);
	touch_on(node_b(), p, PAGE);
	expect("touched", p, GIB_PAGES, NORMAL, node_b());
	must(mprotect(p, GIB, PROT_NONE));
	expect("PROT_NONE", p, GIB_PAGES, PROT_NONE_PUD, node_b());
	must(munmap(p, GIB));
	give_1g_page_back(node_b());
}

const struct test_case special_cases[] = {
	{ "case11-ksm", case11_ksm },
	{ "case11-mlocked", case11_mlocked },
	{ "case11-secretmem", case11_secretmem },
	{ "case12-userfaultfd", case12_userfaultfd },
	{ "case12-userfaultfd-protected", case12_userfaultfd_protected },
	{ "case13-device-memory", case13_device_memory },
	{ "case20a-swap-beside-prot-none", case20a_swap_beside_prot_none },
	{ "case20a-dev-zero", case20a_dev_zero },
	{ "case20a-1g-page", case20a_1g_page },
	{ "case20a-dax", case20a_dax },
	{ "guard-regions", guard_regions },
	{ NULL, NULL },
};
