// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink without libmnl, which would not send what is wrong. A socket is closed
 * with what has not been read of its answers.
 */
#include "fuzz.h"

#include <linux/capability.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <uapi/pagenode_genl.h>

#define MESSAGE		1024
#define ANSWER		(32UL << 10)

static int sock = -1;
static uint16_t family;
static char answer[ANSWER];

static void reopen(void)
{
	static const int options[] = { NETLINK_EXT_ACK, NETLINK_CAP_ACK };
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK };
	size_t i;
	int on = 1;

	if (sock >= 0)
		close(sock);
	sock = must(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			   NETLINK_GENERIC));
	must(bind(sock, (struct sockaddr *)&addr, sizeof(addr)));
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		must(setsockopt(sock, SOL_NETLINK, options[i], &on,
				sizeof(on)));
}

/* The next attribute from @at on, or NULL; fails if it is cut off. */
static const struct nlattr *attribute(const char *at, const char *end)
{
	const struct nlattr *a = (const void *)at;

	if (at >= end)
		return NULL;
	if (end - at < NLA_HDRLEN || a->nla_len < NLA_HDRLEN ||
	    a->nla_len > end - at)
		wrong("an attribute of an answer is cut off");
	return a;
}

static const char *behind(const struct nlattr *a)
{
	return (const char *)a + NLA_ALIGN(a->nla_len);
}

void netlink_open(void)
{
	struct {
		struct nlmsghdr header;
		struct genlmsghdr genl;
		struct nlattr name;
		char text[12];
	} request = {
		.header = { sizeof(request), GENL_ID_CTRL, NLM_F_REQUEST, 0, 0 },
		.genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.name = { NLA_HDRLEN + sizeof(PAGENODE_GENL_NAME),
			  CTRL_ATTR_FAMILY_NAME },
		.text = PAGENODE_GENL_NAME,
	};
	const struct nlattr *a;
	const char *at, *end;

	reopen();
	must(send(sock, &request, sizeof(request), 0));
	end = answer + must(recv(sock, answer, sizeof(answer), 0));
	at = answer + NLMSG_HDRLEN + GENL_HDRLEN;
	for (; (a = attribute(at, end)); at = behind(a))
		if (a->nla_type == CTRL_ATTR_FAMILY_ID)
			memcpy(&family, at + NLA_HDRLEN, sizeof(family));
	if (!family)
		fail("no netlink family " PAGENODE_GENL_NAME);
}

/* With the rights of root, or with none of them */
static void set_rights(bool all)
{
	static struct __user_cap_data_struct own[2];
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (!own[0].permitted)
		must(syscall(SYS_capget, &header, own));
	memcpy(data, own, sizeof(data));
	if (!all) {
		data[0].effective = 0;
		data[1].effective = 0;
	}
	must(syscall(SYS_capset, &header, data));
}

static enum command command_of(const struct nlmsghdr *header, size_t len)
{
	const struct genlmsghdr *genl = (const void *)(header + 1);

	if (len < NLMSG_HDRLEN + GENL_HDRLEN || header->nlmsg_type != family ||
	    genl->cmd < PAGENODE_CMD_GET_INFO ||
	    genl->cmd > PAGENODE_CMD_GET_NODEMAP)
		return NO_REQUEST;
	return GET_INFO + genl->cmd - PAGENODE_CMD_GET_INFO;
}

static void check_nest(const struct nlattr *nest)
{
	const char *at = (const char *)nest + NLA_HDRLEN;
	const char *end = (const char *)nest + nest->nla_len;
	const struct nlattr *a;

	for (; (a = attribute(at, end)); at = behind(a))
		if ((a->nla_type & NLA_TYPE_MASK) > PAGENODE_STATS_A_MAX)
			wrong("an unknown attribute of statistics");
}

static void check_answer(const struct nlmsghdr *header, enum command command)
{
	const struct genlmsghdr *genl = (const void *)(header + 1);
	const char *at = (const char *)(genl + 1);
	const char *end = (const char *)header + header->nlmsg_len;
	const struct nlattr *a;
	unsigned int type;

	if (header->nlmsg_type != family || at > end ||
	    command_of(header, header->nlmsg_len) != command)
		wrong("an answer to another question");
	for (; (a = attribute(at, end)); at = behind(a)) {
		type = a->nla_type & NLA_TYPE_MASK;
		if (type == PAGENODE_A_UNSPEC || type > PAGENODE_A_MAX)
			wrong("an unknown attribute");
		if (type == PAGENODE_A_STATS)
			check_nest(a);
	}
}

/* True if more is to come. */
static bool take_answer(const struct nlmsghdr *header, enum command command)
{
	int err;

	if (header->nlmsg_type == NLMSG_ERROR ||
	    header->nlmsg_type == NLMSG_DONE) {
		memcpy(&err, header + 1, sizeof(err));
		tally(command, err);
		return false;
	}
	check_answer(header, command);
	if (header->nlmsg_flags & NLM_F_MULTI)
		return true;
	tally(command, 0);
	return false;
}

static bool take_piece(size_t len, enum command command)
{
	const struct nlmsghdr *header = (const void *)answer;
	bool more = false;

	while (len >= NLMSG_HDRLEN) {
		if (header->nlmsg_len < NLMSG_HDRLEN || header->nlmsg_len > len)
			wrong("an answer is cut off");
		more = take_answer(header, command);
		if (NLMSG_ALIGN(header->nlmsg_len) >= len)
			break;
		len -= NLMSG_ALIGN(header->nlmsg_len);
		header = (const void *)((const char *)header +
					NLMSG_ALIGN(header->nlmsg_len));
	}
	return more;
}

void fuzz_netlink(struct input *in)
{
	static char message[MESSAGE];
	enum command command;
	uint32_t way = take_below(in, 8);
	size_t len, room = sizeof(answer);
	ssize_t got;

	memset(message, 0, sizeof(message));
	len = choose_message(in, family, message, sizeof(message));
	command = command_of((const void *)message, len);
	set_rights(way != 1 && way != 2);
	send(sock, message, len, 0);
	if (way == 7)
		room = take_below(in, 64);
	do
		got = recv(sock, answer, room, MSG_DONTWAIT);
	while (way != 6 && got > 0 && way != 7 && take_piece(got, command));
	set_rights(true);
	if (way >= 6 || recv(sock, answer, sizeof(answer), MSG_DONTWAIT) > 0)
		reopen();
}
