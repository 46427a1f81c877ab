// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <uapi/pagenode_genl.h>

static size_t put_payload(struct input *in, char *to)
{
	static const uint32_t values[] = {
		0, 1, 2, 63, 64, 1023, 1024, 0x7fffffff, 0x80000000, -1U
	};
	uint32_t value = TAKE_FROM(in, values);
	size_t i, nr;

	if (take_below(in, 2) == 0) {
		memcpy(to, &value, sizeof(value));
		return sizeof(value);
	}
	nr = take_below(in, 24);
	for (i = 0; i < nr; i++)
		to[i] = take(in, 1);
	return nr;
}

/* Most often a whole one; its length may be any, or be more than there is. */
static size_t put_attribute(struct input *in, char *to)
{
	struct nlattr a = {
		.nla_type = take_below(in, 2) == 1 ? take_below(in, 20) :
						     PAGENODE_A_NODE,
	};
	size_t len = NLA_HDRLEN + put_payload(in, to + NLA_HDRLEN);

	a.nla_len = len;
	switch (take_below(in, 8)) {
	case 1:
		a.nla_len = take(in, 2);
		break;
	case 4:
		a.nla_len += take_below(in, 9) - 4;
		break;
	case 2:
		a.nla_type |= NLA_F_NESTED;
		break;
	case 3:
		a.nla_type |= take(in, 2);
		break;
	}
	memcpy(to, &a, sizeof(a));
	return NLA_ALIGN(len);
}

static uint16_t choose_flags(struct input *in, uint8_t cmd)
{
	static const uint16_t others[] = {
		0, NLM_F_ACK, NLM_F_ECHO, NLM_F_ROOT, NLM_F_MATCH, NLM_F_DUMP,
		NLM_F_ACK | NLM_F_DUMP,
	};
	uint16_t flags = cmd == PAGENODE_CMD_GET_NODEMAP ? NLM_F_DUMP : 0;

	switch (take_below(in, 4)) {
	case 1:
		return NLM_F_REQUEST | TAKE_FROM(in, others);
	case 2:
		return take_below(in, 8) == 1 ? take(in, 2) :
			NLM_F_REQUEST | flags | NLM_F_ACK;
	default:
		return NLM_F_REQUEST | flags;
	}
}

/* No other family's: some of them change the machine. */
size_t choose_message(struct input *in, uint16_t family, void *buf,
		      size_t size)
{
	uint8_t cmd = take_below(in, 8) == 1 ? take(in, 1) :
					       1 + take_below(in, 3);
	struct nlmsghdr header = {
		.nlmsg_type = take_below(in, 16) == 1 ?
			      take_below(in, NLMSG_MIN_TYPE) : family,
		.nlmsg_flags = choose_flags(in, cmd),
		.nlmsg_seq = take(in, 1),
		.nlmsg_pid = take_below(in, 8) == 1 ? take(in, 4) : 0,
	};
	struct genlmsghdr genl = {
		.cmd = cmd,
		.version = take_below(in, 4) == 1 ? take(in, 1) :
						    PAGENODE_GENL_VERSION,
		.reserved = take_below(in, 8) == 1 ? take(in, 2) : 0,
	};
	size_t len = NLMSG_HDRLEN + GENL_HDRLEN;
	unsigned int attributes = take_below(in, 3) == 1 ? take_below(in, 8) : 0;

	while (attributes-- && len < size / 2)
		len += put_attribute(in, (char *)buf + len);
	header.nlmsg_len = len;
	if (take_below(in, 8) == 1)
		header.nlmsg_len = take_below(in, 2) ? take(in, 4) :
						       take_below(in, 64);
	memcpy(buf, &header, sizeof(header));
	memcpy((char *)buf + NLMSG_HDRLEN, &genl, sizeof(genl));
	return take_below(in, 8) == 1 ? take(in, 1) % (len + 1) : len;
}
