/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's generic netlink family, see <uapi/pagenode_genl.h> */
#ifndef PN_NL_H
#define PN_NL_H

#include <libmnl/libmnl.h>
#include <stdint.h>

/**
 * struct nl - a socket that speaks with the module
 * @socket: libmnl's
 * @family: by which number the kernel calls the family today
 * @events: and the group of its events
 */
struct nl {
	struct mnl_socket *socket;
	uint16_t family;
	uint32_t events;
};

/* Each of these ends the program with a message where it can't. */
void nl_open(struct nl *nl);
void nl_close(struct nl *nl);

/* Asks without attributes, and hands each message that answers to @take. */
void nl_ask(struct nl *nl, uint8_t command, mnl_cb_t take, void *data);

/*
 * Hands each event to @take, until that returns something else than MNL_CB_OK.
 * @lost is called where the kernel could not keep some of them.
 */
void nl_listen(struct nl *nl, mnl_cb_t take, void (*lost)(void), void *data);

/* The attributes of a message or of a nest by type, NULL for those not there */
void nl_attributes(const struct nlmsghdr *message, const struct nlattr **attrs,
		   uint16_t max);
void nl_nested(const struct nlattr *nest, const struct nlattr **attrs,
	       uint16_t max);

/* 0 where there is no such attribute */
uint64_t nl_u64(const struct nlattr *attr);
uint32_t nl_u32(const struct nlattr *attr);

#endif /* PN_NL_H */
