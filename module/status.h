/* SPDX-License-Identifier: GPL-2.0-only */
/* PAGENODE_IOC_STATUS: one status a page */
#ifndef PN_STATUS_H
#define PN_STATUS_H

struct pagenode_query;

int pn_status(struct pagenode_query *q);

#endif /* PN_STATUS_H */
