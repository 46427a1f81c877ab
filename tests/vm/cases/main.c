// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases --list	prints the names of the cases
 * cases NAME	runs one: exit 0 if it passed, 77 if it was skipped
 * cases --kernel NAME
 *		the same, but asks move_pages alone: to try a case itself on a
 *		machine that has no module
 */
#include "query.h"

/*
 * The cases that need libmnl are a program of their own, and those that need the
 * command are another: see ../netlink and ../tool.
 */
#if defined(WITH_LIBMNL)
static const struct test_case *const themes[] = { netlink_cases };
#elif defined(WITH_TOOL)
static const struct test_case *const themes[] = {
	tool_map_cases,
	tool_many_cases,
	tool_doctor_cases,
	tool_stats_cases,
	tool_bench_cases,
};
#else
static const struct test_case *const themes[] = {
	status_cases,
	special_cases,
	device_goes_cases,
	limit_cases,
	abi_cases,
	abi_memory_cases,
	compat_cases,
	extents_cases,
	counts_cases,
	pages_cases,
	repeats_cases,
	shapes_abi_cases,
	numa_cases,
	nonuma_cases,
	zoo_cases,
	library_cases,
	example_cases,
	library_absent_cases,
	container_cases,
	library_process_cases,
	library_zoo_cases,
	race_cases,
	thp_race_cases,
	hugetlb_share_cases,
	mmfd_cases,
	mmfd_files_cases,
	mmfd_targets_cases,
	mmfd_rights_cases,
	mmfd_race_cases,
	mmfd_refs_cases,
	mmfd_load_cases,
	faults_ioctl_cases,
	faults_memory_cases,
	bounds_memory_cases,
	bounds_time_cases,
	bounds_number_cases,
	crash_cases,
	unload_race_cases,
	topology_cases,
	trace_cases,
	module_cases,
};
#endif

#define NR_THEMES (sizeof(themes) / sizeof(themes[0]))

static void list_cases(void)
{
	const struct test_case *c;
	size_t i;

	for (i = 0; i < NR_THEMES; i++)
		for (c = themes[i]; c->name; c++)
			puts(c->name);
}

static const struct test_case *find_case(const char *name)
{
	const struct test_case *c;
	size_t i;

	for (i = 0; i < NR_THEMES; i++)
		for (c = themes[i]; c->name; c++)
			if (!strcmp(c->name, name))
				return c;
	return NULL;
}

/* Pages stay where they are unless a case wants them to move. */
static void run_case(void *arg)
{
	const struct test_case *c = arg;

	if (have_numa_balancing())
		set_numa_balancing(false);
	c->run();
}

int main(int argc, char **argv)
{
	const struct test_case *c;
	int code;

	if (argc == 3 && !strcmp(argv[1], "--kernel")) {
		kernel_alone = true;
		argv++;
		argc--;
	}
	if (argc != 2) {
		fprintf(stderr, "usage: cases --list | cases [--kernel] NAME\n");
		return EXIT_FAILURE;
	}
	if (!strcmp(argv[1], "--list")) {
		list_cases();
		return EXIT_SUCCESS;
	}
	c = find_case(argv[1]);
	if (!c) {
		printf("no case of that name: see cases --list\n");
		return EXIT_FAILURE;
	}
	knobs_save();
	code = run_in_child(run_case, (void *)c);
	knobs_restore();
	return code;
}
