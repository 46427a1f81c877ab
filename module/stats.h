/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the ioctls did. Counters of each CPU, so that queries share no cache
 * line. They are 64 bits wide on 64-bit machines: one instruction adds, and a
 * reader sees no half.
 */
#ifndef PN_STATS_H
#define PN_STATS_H

#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/percpu.h>

#include "arch.h"

/* The ioctls with a query, by _IOC_NR(); 0 is INFO, which has none. */
#define PN_NR_IOCTLS	5

/* The last one takes all calls of 2^39 ns (9 minutes) and more. */
#define PN_NR_BUCKETS	40

/**
 * struct pn_stats - about one ioctl
 * @pages: base pages answered
 * @errors: calls that returned an error
 * @ns: nanoseconds that the calls took
 * @calls: calls by the log2 of their nanoseconds
 */
struct pn_stats {
	u64 pages;
	u64 errors;
	u64 ns;
	u64 calls[PN_NR_BUCKETS];
};

/* For the inline functions below only. PN_NR_IOCTLS of them, for each CPU. */
extern struct pn_stats __percpu *pn_cpu_stats;
extern u64 pn_clock_ns_mult;

int pn_stats_init(void);
void pn_stats_exit(void);

/*
 * Nanoseconds since pn_arch_clock() said @begin. None where the clocks of two
 * CPUs disagree about which came first.
 */
static __always_inline u64 pn_stats_ns(u64 begin)
{
	s64 ticks = pn_arch_clock() - begin;

	return ticks > 0 ? mul_u64_u64_shr(ticks, pn_clock_ns_mult, 32) : 0;
}

/* Count a call that took @ns. */
static __always_inline void pn_stats_add(unsigned int ioctl, u64 pages, int err,
					 u64 ns)
{
	struct pn_stats __percpu *stats = pn_cpu_stats + ioctl;
	unsigned int bucket = min(__ilog2_u64(ns | 1), PN_NR_BUCKETS - 1);

	this_cpu_add(stats->pages, pages);
	this_cpu_add(stats->ns, ns);
	this_cpu_inc(stats->calls[bucket]);
	if (err)
		this_cpu_inc(stats->errors);
}

/* The sum over all CPUs. Of a call that is just returning a part may be in. */
void pn_stats_sum(unsigned int ioctl, struct pn_stats *sum);

#endif /* PN_STATS_H */
