// SPDX-License-Identifier: GPL-2.0-only
/* Sockets, requests and answers, by way of libmnl. */
#include "netlink.h"

#include <linux/capability.h>
#include <sys/syscall.h>

char ack_message[128];
unsigned int nr_received;

struct mnl_socket *open_socket(void)
{
	struct mnl_socket *socket = mnl_socket_open(NETLINK_GENERIC);
	int on = 1;

	if (!socket)
		fail("opening a netlink socket: %s", strerror(errno));
	must(mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID));
	must(mnl_socket_setsockopt(socket, NETLINK_EXT_ACK, &on, sizeof(on)));
	must(mnl_socket_setsockopt(socket, NETLINK_CAP_ACK, &on, sizeof(on)));
	return socket;
}

static void take_group(const struct nlattr *group, struct family *f)
{
	const char *name = "";
	const struct nlattr *a;
	uint32_t id = 0;

	mnl_attr_for_each_nested(a, group) {
		if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GRP_NAME)
			name = mnl_attr_get_str(a);
		if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GRP_ID)
			id = mnl_attr_get_u32(a);
	}
	if (!strcmp(name, PAGENODE_GENL_GROUP_EVENTS))
		f->group = id;
}

static int take_family(const struct nlmsghdr *message, void *data)
{
	struct family *f = data;
	const struct nlattr *a;
	const struct nlattr *group;

	mnl_attr_for_each(a, message, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(a)) {
		case CTRL_ATTR_FAMILY_ID:
			f->id = mnl_attr_get_u16(a);
			break;
		case CTRL_ATTR_VERSION:
			if (mnl_attr_get_u32(a) != PAGENODE_GENL_VERSION)
				fail("the family's version is %u",
				     mnl_attr_get_u32(a));
			break;
		case CTRL_ATTR_MCAST_GROUPS:
			mnl_attr_for_each_nested(group, a)
				take_group(group, f);
			break;
		}
	}
	return MNL_CB_OK;
}

int try_resolve(struct family *f)
{
	char buf[MESSAGE];
	struct family ctrl = { .socket = f->socket, .id = GENL_ID_CTRL };
	struct nlmsghdr *request = new_request(&ctrl, buf, CTRL_CMD_GETFAMILY,
					       NLM_F_ACK);

	mnl_attr_put_strz(request, CTRL_ATTR_FAMILY_NAME, PAGENODE_GENL_NAME);
	return exchange(&ctrl, request, take_family, f);
}

struct family open_family(void)
{
	struct family f = { .socket = open_socket() };
	int err = try_resolve(&f);

	if (err)
		fail("no netlink family " PAGENODE_GENL_NAME ": %s",
		     strerror(-err));
	if (!f.id || !f.group)
		fail("family id %u, group id %u", f.id, f.group);
	return f;
}

struct nlmsghdr *new_request(const struct family *f, void *buf, uint8_t cmd,
			     uint16_t flags)
{
	struct nlmsghdr *request = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *header;

	request->nlmsg_type = f->id;
	request->nlmsg_flags = NLM_F_REQUEST | flags;
	header = mnl_nlmsg_put_extra_header(request, sizeof(*header));
	header->cmd = cmd;
	header->version = PAGENODE_GENL_VERSION;
	return request;
}

void send_request(const struct family *f, const struct nlmsghdr *request)
{
	must(mnl_socket_sendto(f->socket, request, request->nlmsg_len));
}

/* What libmnl leaves aside of an error message: the extended ack. */
static int take_error(const struct nlmsghdr *message, void *data)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(message);
	const struct nlattr *a;

	(void)data;
	if (message->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_for_each(a, message, sizeof(*err))
			if (mnl_attr_get_type(a) == NLMSGERR_ATTR_MSG)
				snprintf(ack_message, sizeof(ack_message), "%s",
					 mnl_attr_get_str(a));
	errno = -err->error;
	return err->error ? MNL_CB_ERROR : MNL_CB_STOP;
}

int receive(const struct family *f, mnl_cb_t take, void *data)
{
	static mnl_cb_t control[] = {
		[NLMSG_ERROR] = take_error,
	};
	unsigned int port = mnl_socket_get_portid(f->socket);
	char buf[MESSAGE];
	ssize_t len;
	int ret;

	ack_message[0] = '\0';
	nr_received = 0;
	do {
		len = must(mnl_socket_recvfrom(f->socket, buf, sizeof(buf)));
		ret = mnl_cb_run2(buf, len, 0, port, take, data, control,
				  sizeof(control) / sizeof(control[0]));
		nr_received++;
	} while (ret > MNL_CB_STOP);
	return ret < 0 ? -errno : 0;
}

int exchange(const struct family *f, const struct nlmsghdr *request,
	     mnl_cb_t take, void *data)
{
	send_request(f, request);
	return receive(f, take, data);
}

int ask_family(const struct family *f, uint8_t cmd, mnl_cb_t take, void *data)
{
	char buf[MESSAGE];
	bool dump = cmd == PAGENODE_CMD_GET_NODEMAP;

	return exchange(f, new_request(f, buf, cmd,
				       dump ? NLM_F_DUMP : NLM_F_ACK),
			take, data);
}

static void clear(const struct nlattr **attrs, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		attrs[i] = NULL;
}

void attributes(const struct nlmsghdr *message, const struct nlattr **attrs)
{
	const struct nlattr *a;

	clear(attrs, PAGENODE_A_MAX + 1);
	mnl_attr_for_each(a, message, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(a) > PAGENODE_A_MAX)
			fail("attribute %u is unknown", mnl_attr_get_type(a));
		attrs[mnl_attr_get_type(a)] = a;
	}
}

void nested(const struct nlattr *nest, const struct nlattr **attrs)
{
	const struct nlattr *a;

	clear(attrs, PAGENODE_STATS_A_MAX + 1);
	mnl_attr_for_each_nested(a, nest) {
		if (mnl_attr_get_type(a) > PAGENODE_STATS_A_MAX)
			fail("attribute %u of a nest is unknown",
			     mnl_attr_get_type(a));
		attrs[mnl_attr_get_type(a)] = a;
	}
}

uint64_t want_u64(const struct nlattr **attrs, int type)
{
	if (!attrs[type])
		fail("attribute %d is missing", type);
	if (mnl_attr_get_payload_len(attrs[type]) != sizeof(uint64_t))
		fail("attribute %d has not the size of a u64", type);
	return mnl_attr_get_u64(attrs[type]);
}

uint32_t want_u32(const struct nlattr **attrs, int type)
{
	if (!attrs[type])
		fail("attribute %d is missing", type);
	if (mnl_attr_get_payload_len(attrs[type]) != sizeof(uint32_t))
		fail("attribute %d has not the size of a u32", type);
	return mnl_attr_get_u32(attrs[type]);
}

void keep_capabilities(uint64_t permitted, uint64_t effective)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];
	int i;

	must(syscall(SYS_capget, &header, data));
	for (i = 0; i < 2; i++) {
		data[i].permitted &= permitted >> (32 * i);
		data[i].effective = data[i].permitted &
				    (effective >> (32 * i));
	}
	must(syscall(SYS_capset, &header, data));
}
