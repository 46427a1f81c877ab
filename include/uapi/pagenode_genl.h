/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The generic netlink family of pagenode: what is loaded, what it did, on which
 * node the machine's memory lies, and a notice when that changes.
 *
 * The family is there in the initial network namespace only. A request that
 * breaks a rule gets an error with an extended ack. A request takes no attribute
 * but those named below; any other one is EINVAL.
 *
 * Numbers are in host byte order. A reader passes over attributes that it does
 * not know: later versions add to the end of each enum.
 */
#ifndef _UAPI_PAGENODE_GENL_H
#define _UAPI_PAGENODE_GENL_H

#define PAGENODE_GENL_NAME		"pagenode"
#define PAGENODE_GENL_VERSION		1

/* The multicast group that PAGENODE_CMD_NODEMAP_CHANGED goes to; for any user. */
#define PAGENODE_GENL_GROUP_EVENTS	"events"

/**
 * enum pagenode_cmd - the commands
 * @PAGENODE_CMD_UNSPEC: none
 * @PAGENODE_CMD_GET_INFO: any user. Answered by one message with
 *	PAGENODE_A_ABI_VERSION, _FEATURES, _PAGE_SHIFT, _NR_NODE_IDS, _GENERATION,
 *	_VERSION and _SECTION_SIZE: what PAGENODE_IOC_INFO says, and the last
 * @PAGENODE_CMD_GET_STATS: CAP_PERFMON or CAP_SYS_ADMIN, in the initial user
 *	namespace, else EPERM. Answered by one message with a PAGENODE_A_STATS for
 *	each ioctl that takes a query. Sums of all CPUs since the module was
 *	loaded, by all users
 * @PAGENODE_CMD_GET_NODEMAP: CAP_SYS_ADMIN in the initial user namespace, else
 *	EPERM. A dump (NLM_F_DUMP): one message for each run of memory sections of
 *	one node, in ascending order, with PAGENODE_A_START, _LENGTH, _GENERATION,
 *	and _NODE where all pages lie on one node. Sections without online memory
 *	are left out. With PAGENODE_A_NODE in the request only the runs of that
 *	node. NLM_F_DUMP_INTR is set where the map changed during the dump: ask
 *	again
 * @PAGENODE_CMD_NODEMAP_CHANGED: never a request. What the group "events" gets
 *	after memory went online or offline: PAGENODE_A_CHANGE, _START, _LENGTH,
 *	_GENERATION, and _NODE where the node is known. Notices may get lost, as
 *	ENOBUFS of the socket and gaps in the generation show
 * @__PAGENODE_CMD_AFTER_LAST: one beyond the last
 * @PAGENODE_CMD_MAX: the last
 */
enum pagenode_cmd {
	PAGENODE_CMD_UNSPEC,
	PAGENODE_CMD_GET_INFO,
	PAGENODE_CMD_GET_STATS,
	PAGENODE_CMD_GET_NODEMAP,
	PAGENODE_CMD_NODEMAP_CHANGED,

	__PAGENODE_CMD_AFTER_LAST,
	PAGENODE_CMD_MAX = __PAGENODE_CMD_AFTER_LAST - 1
};

/**
 * enum pagenode_attr - attributes of a message
 * @PAGENODE_A_UNSPEC: none
 * @PAGENODE_A_PAD: no meaning; aligns the next one
 * @PAGENODE_A_ABI_VERSION: u32, PAGENODE_ABI_VERSION of the module
 * @PAGENODE_A_FEATURES: u64, PAGENODE_FEATURE_* bits
 * @PAGENODE_A_PAGE_SHIFT: u32, log2 of the base page size in bytes
 * @PAGENODE_A_NR_NODE_IDS: u32, the highest possible node id + 1
 * @PAGENODE_A_GENERATION: u64, how many times memory went online or offline
 *	since the module was loaded
 * @PAGENODE_A_VERSION: string, NUL-terminated, the module's version
 * @PAGENODE_A_SECTION_SIZE: u64, bytes of a memory section, the unit of the
 *	node map
 * @PAGENODE_A_STATS: nest of enum pagenode_stats_attr; there are several
 * @PAGENODE_A_START: u64, physical address of the first byte
 * @PAGENODE_A_LENGTH: u64, how many bytes
 * @PAGENODE_A_NODE: u32, a node id. Missing where the map does not say and each
 *	page is asked: the node differs from page to page or may be changing, or
 *	not all of the section is memory
 * @PAGENODE_A_CHANGE: u32, enum pagenode_change
 * @__PAGENODE_A_AFTER_LAST: one beyond the last
 * @PAGENODE_A_MAX: the last
 */
enum pagenode_attr {
	PAGENODE_A_UNSPEC,
	PAGENODE_A_PAD,
	PAGENODE_A_ABI_VERSION,
	PAGENODE_A_FEATURES,
	PAGENODE_A_PAGE_SHIFT,
	PAGENODE_A_NR_NODE_IDS,
	PAGENODE_A_GENERATION,
	PAGENODE_A_VERSION,
	PAGENODE_A_SECTION_SIZE,
	PAGENODE_A_STATS,
	PAGENODE_A_START,
	PAGENODE_A_LENGTH,
	PAGENODE_A_NODE,
	PAGENODE_A_CHANGE,

	__PAGENODE_A_AFTER_LAST,
	PAGENODE_A_MAX = __PAGENODE_A_AFTER_LAST - 1
};

/**
 * enum pagenode_stats_attr - inside PAGENODE_A_STATS, about one ioctl
 * @PAGENODE_STATS_A_UNSPEC: none
 * @PAGENODE_STATS_A_PAD: no meaning; aligns the next one
 * @PAGENODE_STATS_A_IOCTL: u32, its number: _IOC_NR() of PAGENODE_IOC_STATUS,
 *	_EXTENTS, _COUNTS or _PAGES
 * @PAGENODE_STATS_A_CALLS: u64, how many calls have returned; the sum of the
 *	histogram
 * @PAGENODE_STATS_A_PAGES: u64, base pages that were answered, by calls that
 *	failed half-way too
 * @PAGENODE_STATS_A_ERRORS: u64, how many of the calls returned an error
 * @PAGENODE_STATS_A_NANOSECONDS: u64, time that the calls took in all
 * @PAGENODE_STATS_A_HISTOGRAM: array of u64, calls by the log2 of their
 *	nanoseconds: element i counts calls of 2^i to 2^(i+1) - 1 ns, the first
 *	those of 0 ns too, the last all longer ones too. The length of the
 *	attribute says how many elements there are; it need not be aligned
 *	to 8 bytes
 * @__PAGENODE_STATS_A_AFTER_LAST: one beyond the last
 * @PAGENODE_STATS_A_MAX: the last
 */
enum pagenode_stats_attr {
	PAGENODE_STATS_A_UNSPEC,
	PAGENODE_STATS_A_PAD,
	PAGENODE_STATS_A_IOCTL,
	PAGENODE_STATS_A_CALLS,
	PAGENODE_STATS_A_PAGES,
	PAGENODE_STATS_A_ERRORS,
	PAGENODE_STATS_A_NANOSECONDS,
	PAGENODE_STATS_A_HISTOGRAM,

	__PAGENODE_STATS_A_AFTER_LAST,
	PAGENODE_STATS_A_MAX = __PAGENODE_STATS_A_AFTER_LAST - 1
};

/**
 * enum pagenode_change - what happened to memory
 * @PAGENODE_CHANGE_ONLINE: it went online
 * @PAGENODE_CHANGE_OFFLINE: it went offline
 */
enum pagenode_change {
	PAGENODE_CHANGE_ONLINE = 1,
	PAGENODE_CHANGE_OFFLINE = 2
};

#endif /* _UAPI_PAGENODE_GENL_H */
