// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <pagenode_version.h>

#include "arch.h"
#include "dev.h"
#include "genl.h"
#include "nodemap.h"
#include "stats.h"
#include "target.h"

static int __init pn_init(void)
{
	int err;

	if (!pn_arch_supported()) {
		pr_err("pagenode: a Xen PV guest does not know its own page frames; use move_pages(2) here\n");
		return -ENODEV;
	}
	err = pn_nodemap_init();
	if (err)
		return err;
	pn_target_init();
	err = pn_stats_init();
	if (err)
		goto err_nodemap;
	err = pn_genl_init();
	if (err)
		goto err_stats;
	err = pn_dev_init();
	if (err)
		goto err_genl;
	return 0;

err_genl:
	pn_genl_exit();
err_stats:
	pn_stats_exit();
err_nodemap:
	pn_nodemap_exit();
	return err;
}

static void __exit pn_exit(void)
{
	pn_dev_exit();
	pn_genl_exit();
	pn_stats_exit();
	pn_nodemap_exit();
}

module_init(pn_init);
module_exit(pn_exit);

MODULE_DESCRIPTION("NUMA node of every page of a range, from a page table walk");
MODULE_AUTHOR("The pagenode authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(PAGENODE_VERSION);
