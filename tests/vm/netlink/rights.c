// SPDX-License-Identifier: GPL-2.0-only
/* Who may ask what. */
#include "netlink.h"

#include <linux/capability.h>
#include <sched.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON	38
#endif

#define ONLY(cap)	(1ULL << (cap))

static int take_anything(const struct nlmsghdr *message, void *data)
{
	(void)message;
	(void)data;
	return MNL_CB_OK;
}

/* Older kernels have no room for words where a dump is refused. */
static bool has_words(uint8_t cmd)
{
	return cmd != PAGENODE_CMD_GET_NODEMAP || kernel_at_least(6, 12);
}

static void want(const struct family *f, const char *who, uint8_t cmd, int err)
{
	int got = ask_family(f, cmd, take_anything, NULL);

	if (got != -err)
		fail("%s, command %u: %s, not %s", who, cmd, strerror(-got),
		     strerror(err));
	if (err && has_words(cmd) && !strstr(ack_message, "CAP_SYS_ADMIN"))
		fail("%s, command %u: the ack says '%s'", who, cmd,
		     ack_message);
}

static void want_all(const struct family *f, const char *who, int stats,
		     int nodemap)
{
	int group = f->group;

	want(f, who, PAGENODE_CMD_GET_INFO, 0);
	want(f, who, PAGENODE_CMD_GET_STATS, stats);
	want(f, who, PAGENODE_CMD_GET_NODEMAP, nodemap);
	if (mnl_socket_setsockopt(f->socket, NETLINK_ADD_MEMBERSHIP, &group,
				  sizeof(group)))
		fail("%s may not hear of events: %s", who, strerror(errno));
}

static const struct holder {
	const char *who;
	uint64_t capabilities;
	int stats;
	int nodemap;
} holders[] = {
	{ "root", ALL_CAPABILITIES, 0, 0 },
	{ "CAP_SYS_ADMIN alone", ONLY(CAP_SYS_ADMIN), 0, 0 },
	{ "CAP_PERFMON alone", ONLY(CAP_PERFMON), 0, EPERM },
	{ "CAP_NET_ADMIN alone", ONLY(CAP_NET_ADMIN), EPERM, EPERM },
	{ "all but these two",
	  ~(ONLY(CAP_SYS_ADMIN) | ONLY(CAP_PERFMON)), EPERM, EPERM },
	{ "none", 0, EPERM, EPERM },
};

static void ask_as(void *arg)
{
	const struct holder *h = arg;
	struct family f;

	keep_capabilities(h->capabilities, ALL_CAPABILITIES);
	f = open_family();
	want_all(&f, h->who, h->stats, h->nodemap);
}

static void ask_as_nobody(void *arg)
{
	struct family f;

	(void)arg;
	must(setresuid(65534, 65534, 65534));
	f = open_family();
	want_all(&f, "nobody", EPERM, EPERM);
}

/* A socket of root's in the hands of others is no way in. */
static void ask_by_roots_socket(void *arg)
{
	struct family f = open_family();

	(void)arg;
	keep_capabilities(0, 0);
	want_all(&f, "nobody by root's socket", EPERM, EPERM);
}

/*
 * Nor may others have root write what they want to a socket of theirs, say as
 * the standard output of a program. Who names the address to send to means it.
 */
static void ask_by_nobodys_socket(void *arg)
{
	static const uint8_t cmd[] = {
		PAGENODE_CMD_GET_STATS, PAGENODE_CMD_GET_NODEMAP,
	};
	char buf[MESSAGE];
	struct nlmsghdr *request;
	struct family f;
	size_t i;
	int err;

	(void)arg;
	keep_capabilities(ALL_CAPABILITIES, 0);
	f = open_family();
	keep_capabilities(ALL_CAPABILITIES, ALL_CAPABILITIES);
	for (i = 0; i < sizeof(cmd); i++) {
		request = new_request(&f, buf, cmd[i],
				      i ? NLM_F_DUMP : NLM_F_ACK);
		must(write(mnl_socket_get_fd(f.socket), request,
			   request->nlmsg_len));
		err = receive(&f, take_anything, NULL);
		if (err != -EPERM)
			fail("root by nobody's socket, command %u: %s", cmd[i],
			     strerror(-err));
	}
}

void netlink_rights(void)
{
	size_t i;

	for (i = 0; i < sizeof(holders) / sizeof(holders[0]); i++)
		in_child(ask_as, (void *)(holders + i));
	in_child(ask_as_nobody, NULL);
	in_child(ask_by_roots_socket, NULL);
	in_child(ask_by_nobodys_socket, NULL);
}

/* Root of a container that shares the network: all capabilities, over itself. */
static void ask_in_user_namespace(void *arg)
{
	struct family f;

	(void)arg;
	must(unshare(CLONE_NEWUSER));
	f = open_family();
	want_all(&f, "root of a user namespace", EPERM, EPERM);
}

static void ask_in_network_namespace(void *arg)
{
	struct family f;
	int err;

	(void)arg;
	if (unshare(CLONE_NEWNET))
		skip("this kernel gives no network namespace: %s",
		     strerror(errno));
	f = (struct family){ .socket = open_socket() };
	err = try_resolve(&f);
	if (err != -ENOENT)
		fail("in another network namespace: %s, not %s", strerror(-err),
		     strerror(ENOENT));
}

void netlink_namespaces(void)
{
	in_child(ask_in_user_namespace, NULL);
	in_child(ask_in_network_namespace, NULL);
}
