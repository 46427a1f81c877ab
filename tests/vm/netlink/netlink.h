/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the cases about netlink share. They are a program of their own, since
 * Debian has no static libmnl and all other cases have to be static.
 */
#ifndef NETLINK_H
#define NETLINK_H

#include "../cases/query.h"

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <uapi/pagenode_genl.h>

/* Larger than any message */
#define MESSAGE	4096

/**
 * struct family - a socket, and how the kernel calls us today
 * @socket: bound, with extended acks
 * @id: message type of the family
 * @group: multicast group for its events
 */
struct family {
	struct mnl_socket *socket;
	uint16_t id;
	uint32_t group;
};

/* netlink.c. Open a socket; resolve fails the case unless the family is there. */
struct mnl_socket *open_socket(void);
/* 0, or the error as a negative number. */
int try_resolve(struct family *f);
struct family open_family(void);

/* A request without attributes, in a buffer of the size MESSAGE. */
struct nlmsghdr *new_request(const struct family *f, void *buf, uint8_t cmd,
			     uint16_t flags);
void send_request(const struct family *f, const struct nlmsghdr *request);
/*
 * Hands each message that answers to @take, until the end. 0, or the kernel's
 * error as a negative number, then with its words in ack_message. -EINTR for a
 * dump that was interrupted.
 */
int receive(const struct family *f, mnl_cb_t take, void *data);
extern char ack_message[128];
/* In how many pieces the answer came */
extern unsigned int nr_received;
/* Sends and receives. */
int exchange(const struct family *f, const struct nlmsghdr *request,
	     mnl_cb_t take, void *data);
/* The same for a request without attributes; GET_NODEMAP is a dump. */
int ask_family(const struct family *f, uint8_t cmd, mnl_cb_t take, void *data);

/* The attributes of a message by type, or of a nest; fails on an unknown one. */
void attributes(const struct nlmsghdr *message, const struct nlattr **attrs);
void nested(const struct nlattr *nest, const struct nlattr **attrs);
uint64_t want_u64(const struct nlattr **attrs, int type);
uint32_t want_u32(const struct nlattr **attrs, int type);

/* Keeps these capabilities of root's only, each 1ULL << CAP_..., in force. */
void keep_capabilities(uint64_t permitted, uint64_t effective);
#define ALL_CAPABILITIES	(~0ULL)

/* stats.c */
#define NR_BUCKETS	40
struct stats {
	uint64_t calls;
	uint64_t pages;
	uint64_t errors;
	uint64_t nanoseconds;
	uint64_t histogram[NR_BUCKETS];
};

/* By _IOC_NR() */
struct all_stats {
	struct stats ioctl[5];
};

void get_stats(const struct family *f, struct all_stats *all);
/* What has changed since the last call of this */
struct all_stats stats_changes(const struct family *f);
/* Fails unless ioctl @nr has these changes, and the others none. */
void want_stats(const char *what, const struct all_stats *change, size_t nr,
		uint64_t calls, uint64_t pages, uint64_t errors);

/* nodemap.c */
struct range {
	uint64_t start;
	uint64_t length;
	uint64_t generation;
	int node;
};

struct range range_of(const struct nlattr **attrs);

/* The cases */
void netlink_info(void);
void netlink_bad_requests(void);
void netlink_rights(void);
void netlink_namespaces(void);
void netlink_stats(void);
void netlink_stats_time(void);
void netlink_stats_threads(void);
void netlink_nodemap(void);
void netlink_nodemap_one_node(void);
void netlink_nodemap_interrupted(void);
void netlink_events(void);
void netlink_rmmod(void);
void netlink_faults(void);

#endif /* NETLINK_H */
