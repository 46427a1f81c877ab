// SPDX-License-Identifier: GPL-2.0-only
/* The statistics and the node map, read while all of it changes. */
#include "../netlink/netlink.h"
#include "ops.h"

static struct family *family(void)
{
	static struct family f;

	if (!f.socket)
		f = open_family();
	return &f;
}

static int take_stats(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *attrs[PAGENODE_STATS_A_MAX + 1];
	static uint64_t last[NR_QUERIES];
	const struct nlattr *a;

	(void)data;
	mnl_attr_for_each(a, message, sizeof(struct genlmsghdr)) {
		uint32_t nr;
		uint64_t calls;

		nested(a, attrs);
		nr = want_u32(attrs, PAGENODE_STATS_A_IOCTL);
		calls = want_u64(attrs, PAGENODE_STATS_A_CALLS);
		if (nr >= NR_QUERIES || calls < last[nr])
			fail("ioctl %u: %llu calls, and fewer than before", nr,
			     (unsigned long long)calls);
		last[nr] = calls;
	}
	return MNL_CB_OK;
}

bool op_stats(struct actor *a)
{
	int err = ask_family(family(), PAGENODE_CMD_GET_STATS, take_stats, a);

	if (err)
		fail("GET_STATS: %s", strerror(-err));
	return true;
}

static int take_range(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *attrs[PAGENODE_A_MAX + 1];
	uint64_t *end = data;
	struct range r;

	attributes(message, attrs);
	r = range_of(attrs);
	if (!r.length || r.start < *end || (r.node >= 0 && !is_node(r.node)))
		fail("node map: %#llx bytes from %#llx of node %d, after %#llx",
		     (unsigned long long)r.length, (unsigned long long)r.start,
		     r.node, (unsigned long long)*end);
	*end = r.start + r.length;
	return MNL_CB_OK;
}

/* A dump says so if memory came or went meanwhile. */
bool op_nodemap(struct actor *a)
{
	uint64_t end = 0;
	int err = ask_family(family(), PAGENODE_CMD_GET_NODEMAP, take_range,
			     &end);

	(void)a;
	if (err && err != -EINTR)
		fail("GET_NODEMAP: %s", strerror(-err));
	return !err;
}

/* Now that nobody asks, the sums must be right: get_stats() sees to it. */
void check_final_stats(void)
{
	struct all_stats all;
	uint64_t calls = 0;
	uint64_t asked = 0;
	size_t i;

	get_stats(family(), &all);
	for (i = 0; i < sizeof(all.ioctl) / sizeof(all.ioctl[0]); i++)
		if (all.ioctl[i].calls != UINT64_MAX)
			calls += all.ioctl[i].calls;
	for (i = 0; i < NR_QUERIES * NR_SUBJECTS; i++)
		asked += atomic_load(&shared->query[0][0] + i);
	if (calls < asked)
		fail("%llu queries were answered, and %llu counted",
		     (unsigned long long)asked, (unsigned long long)calls);
}
