// SPDX-License-Identifier: GPL-2.0-only
#include <err.h>
#include <errno.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uapi/pagenode_genl.h>

#include "nl.h"

/* As large as libmnl wants them; a message that does not fit is cut. */
#define BUFFER	32768

static void take_attribute(const struct nlattr **attrs, uint16_t max,
			   const struct nlattr *attr)
{
	if (mnl_attr_get_type(attr) <= max)
		attrs[mnl_attr_get_type(attr)] = attr;
}

static void clear(const struct nlattr **attrs, uint16_t max)
{
	unsigned int i;

	for (i = 0; i <= max; i++)
		attrs[i] = NULL;
}

void nl_attributes(const struct nlmsghdr *message, const struct nlattr **attrs,
		   uint16_t max)
{
	const struct nlattr *attr;

	clear(attrs, max);
	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr))
		take_attribute(attrs, max, attr);
}

void nl_nested(const struct nlattr *nest, const struct nlattr **attrs,
	       uint16_t max)
{
	const struct nlattr *attr;

	clear(attrs, max);
	mnl_attr_for_each_nested(attr, nest)
		take_attribute(attrs, max, attr);
}

uint64_t nl_u64(const struct nlattr *attr)
{
	return attr && !mnl_attr_validate(attr, MNL_TYPE_U64) ?
		mnl_attr_get_u64(attr) : 0;
}

uint32_t nl_u32(const struct nlattr *attr)
{
	return attr && !mnl_attr_validate(attr, MNL_TYPE_U32) ?
		mnl_attr_get_u32(attr) : 0;
}

static struct nlmsghdr *new_request(void *buffer, uint16_t type,
				    uint16_t flags, uint8_t command)
{
	struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
	struct genlmsghdr *header;

	request->nlmsg_type = type;
	request->nlmsg_flags = NLM_F_REQUEST | flags;
	request->nlmsg_seq = (uint32_t)time(NULL);
	header = mnl_nlmsg_put_extra_header(request, sizeof(*header));
	header->cmd = command;
	header->version = PAGENODE_GENL_VERSION;
	return request;
}

/* 0, or -1 with errno, the kernel's too. Without a dump the ack ends it. */
static int exchange(struct nl *nl, const struct nlmsghdr *request,
		    mnl_cb_t take, void *data)
{
	unsigned int port = mnl_socket_get_portid(nl->socket);
	uint32_t seq = request->nlmsg_seq;
	char buffer[BUFFER];
	ssize_t len;
	int ret = MNL_CB_OK;

	if (mnl_socket_sendto(nl->socket, request, request->nlmsg_len) < 0)
		return -1;
	while (ret > MNL_CB_STOP) {
		len = mnl_socket_recvfrom(nl->socket, buffer, sizeof(buffer));
		if (len < 0)
			return -1;
		ret = mnl_cb_run(buffer, (size_t)len, seq, port, take, data);
	}
	return ret;
}

static void take_groups(struct nl *nl, const struct nlattr *groups)
{
	const struct nlattr *group, *attrs[CTRL_ATTR_MCAST_GRP_MAX + 1];

	mnl_attr_for_each_nested(group, groups) {
		nl_nested(group, attrs, CTRL_ATTR_MCAST_GRP_MAX);
		if (attrs[CTRL_ATTR_MCAST_GRP_NAME] &&
		    !strcmp(mnl_attr_get_str(attrs[CTRL_ATTR_MCAST_GRP_NAME]),
			    PAGENODE_GENL_GROUP_EVENTS))
			nl->events = nl_u32(attrs[CTRL_ATTR_MCAST_GRP_ID]);
	}
}

static int take_family(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *attrs[CTRL_ATTR_MAX + 1];
	struct nl *nl = data;

	nl_attributes(message, attrs, CTRL_ATTR_MAX);
	if (attrs[CTRL_ATTR_FAMILY_ID])
		nl->family = mnl_attr_get_u16(attrs[CTRL_ATTR_FAMILY_ID]);
	if (attrs[CTRL_ATTR_MCAST_GROUPS])
		take_groups(nl, attrs[CTRL_ATTR_MCAST_GROUPS]);
	return MNL_CB_OK;
}

void nl_open(struct nl *nl)
{
	char buffer[BUFFER];
	struct nlmsghdr *request;

	*nl = (struct nl) { NULL, 0, 0 };
	nl->socket = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl->socket ||
	    mnl_socket_bind(nl->socket, 0, MNL_SOCKET_AUTOPID) < 0)
		err(EXIT_FAILURE, "netlink");
	request = new_request(buffer, GENL_ID_CTRL, NLM_F_ACK,
			      CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(request, CTRL_ATTR_FAMILY_NAME, PAGENODE_GENL_NAME);
	if (!exchange(nl, request, take_family, nl))
		return;
	if (errno != ENOENT)
		err(EXIT_FAILURE, "netlink");
	errx(EXIT_FAILURE,
	     "the module is not loaded (sudo modprobe pagenode), or this is a container with a network of its own");
}

void nl_close(struct nl *nl)
{
	mnl_socket_close(nl->socket);
}

void nl_ask(struct nl *nl, uint8_t command, mnl_cb_t take, void *data)
{
	char buffer[BUFFER];

	if (!exchange(nl, new_request(buffer, nl->family, NLM_F_ACK, command),
		      take, data))
		return;
	if (errno == EPERM)
		errx(EXIT_FAILURE,
		     "not permitted: it tells about all users, and takes root or CAP_PERFMON");
	err(EXIT_FAILURE, "the module's answer");
}

void nl_listen(struct nl *nl, mnl_cb_t take, void (*lost)(void), void *data)
{
	char buffer[BUFFER];
	int ret = MNL_CB_OK;
	ssize_t len;

	if (mnl_socket_setsockopt(nl->socket, NETLINK_ADD_MEMBERSHIP,
				  &nl->events, sizeof(nl->events)) < 0)
		err(EXIT_FAILURE, "the module's events");
	while (ret > MNL_CB_STOP) {
		len = mnl_socket_recvfrom(nl->socket, buffer, sizeof(buffer));
		if (len >= 0)
			ret = mnl_cb_run(buffer, (size_t)len, 0, 0, take,
					 data);
		else if (errno == ENOBUFS)
			lost();
		else
			ret = MNL_CB_ERROR;
	}
	if (ret != MNL_CB_STOP)
		err(EXIT_FAILURE, "the module's events");
}
