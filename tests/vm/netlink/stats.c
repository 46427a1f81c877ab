// SPDX-License-Identifier: GPL-2.0-only
/* The statistics after queries whose number and outcome are known. */
#include "netlink.h"

#define STATUS	_IOC_NR(PAGENODE_IOC_STATUS)
#define EXTENTS	_IOC_NR(PAGENODE_IOC_EXTENTS)
#define COUNTS	_IOC_NR(PAGENODE_IOC_COUNTS)
#define PAGES	_IOC_NR(PAGENODE_IOC_PAGES)
#define NR	(sizeof(((struct all_stats *)0)->ioctl) / sizeof(struct stats))

static void take_one(const struct nlattr *nest, struct all_stats *all)
{
	const struct nlattr *attrs[PAGENODE_STATS_A_MAX + 1];
	const struct nlattr *histogram;
	struct stats *s;
	uint32_t nr;

	nested(nest, attrs);
	nr = want_u32(attrs, PAGENODE_STATS_A_IOCTL);
	if (nr < STATUS || nr > PAGES)
		fail("statistics of ioctl %u", nr);
	s = all->ioctl + nr;
	if (s->calls != UINT64_MAX)
		fail("ioctl %u is there twice", nr);
	s->calls = want_u64(attrs, PAGENODE_STATS_A_CALLS);
	s->pages = want_u64(attrs, PAGENODE_STATS_A_PAGES);
	s->errors = want_u64(attrs, PAGENODE_STATS_A_ERRORS);
	s->nanoseconds = want_u64(attrs, PAGENODE_STATS_A_NANOSECONDS);
	histogram = attrs[PAGENODE_STATS_A_HISTOGRAM];
	if (!histogram ||
	    mnl_attr_get_payload_len(histogram) != sizeof(s->histogram))
		fail("ioctl %u: no histogram of %d elements", nr, NR_BUCKETS);
	memcpy(s->histogram, mnl_attr_get_payload(histogram),
	       sizeof(s->histogram));
}

static int take_stats(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *a;

	mnl_attr_for_each(a, message, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(a) != PAGENODE_A_STATS)
			fail("GET_STATS: attribute %u", mnl_attr_get_type(a));
		take_one(a, data);
	}
	return MNL_CB_OK;
}

static uint64_t histogram_sum(const struct stats *s)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < NR_BUCKETS; i++)
		sum += s->histogram[i];
	return sum;
}

void get_stats(const struct family *f, struct all_stats *all)
{
	size_t i;
	int err;

	for (i = 0; i < NR; i++)
		all->ioctl[i] = (struct stats){ .calls = UINT64_MAX };
	err = ask_family(f, PAGENODE_CMD_GET_STATS, take_stats, all);
	if (err)
		fail("GET_STATS: %s", strerror(-err));
	for (i = STATUS; i < NR; i++)
		if (all->ioctl[i].calls != histogram_sum(all->ioctl + i))
			fail("ioctl %zu: %llu calls, but %llu in the histogram",
			     i, (unsigned long long)all->ioctl[i].calls,
			     (unsigned long long)
			     histogram_sum(all->ioctl + i));
}

static void subtract(struct stats *s, const struct stats *before)
{
	int i;

	s->calls -= before->calls;
	s->pages -= before->pages;
	s->errors -= before->errors;
	s->nanoseconds -= before->nanoseconds;
	for (i = 0; i < NR_BUCKETS; i++)
		s->histogram[i] -= before->histogram[i];
}

/* The total must lie between what the histogram's bounds add up to. */
static void want_nanoseconds(const char *when, const struct stats *s)
{
	uint64_t least = 0;
	uint64_t most = 0;
	int i;

	for (i = 0; i < NR_BUCKETS; i++) {
		least += i ? s->histogram[i] << i : 0;
		most += s->histogram[i] * ((2ULL << i) - 1);
	}
	if (s->nanoseconds < least || s->nanoseconds > most)
		fail("%s: %llu ns, but %llu to %llu by the histogram", when,
		     (unsigned long long)s->nanoseconds,
		     (unsigned long long)least, (unsigned long long)most);
}

struct all_stats stats_changes(const struct family *f)
{
	static struct all_stats last;
	struct all_stats now;
	struct all_stats change;
	size_t i;

	get_stats(f, &now);
	change = now;
	for (i = STATUS; i < NR; i++) {
		subtract(change.ioctl + i, last.ioctl + i);
		want_nanoseconds("since the last time", change.ioctl + i);
	}
	last = now;
	return change;
}

void want_stats(const char *what, const struct all_stats *change, size_t nr,
		uint64_t calls, uint64_t pages, uint64_t errors)
{
	size_t i;

	for (i = STATUS; i < NR; i++) {
		const struct stats *s = change->ioctl + i;
		bool ours = i == nr;

		if (s->calls != (ours ? calls : 0) ||
		    s->pages != (ours ? pages : 0) ||
		    s->errors != (ours ? errors : 0))
			fail("%s: of ioctl %zu %llu calls, %llu pages, %llu errors",
			     what, i, (unsigned long long)s->calls,
			     (unsigned long long)s->pages,
			     (unsigned long long)s->errors);
	}
}

/* Asks and expects the statistics to show it. */
static void count(const struct family *f, const char *what,
		  unsigned long request, struct pagenode_query *q, int err,
		  uint64_t pages)
{
	struct all_stats change;
	int got = ask(request, q);

	if (got != err)
		fail("%s: %s, not %s", what, strerror(-got), strerror(-err));
	change = stats_changes(f);
	want_stats(what, &change, _IOC_NR(request), 1, pages, err ? 1 : 0);
}

#define NR_PAGES	100

static void count_errors(const struct family *f, char *p, int *status)
{
	struct pagenode_query q = question(p, NR_PAGES, status);
	struct pagenode_extent extent;

	q.flags = 1U << 31;
	count(f, "unknown flag", PAGENODE_IOC_STATUS, &q, -EINVAL, 0);
	q = question(p, NR_PAGES, status);
	q.out_len = NR_PAGES - 1;
	count(f, "short array", PAGENODE_IOC_STATUS, &q, -ENOSPC, 0);
	q = question(p, NR_PAGES, status);
	q.size = 8;
	count(f, "short struct", PAGENODE_IOC_STATUS, &q, -EINVAL, 0);
	count(f, "no struct", PAGENODE_IOC_PAGES, NULL, -EFAULT, 0);
	q = question(p, NR_PAGES, status + NR_PAGES / 2);
	count(f, "half an array", PAGENODE_IOC_STATUS, &q, -EFAULT,
	      NR_PAGES / 2);
	q = question(p, NR_PAGES, (int *)&extent);
	q.out_len = 1;
	count(f, "one extent", PAGENODE_IOC_EXTENTS, &q, 0, NR_PAGES / 2);
}

void netlink_stats(void)
{
	struct family f = open_family();
	struct pagenode_extent extents[2];
	uint64_t counts[1024];
	uint64_t list[NR_PAGES];
	int *status = new_statuses(NR_PAGES);
	char *p = map_anon(NR_PAGES * PAGE);
	struct pagenode_query q = question(p, NR_PAGES, status);
	int i;

	touch_on(node_a(), p, NR_PAGES * PAGE / 2);
	stats_changes(&f);
	count(&f, "STATUS", PAGENODE_IOC_STATUS, &q, 0, NR_PAGES);
	q = question(p, NR_PAGES, (int *)extents);
	q.out_len = 2;
	count(&f, "EXTENTS", PAGENODE_IOC_EXTENTS, &q, 0, NR_PAGES);
	q = question(p, NR_PAGES, (int *)counts);
	q.out_len = 1024;
	count(&f, "COUNTS", PAGENODE_IOC_COUNTS, &q, 0, NR_PAGES);
	for (i = 0; i < NR_PAGES; i++)
		list[i] = (uintptr_t)p;
	q = question(list, NR_PAGES, status);
	count(&f, "PAGES", PAGENODE_IOC_PAGES, &q, 0, NR_PAGES);
	q = question(p, 0, status);
	count(&f, "no pages", PAGENODE_IOC_STATUS, &q, 0, 0);
	count_errors(&f, p, status);
}
