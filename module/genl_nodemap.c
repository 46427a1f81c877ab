// SPDX-License-Identifier: GPL-2.0-only
/* The node map over netlink: a dump of it, and notices when it has changed. */
#include <linux/capability.h>
#include <linux/memory.h>

#include "arch.h"
#include "compat.h"
#include "genl.h"
#include "nodemap.h"
#include "section.h"

/**
 * struct pn_genl_dump - between two pieces of a dump
 * @section: where the next piece begins
 * @nid: the only node to show, or NUMA_NO_NODE
 */
struct pn_genl_dump {
	unsigned long section;
	int nid;
};

const struct nla_policy pn_genl_nodemap_policy[PAGENODE_A_MAX + 1] = {
	[PAGENODE_A_NODE] = NLA_POLICY_MAX(NLA_U32, MAX_NUMNODES - 1),
};

static struct pn_genl_dump *pn_genl_dump_of(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct pn_genl_dump) > sizeof(cb->ctx));

	return (struct pn_genl_dump *)cb->ctx;
}

/*
 * Physical addresses are for the administrator of the machine. GENL_ADMIN_PERM
 * would ask for CAP_NET_ADMIN. This asks the initial user namespace, both about
 * who opened the socket and about who sends.
 */
int pn_genl_nodemap_start(struct netlink_callback *cb)
{
	struct pn_genl_dump *dump = pn_genl_dump_of(cb);
	const struct nlattr *nid;

	if (!netlink_capable(cb->skb, CAP_SYS_ADMIN)) {
		NL_SET_ERR_MSG(cb->extack, "the node map takes CAP_SYS_ADMIN");
		return -EPERM;
	}
	/* The policy has been applied by now. */
	nid = nlmsg_find_attr(cb->nlh, GENL_HDRLEN, PAGENODE_A_NODE);
	dump->section = 0;
	dump->nid = nid ? nla_get_u32(nid) : NUMA_NO_NODE;
	return 0;
}

/* The rest of a message about a range of memory that may have a node */
static int pn_genl_put_range(struct sk_buff *msg, u64 start, u64 length,
			     int nid)
{
	if (pn_genl_put_u64(msg, PAGENODE_A_START, start) ||
	    pn_genl_put_u64(msg, PAGENODE_A_LENGTH, length) ||
	    pn_genl_put_u64(msg, PAGENODE_A_GENERATION,
			    pn_nodemap_generation()))
		return -EMSGSIZE;
	return nid < 0 ? 0 : nla_put_u32(msg, PAGENODE_A_NODE, nid);
}

/* Sections from @section on that say the same. */
static unsigned long pn_genl_run_end(unsigned long section, unsigned long end,
				     s32 status)
{
	do
		section++;
	while (section < end && pn_nodemap_section(section) == status);
	return section;
}

static int pn_genl_put_run(struct sk_buff *msg, struct netlink_callback *cb,
			   unsigned long section, unsigned long end, s32 status)
{
	void *header = genlmsg_put(msg, NETLINK_CB(cb->skb).portid,
				   cb->nlh->nlmsg_seq, &pn_genl_family,
				   NLM_F_MULTI, PAGENODE_CMD_GET_NODEMAP);

	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (pn_genl_put_range(msg, (u64)section << PN_SECTION_SHIFT,
			      (u64)(end - section) << PN_SECTION_SHIFT,
			      status)) {
		genlmsg_cancel(msg, header);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, header);
	return 0;
}

/*
 * A piece of the dump. The map stays as it is meanwhile; that it is still what
 * it was in the piece before, its number of changes tells. A last piece with
 * nothing in it ends the dump, so that a change after any other is noticed.
 */
int pn_genl_nodemap_dump(struct sk_buff *msg, struct netlink_callback *cb)
{
	struct pn_genl_dump *dump = pn_genl_dump_of(cb);
	unsigned long end, next;

	cb->seq = pn_nodemap_lock();
	end = pn_section_end();
	for (; dump->section < end; dump->section = next) {
		s32 status = pn_nodemap_section(dump->section);

		next = pn_genl_run_end(dump->section, end, status);
		if (status == -ENOENT ||
		    (dump->nid != NUMA_NO_NODE && dump->nid != status))
			continue;
		if (pn_genl_put_run(msg, cb, dump->section, next, status))
			break;
	}
	pn_nodemap_unlock();
	return msg->len;
}

/*
 * Called under the locks of memory hotplug, which may sleep, and allocates
 * there itself. A notice for which there is no memory is lost: the generation
 * tells.
 */
static void pn_genl_notify(const struct memory_notify *event, u32 change)
{
	struct sk_buff *msg;
	void *header;

	if (!genl_has_listeners(&pn_genl_family, &init_net, 0))
		return;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return;
	header = genlmsg_put(msg, 0, 0, &pn_genl_family, 0,
			     PAGENODE_CMD_NODEMAP_CHANGED);
	if (!header || nla_put_u32(msg, PAGENODE_A_CHANGE, change) ||
	    pn_genl_put_range(msg, PFN_PHYS(event->start_pfn),
			      PFN_PHYS(event->nr_pages),
			      pfn_to_nid(event->start_pfn))) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, header);
	genlmsg_multicast(&pn_genl_family, msg, 0, 0, GFP_KERNEL);
}

static int pn_genl_memory_event(struct notifier_block *nb, unsigned long action,
				void *data)
{
	switch (action) {
	case MEM_ONLINE:
		pn_genl_notify(data, PAGENODE_CHANGE_ONLINE);
		break;
	case MEM_OFFLINE:
		pn_genl_notify(data, PAGENODE_CHANGE_OFFLINE);
		break;
	}
	return NOTIFY_OK;
}

/* After that of the node map, so that who hears of a change gets the new map. */
static struct notifier_block pn_genl_memory_notifier = {
	.notifier_call = pn_genl_memory_event,
	.priority = -1,
};

int pn_genl_nodemap_init(void)
{
	return register_memory_notifier(&pn_genl_memory_notifier);
}

void pn_genl_nodemap_exit(void)
{
	unregister_memory_notifier(&pn_genl_memory_notifier);
}
