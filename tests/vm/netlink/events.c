// SPDX-License-Identifier: GPL-2.0-only
/* Notices of memory that comes and goes, and a module that does. */
#include "netlink.h"

#include <sys/time.h>

#include "../cases/blocks.h"
#include "../cases/reload.h"

#define PATIENCE_S	60

static void join(const struct family *f)
{
	struct timeval patience = { .tv_sec = PATIENCE_S };
	int group = f->group;

	must(mnl_socket_setsockopt(f->socket, NETLINK_ADD_MEMBERSHIP, &group,
				   sizeof(group)));
	must(setsockopt(mnl_socket_get_fd(f->socket), SOL_SOCKET, SO_RCVTIMEO,
			&patience, sizeof(patience)));
}

struct notice {
	struct range range;
	uint32_t change;
};

static int take_notice(const struct nlmsghdr *message, void *data)
{
	const struct genlmsghdr *header = mnl_nlmsg_get_payload(message);
	const struct nlattr *attrs[PAGENODE_A_MAX + 1];
	struct notice *n = data;

	if (header->cmd != PAGENODE_CMD_NODEMAP_CHANGED)
		fail("the notice is command %u", header->cmd);
	attributes(message, attrs);
	n->range = range_of(attrs);
	n->change = want_u32(attrs, PAGENODE_A_CHANGE);
	return MNL_CB_STOP;
}

static void want_notice(const struct family *f, unsigned long block,
			uint32_t change)
{
	uint64_t size = block_pages() * PAGE;
	struct notice n;
	int err = receive(f, take_notice, &n);

	if (err)
		fail("waiting for a notice: %s", strerror(-err));
	if (n.change != change || n.range.start != block * size ||
	    n.range.length != size || n.range.node != node_b() ||
	    n.range.generation != module_info().nodemap_generation)
		fail("memory%lu, change %u: %#llx bytes from %#llx, node %d, generation %llu",
		     block, n.change, (unsigned long long)n.range.length,
		     (unsigned long long)n.range.start, n.range.node,
		     (unsigned long long)n.range.generation);
}

static void change_block(unsigned long block, const char *state)
{
	if (!set_block(block, state))
		fail("memory%lu does not become %s: %s", block, state,
		     strerror(errno));
}

/* The one listener has privileges, the other none. */
void netlink_events(void)
{
	unsigned long block = movable_block();
	struct family listeners[2] = { open_family(), open_family() };
	struct family deaf = open_family();
	char byte;
	int i;

	join(listeners);
	keep_capabilities(ALL_CAPABILITIES, 0);
	listeners[1] = open_family();
	join(listeners + 1);
	keep_capabilities(ALL_CAPABILITIES, ALL_CAPABILITIES);
	change_block(block, "offline");
	for (i = 0; i < 2; i++)
		want_notice(listeners + i, block, PAGENODE_CHANGE_OFFLINE);
	change_block(block, "online_movable");
	for (i = 0; i < 2; i++)
		want_notice(listeners + i, block, PAGENODE_CHANGE_ONLINE);
	if (recv(mnl_socket_get_fd(deaf.socket), &byte, 1, MSG_DONTWAIT) >= 0)
		fail("who did not join gets notices too");
}

static int remove_module(void)
{
	return unload() ? -errno : 0;
}

static int take_anything(const struct nlmsghdr *message, void *data)
{
	(void)message;
	(void)data;
	return MNL_CB_OK;
}

static void want_unused(const struct family *f)
{
	struct all_stats all;
	size_t i;

	get_stats(f, &all);
	for (i = 1; i < sizeof(all.ioctl) / sizeof(all.ioctl[0]); i++)
		if (all.ioctl[i].calls || all.ioctl[i].nanoseconds)
			fail("ioctl %zu: %llu calls of a module just loaded", i,
			     (unsigned long long)all.ioctl[i].calls);
}

/*
 * A dump under way holds the module, a listener does not. The family goes with
 * the module and comes back with it.
 */
void netlink_rmmod(void)
{
	struct family listener = open_family();
	struct family f = open_family();
	char buf[MESSAGE];
	int err;

	join(&listener);
	send_request(&f, new_request(&f, buf, PAGENODE_CMD_GET_NODEMAP,
				     NLM_F_DUMP));
	err = remove_module();
	if (err != -EBUSY && err != -EAGAIN)
		fail("rmmod during a dump: %s", strerror(-err));
	err = receive(&f, take_anything, NULL);
	if (err)
		fail("the dump: %s", strerror(-err));
	err = remove_module();
	if (err)
		fail("rmmod with a listener: %s", strerror(-err));
	err = ask_family(&f, PAGENODE_CMD_GET_INFO, take_anything, NULL);
	if (!err)
		fail("the family answers without its module");
	err = try_resolve(&f);
	if (err != -ENOENT)
		fail("the family without its module: %s", strerror(-err));
	load();
	f = open_family();
	want_unused(&f);
}
