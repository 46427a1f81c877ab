// SPDX-License-Identifier: GPL-2.0-only
/* "bench": that it measures what it says, not how fast that is. */
#include "tool.h"

#define SIZE	(64UL << 20)

static void check_row(const json_t *row)
{
	uint64_t a = on_node(row, node_a()), b = on_node(row, node_b());

	if (number(row, "pages") != SIZE / PAGE)
		fail("%llu pages", (unsigned long long)number(row, "pages"));
	if (!json_is_true(member(row, "equal")))
		fail("%s: the answers differ", text(row, "memory"));
	if (nr_nodes() == 2 && (a != SIZE / PAGE / 2 || b != a))
		fail("%s: %llu and %llu pages on the nodes", text(row, "memory"),
		     (unsigned long long)a, (unsigned long long)b);
	if (json_real_value(member(row, "move_pages_ns")) <= 0 ||
	    json_real_value(member(row, "pagenode_ns")) <= 0)
		fail("%s: it took no time", text(row, "memory"));
}

static void bench_rows(void)
{
	json_t *answer, *rows;

	need_move_pages();
	set_thp_madvise();
	answer = tool_json(0, "bench --json --size=64M");
	rows = member(answer, "rows");
	check_row(element(rows, "memory", "4K"));
	if (have_thp())
		check_row(element(rows, "memory", "THP"));
}

static void bench_without_module(void)
{
	char out[512];

	if (tool(out, sizeof(out), "bench 2>&1") != 1 ||
	    !strstr(out, "nothing to compare"))
		fail("%s", out);
}

static void bench_unloaded(void)
{
	without_module(bench_without_module);
}

const struct test_case tool_bench_cases[] = {
	{ "tool-bench-rows", bench_rows },
	{ "tool-bench-unloaded", bench_unloaded },
	{ NULL, NULL },
};
