// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 20: a kernel without NUMA. That all is node 0 there, every other case
 * sees too; what is peculiar to such a kernel is here.
 */
#include "case.h"

#include <sys/syscall.h>

#include <pagenode.h>

#include "shapes.h"

#define NR	64

static void no_fallback(const char *p)
{
	struct pagenode *pn = pagenode_open(PAGENODE_OPEN_MOVE_PAGES);
	int status[NR];

	if (!pn)
		fail("opening the library without the device: %s",
		     strerror(errno));
	if (!pagenode_status(pn, p, NR * PAGE, status, NR))
		fail("the library has an answer without move_pages");
	if (errno != ENOSYS)
		fail("without move_pages: %s, not ENOSYS", strerror(errno));
	pagenode_close(pn);
}

static void by_the_device(const char *p)
{
	struct pagenode *pn = pagenode_open(0);
	int status[NR];
	int i;

	if (!pn)
		fail("opening the library: %s", strerror(errno));
	must(pagenode_status(pn, p, NR * PAGE, status, NR));
	for (i = 0; i < NR; i++)
		if (status[i])
			fail("page %d: %s, not node 0", i,
			     status_name(status[i]));
	pagenode_close(pn);
}

static void case20_no_numa(void)
{
	uint32_t nr_node_ids = module_info().nr_node_ids;
	char *p = map_anon(NR * PAGE);

	if (have_numa())
		skip("this kernel has nodes");
	if (syscall(SYS_move_pages, 0, 0, NULL, NULL, NULL, 0) != -1 ||
	    errno != ENOSYS)
		fail("this kernel has no nodes, but move_pages");
	if (nr_node_ids != 1)
		fail("nr_node_ids is %u, not 1", nr_node_ids);
	touch(p, NR * PAGE);
	by_the_device(p);
	no_fallback(p);
}

const struct test_case nonuma_cases[] = {
	{ "case20-no-numa", case20_no_numa },
	{ NULL, NULL },
};
