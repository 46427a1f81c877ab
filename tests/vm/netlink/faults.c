// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy of a request and its answer fails once, by the
 * kernel's fault injection. Then the answer is missing, which an error tells or
 * silence, or whole; and the next request is answered as ever.
 */
#include "netlink.h"

#include <fcntl.h>

#include "../cases/faults.h"

/* Many times what the longest answer takes. */
#define ROOM	(1 << 18)

struct reply {
	size_t len;
	char payload[ROOM];
};

static struct reply whole;
static struct reply now;

static int add_payload(const struct nlmsghdr *message, void *data)
{
	size_t len = mnl_nlmsg_get_payload_len(message);
	struct reply *a = data;

	if (a->len + len > ROOM)
		fail("an answer of more than %d bytes", ROOM);
	memcpy(a->payload + a->len, mnl_nlmsg_get_payload(message), len);
	a->len += len;
	return MNL_CB_OK;
}

/* A socket of its own each time: what is left of an answer goes with it. */
static struct family open_again(const struct family *f)
{
	struct family again = { .socket = open_socket(), .id = f->id };
	int fd = mnl_socket_get_fd(again.socket);

	must(fcntl(fd, F_SETFL, O_NONBLOCK));
	return again;
}

/* As receive(), but where there is nothing to receive it says so. */
static int try_receive(const struct family *f, struct reply *a)
{
	unsigned int port = mnl_socket_get_portid(f->socket);
	char buf[MESSAGE];
	ssize_t len;
	int ret;

	a->len = 0;
	do {
		len = mnl_socket_recvfrom(f->socket, buf, sizeof(buf));
		if (len < 0)
			return -errno;
		ret = mnl_cb_run(buf, len, 0, port, add_payload, a);
	} while (ret > MNL_CB_STOP);
	return ret < 0 ? -errno : 0;
}

static int try_exchange(const struct family *f,
			const struct nlmsghdr *request, struct reply *a)
{
	if (mnl_socket_sendto(f->socket, request, request->nlmsg_len) < 0)
		return -errno;
	return try_receive(f, a);
}

/* @nth is 0 for no fault. Returns whether there was one. */
static bool ask_once(const struct family *f, uint8_t cmd, unsigned int nth,
		     int *err)
{
	bool dump = cmd == PAGENODE_CMD_GET_NODEMAP;
	struct family again = open_again(f);
	char buf[MESSAGE];
	struct nlmsghdr *request =
		new_request(&again, buf, cmd, dump ? NLM_F_DUMP : NLM_F_ACK);
	bool failed;

	faults_arm(nth);
	*err = try_exchange(&again, request, &now);
	failed = faults_disarm() && nth;
	mnl_socket_close(again.socket);
	return failed;
}

static void want_whole(uint8_t cmd, unsigned int nth)
{
	if (now.len != whole.len || memcmp(now.payload, whole.payload, now.len))
		fail("command %u, fault %u: %zu bytes of answer that are not the %zu of before",
		     cmd, nth, now.len, whole.len);
}

static void want_answered(const struct family *f, uint8_t cmd)
{
	int err;

	ask_once(f, cmd, 0, &err);
	if (err)
		fail("command %u without a fault: %s", cmd, strerror(-err));
}

static bool is_fault(int err)
{
	return err == -ENOMEM || err == -ENOBUFS || err == -EFAULT ||
	       err == -EAGAIN;
}

static unsigned int fail_each(const struct family *f, uint8_t cmd)
{
	unsigned int refused = 0;
	unsigned int nth = 0;
	bool failed;
	int err;

	want_answered(f, cmd);
	whole = now;
	do {
		failed = ask_once(f, cmd, ++nth, &err);
		if (!err)
			want_whole(cmd, nth);
		else if (!failed || !is_fault(err))
			fail("command %u, fault %u: %s", cmd, nth,
			     strerror(-err));
		refused += !!err;
		want_answered(f, cmd);
		want_whole(cmd, 0);
	} while (failed);
	if (refused < 2)
		fail("command %u: %u of %u faults came to an error", cmd,
		     refused, nth - 1);
	return nth - 1;
}

void netlink_faults(void)
{
	struct family f = open_family();
	unsigned int info;
	unsigned int stats;

	faults_need();
	info = fail_each(&f, PAGENODE_CMD_GET_INFO);
	stats = fail_each(&f, PAGENODE_CMD_GET_STATS);
	note("%u faults in info, %u in the statistics, %u in the node map",
	     info, stats, fail_each(&f, PAGENODE_CMD_GET_NODEMAP));
}
