// SPDX-License-Identifier: GPL-2.0-only
#include "netlink.h"

const struct test_case netlink_cases[] = {
	{ "netlink-info", netlink_info },
	{ "netlink-bad-requests", netlink_bad_requests },
	{ "netlink-rights", netlink_rights },
	{ "netlink-namespaces", netlink_namespaces },
	{ "netlink-stats", netlink_stats },
	{ "netlink-stats-time", netlink_stats_time },
	{ "netlink-stats-threads", netlink_stats_threads },
	{ "netlink-nodemap", netlink_nodemap },
	{ "netlink-nodemap-one-node", netlink_nodemap_one_node },
	{ "netlink-nodemap-interrupted", netlink_nodemap_interrupted },
	{ "netlink-events", netlink_events },
	{ "netlink-rmmod", netlink_rmmod },
	{ "netlink-faults", netlink_faults },
	{ NULL, NULL },
};
