/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/pagenode */
#ifndef PN_DEV_H
#define PN_DEV_H

struct pagenode_info;

/* What is loaded */
void pn_dev_info(struct pagenode_info *info);

int pn_dev_init(void);
void pn_dev_exit(void);

#endif /* PN_DEV_H */
