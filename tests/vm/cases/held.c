// SPDX-License-Identifier: GPL-2.0-only
/* A query that stops in the middle. */
#include "case.h"

#include "held.h"
#include "uffd.h"

static void *run_query(void *arg)
{
	struct held *h = arg;

	h->err = ioctl(h->device, PAGENODE_IOC_STATUS, &h->q) ? errno : 0;
	return NULL;
}

void hold_query(struct held *h, struct pagenode_query q)
{
	size_t len = q.nr_pages * sizeof(int);
	void *out = map_anon(len);
	struct uffd_msg msg;

	h->q = q;
	h->q.out = (uintptr_t)out;
	h->q.out_len = q.nr_pages;
	h->device = device();
	h->uffd = must(new_uffd(0, 0));
	uffd_register(h->uffd, out, (len + PAGE - 1) / PAGE,
		      UFFDIO_REGISTER_MODE_MISSING);
	h->thread = start_thread(run_query, h);
	must(read(h->uffd, &msg, sizeof(msg)));
	if (msg.event != UFFD_EVENT_PAGEFAULT)
		fail("event %d of a userfaultfd", msg.event);
}

const int *finish_query(struct held *h)
{
	/* Lets the faults that wait for it go on as if it had never been. */
	close(h->uffd);
	pthread_join(h->thread, NULL);
	if (h->err)
		fail("a query that was held up: %s", strerror(h->err));
	return (const int *)(uintptr_t)h->q.out;
}
