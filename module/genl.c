// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family, and the commands that one message answers. The
 * family is in the initial network namespace only: what it tells is about the
 * whole machine.
 */
#include <linux/capability.h>
#include <linux/module.h>

#include "compat.h"
#include "dev.h"
#include "genl.h"
#include "stats.h"

static int pn_genl_reply(struct genl_info *info, u8 cmd,
			 int (*put)(struct sk_buff *msg))
{
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *header;

	if (!msg)
		return -ENOMEM;
	header = genlmsg_put_reply(msg, info, &pn_genl_family, 0, cmd);
	if (!header || put(msg)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, header);
	return genlmsg_reply(msg, info);
}

static int pn_genl_put_info(struct sk_buff *msg)
{
	struct pagenode_info info;

	pn_dev_info(&info);
	return nla_put_u32(msg, PAGENODE_A_ABI_VERSION, info.abi_version) ||
	       pn_genl_put_u64(msg, PAGENODE_A_FEATURES, info.features) ||
	       nla_put_u32(msg, PAGENODE_A_PAGE_SHIFT, info.page_shift) ||
	       nla_put_u32(msg, PAGENODE_A_NR_NODE_IDS, info.nr_node_ids) ||
	       pn_genl_put_u64(msg, PAGENODE_A_GENERATION,
			       info.nodemap_generation) ||
	       nla_put_string(msg, PAGENODE_A_VERSION, info.version) ||
	       pn_genl_put_u64(msg, PAGENODE_A_SECTION_SIZE,
			       1ULL << PN_SECTION_SHIFT);
}

static int pn_genl_get_info(struct sk_buff *skb, struct genl_info *info)
{
	return pn_genl_reply(info, PAGENODE_CMD_GET_INFO, pn_genl_put_info);
}

static int pn_genl_put_counter(struct sk_buff *msg, int attr, u64 value)
{
	return nla_put_u64_64bit(msg, attr, value, PAGENODE_STATS_A_PAD);
}

static int pn_genl_put_counters(struct sk_buff *msg, u32 ioctl)
{
	struct pn_stats sum;
	u64 calls = 0;
	unsigned int i;

	pn_stats_sum(ioctl, &sum);
	for (i = 0; i < PN_NR_BUCKETS; i++)
		calls += sum.calls[i];
	return nla_put_u32(msg, PAGENODE_STATS_A_IOCTL, ioctl) ||
	       pn_genl_put_counter(msg, PAGENODE_STATS_A_CALLS, calls) ||
	       pn_genl_put_counter(msg, PAGENODE_STATS_A_PAGES, sum.pages) ||
	       pn_genl_put_counter(msg, PAGENODE_STATS_A_ERRORS, sum.errors) ||
	       pn_genl_put_counter(msg, PAGENODE_STATS_A_NANOSECONDS, sum.ns) ||
	       nla_put(msg, PAGENODE_STATS_A_HISTOGRAM, sizeof(sum.calls),
		       sum.calls);
}

static int pn_genl_put_stats(struct sk_buff *msg)
{
	u32 ioctl;

	for (ioctl = 1; ioctl < PN_NR_IOCTLS; ioctl++) {
		struct nlattr *nest = nla_nest_start(msg, PAGENODE_A_STATS);

		if (!nest || pn_genl_put_counters(msg, ioctl))
			return -EMSGSIZE;
		nla_nest_end(msg, nest);
	}
	return 0;
}

/*
 * Counts of what everybody does, fine enough to tell one query of another user
 * from the next. So they are for whoever may watch the whole machine anyway.
 */
static int pn_genl_get_stats(struct sk_buff *skb, struct genl_info *info)
{
	if (!netlink_capable(skb, CAP_PERFMON) &&
	    !netlink_capable(skb, CAP_SYS_ADMIN)) {
		NL_SET_ERR_MSG(info->extack,
			       "the statistics take CAP_PERFMON or CAP_SYS_ADMIN");
		return -EPERM;
	}
	return pn_genl_reply(info, PAGENODE_CMD_GET_STATS, pn_genl_put_stats);
}

/*
 * No attribute at all. Without a policy some kernels would let every one pass,
 * unseen.
 */
static const struct nla_policy pn_genl_no_policy[PAGENODE_A_MAX + 1] = {};

static const struct genl_ops pn_genl_ops[] = {
	{
		.cmd = PAGENODE_CMD_GET_INFO,
		.doit = pn_genl_get_info,
		.policy = pn_genl_no_policy,
		.maxattr = PAGENODE_A_MAX,
	},
	{
		.cmd = PAGENODE_CMD_GET_STATS,
		.doit = pn_genl_get_stats,
		.policy = pn_genl_no_policy,
		.maxattr = PAGENODE_A_MAX,
	},
	{
		.cmd = PAGENODE_CMD_GET_NODEMAP,
		.start = pn_genl_nodemap_start,
		.dumpit = pn_genl_nodemap_dump,
		.policy = pn_genl_nodemap_policy,
		.maxattr = PAGENODE_A_MAX,
	},
};

static const struct genl_multicast_group pn_genl_groups[] = {
	{ .name = PAGENODE_GENL_GROUP_EVENTS },
};

/*
 * In parallel: a dump may have to wait for memory hotplug, which is no reason to
 * make every other family wait too. Only those who would register a family wait
 * for its first piece.
 */
struct genl_family pn_genl_family = {
	.name = PAGENODE_GENL_NAME,
	.version = PAGENODE_GENL_VERSION,
	.module = THIS_MODULE,
	.maxattr = PAGENODE_A_MAX,
	.parallel_ops = true,
	.ops = pn_genl_ops,
	.n_ops = ARRAY_SIZE(pn_genl_ops),
	.mcgrps = pn_genl_groups,
	.n_mcgrps = ARRAY_SIZE(pn_genl_groups),
};

int pn_genl_init(void)
{
	int err = genl_register_family(&pn_genl_family);

	if (err)
		return err;
	err = pn_genl_nodemap_init();
	if (err)
		goto err_family;
	return 0;

err_family:
	genl_unregister_family(&pn_genl_family);
	return err;
}

void pn_genl_exit(void)
{
	pn_genl_nodemap_exit();
	genl_unregister_family(&pn_genl_family);
}
