// SPDX-License-Identifier: GPL-2.0-only
/* What is loaded, and what becomes of requests that break a rule. */
#include "netlink.h"

static int take_info(const struct nlmsghdr *message, void *data)
{
	attributes(message, data);
	return MNL_CB_OK;
}

/* The same that the ioctl says, attribute by attribute. */
void netlink_info(void)
{
	const struct nlattr *attrs[PAGENODE_A_MAX + 1] = { NULL };
	const struct genlmsghdr *header;
	struct pagenode_info want = module_info();
	struct family f = open_family();
	char request[MESSAGE];
	char buf[MESSAGE];
	ssize_t len;

	send_request(&f, new_request(&f, request, PAGENODE_CMD_GET_INFO, 0));
	len = must(mnl_socket_recvfrom(f.socket, buf, sizeof(buf)));
	if (mnl_cb_run(buf, len, 0, mnl_socket_get_portid(f.socket), take_info,
		       attrs) < 0)
		fail("GET_INFO: %s", strerror(errno));
	header = mnl_nlmsg_get_payload((void *)buf);
	if (header->cmd != PAGENODE_CMD_GET_INFO ||
	    header->version != PAGENODE_GENL_VERSION)
		fail("the answer is command %u, version %u", header->cmd,
		     header->version);
	if (want_u32(attrs, PAGENODE_A_ABI_VERSION) != want.abi_version ||
	    want_u64(attrs, PAGENODE_A_FEATURES) != want.features ||
	    want_u32(attrs, PAGENODE_A_PAGE_SHIFT) != want.page_shift ||
	    want_u32(attrs, PAGENODE_A_NR_NODE_IDS) != want.nr_node_ids ||
	    want_u64(attrs, PAGENODE_A_GENERATION) != want.nodemap_generation)
		fail("GET_INFO and the ioctl do not agree");
	if (!attrs[PAGENODE_A_VERSION] ||
	    mnl_attr_validate(attrs[PAGENODE_A_VERSION], MNL_TYPE_NUL_STRING) ||
	    strcmp(mnl_attr_get_str(attrs[PAGENODE_A_VERSION]), want.version))
		fail("the version is not '%s'", want.version);
	/* The section size of x86-64 */
	if (want_u64(attrs, PAGENODE_A_SECTION_SIZE) != 128 << 20)
		fail("a section has %llu bytes", (unsigned long long)
		     want_u64(attrs, PAGENODE_A_SECTION_SIZE));
}

#define UNKNOWN_ATTRIBUTE	200
#define UNKNOWN_COMMAND		77
#define NO_SUCH_NODE		(1 << 20)

static void put_unknown(struct nlmsghdr *request)
{
	mnl_attr_put_u32(request, UNKNOWN_ATTRIBUTE, 1);
}

static void put_node(struct nlmsghdr *request)
{
	mnl_attr_put_u32(request, PAGENODE_A_NODE, 0);
}

static void put_of_answers(struct nlmsghdr *request)
{
	mnl_attr_put_u64(request, PAGENODE_A_START, 0);
}

static void put_short_node(struct nlmsghdr *request)
{
	mnl_attr_put_u16(request, PAGENODE_A_NODE, 0);
}

static void put_long_node(struct nlmsghdr *request)
{
	mnl_attr_put_u64(request, PAGENODE_A_NODE, 0);
}

static void put_nested_node(struct nlmsghdr *request)
{
	mnl_attr_put_u32(request, PAGENODE_A_NODE | NLA_F_NESTED, 0);
}

static void put_far_node(struct nlmsghdr *request)
{
	mnl_attr_put_u32(request, PAGENODE_A_NODE, NO_SUCH_NODE);
}

/* The attribute's length says more than the message has. */
static void put_truncated_node(struct nlmsghdr *request)
{
	struct nlattr *a = mnl_nlmsg_get_payload_tail(request);

	mnl_attr_put_u32(request, PAGENODE_A_NODE, 0);
	a->nla_len += 8;
}

static void put_half_an_attribute(struct nlmsghdr *request)
{
	request->nlmsg_len += 3;
}

static void put_nothing(struct nlmsghdr *request)
{
	(void)request;
}

/* Only the header of netlink itself. */
static void cut_header(struct nlmsghdr *request)
{
	request->nlmsg_len = NLMSG_HDRLEN;
}

static const struct bad_request {
	const char *what;
	void (*put)(struct nlmsghdr *request);
	uint8_t cmd;
	uint16_t flags;
	int err;
} bad_requests[] = {
	{ "unknown attribute of GET_INFO", put_unknown,
	  PAGENODE_CMD_GET_INFO, NLM_F_ACK, EINVAL },
	{ "unknown attribute of GET_STATS", put_unknown,
	  PAGENODE_CMD_GET_STATS, NLM_F_ACK, EINVAL },
	{ "unknown attribute of GET_NODEMAP", put_unknown,
	  PAGENODE_CMD_GET_NODEMAP, NLM_F_DUMP, EINVAL },
	{ "node for GET_INFO", put_node,
	  PAGENODE_CMD_GET_INFO, NLM_F_ACK, EINVAL },
	{ "node for GET_STATS", put_node,
	  PAGENODE_CMD_GET_STATS, NLM_F_ACK, EINVAL },
	{ "attribute of answers", put_of_answers,
	  PAGENODE_CMD_GET_NODEMAP, NLM_F_DUMP, EINVAL },
	{ "node of 16 bits", put_short_node,
	  PAGENODE_CMD_GET_NODEMAP, NLM_F_DUMP, EINVAL },
	{ "node of 64 bits", put_long_node,
	  PAGENODE_CMD_GET_NODEMAP, NLM_F_DUMP, EINVAL },
	{ "node that is a nest", put_nested_node,
	  PAGENODE_CMD_GET_NODEMAP, NLM_F_DUMP, EINVAL },
	{ "node out of range", put_far_node,
	  PAGENODE_CMD_GET_NODEMAP, NLM_F_DUMP, ERANGE },
	{ "truncated attribute", put_truncated_node,
	  PAGENODE_CMD_GET_NODEMAP, NLM_F_DUMP, EINVAL },
	{ "three bytes too many", put_half_an_attribute,
	  PAGENODE_CMD_GET_INFO, NLM_F_ACK, EINVAL },
	{ "no header of generic netlink", cut_header,
	  PAGENODE_CMD_GET_INFO, NLM_F_ACK, EINVAL },
	{ "unknown command", put_nothing,
	  UNKNOWN_COMMAND, NLM_F_ACK, EOPNOTSUPP },
	{ "command 0", put_nothing,
	  PAGENODE_CMD_UNSPEC, NLM_F_ACK, EOPNOTSUPP },
	{ "notice as a request", put_nothing,
	  PAGENODE_CMD_NODEMAP_CHANGED, NLM_F_ACK, EOPNOTSUPP },
	{ "GET_NODEMAP that is no dump", put_nothing,
	  PAGENODE_CMD_GET_NODEMAP, NLM_F_ACK, EOPNOTSUPP },
	{ "GET_INFO as a dump", put_nothing,
	  PAGENODE_CMD_GET_INFO, NLM_F_DUMP, EOPNOTSUPP },
	{ "GET_STATS as a dump", put_nothing,
	  PAGENODE_CMD_GET_STATS, NLM_F_DUMP, EOPNOTSUPP },
};

#define NR_BAD_REQUESTS	(sizeof(bad_requests) / sizeof(bad_requests[0]))

/* The kernel has no words about a command or a header that it does not find. */
static bool has_words(const struct bad_request *bad)
{
	return bad->err != EOPNOTSUPP && bad->put != cut_header;
}

static int take_anything(const struct nlmsghdr *message, void *data)
{
	(void)message;
	(void)data;
	return MNL_CB_OK;
}

/* Each is refused with words, and the next good request is answered. */
void netlink_bad_requests(void)
{
	struct family f = open_family();
	size_t i;

	for (i = 0; i < NR_BAD_REQUESTS; i++) {
		const struct bad_request *bad = bad_requests + i;
		char buf[MESSAGE] = { 0 };
		struct nlmsghdr *request = new_request(&f, buf, bad->cmd,
						       bad->flags);
		int err;

		bad->put(request);
		err = exchange(&f, request, take_anything, NULL);
		if (err != -bad->err)
			fail("%s: %s, not %s", bad->what, strerror(-err),
			     strerror(bad->err));
		if (has_words(bad) && !ack_message[0])
			fail("%s: the ack says nothing", bad->what);
		err = ask_family(&f, PAGENODE_CMD_GET_INFO, take_anything,
				 NULL);
		if (err)
			fail("after %s: %s", bad->what, strerror(-err));
	}
	note("%zu bad requests", NR_BAD_REQUESTS);
}
