/* SPDX-License-Identifier: GPL-2.0-only */
/* The generic netlink family */
#ifndef PN_GENL_H
#define PN_GENL_H

#include <linux/mm.h>
#include <net/genetlink.h>

#include <uapi/pagenode_genl.h>

int pn_genl_init(void);
void pn_genl_exit(void);

/* genl.c, for genl_nodemap.c */
extern struct genl_family pn_genl_family;

/* genl_nodemap.c, for genl.c: a dump of the node map, and notices of changes */
extern const struct nla_policy pn_genl_nodemap_policy[PAGENODE_A_MAX + 1];
int pn_genl_nodemap_start(struct netlink_callback *cb);
int pn_genl_nodemap_dump(struct sk_buff *msg, struct netlink_callback *cb);
int pn_genl_nodemap_init(void);
void pn_genl_nodemap_exit(void);

static inline int pn_genl_put_u64(struct sk_buff *msg, int attr, u64 value)
{
	return nla_put_u64_64bit(msg, attr, value, PAGENODE_A_PAD);
}

#endif /* PN_GENL_H */
