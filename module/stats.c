// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/time64.h>

#include "stats.h"

/* Allocated: the room for per-CPU variables of modules is small. */
struct pn_stats __percpu *pn_cpu_stats;
u64 pn_clock_ns_mult;

void pn_stats_sum(unsigned int ioctl, struct pn_stats *sum)
{
	unsigned int i;
	int cpu;

	*sum = (struct pn_stats) { 0 };
	for_each_possible_cpu(cpu) {
		const struct pn_stats *stats =
			per_cpu_ptr(pn_cpu_stats + ioctl, cpu);

		sum->pages += READ_ONCE(stats->pages);
		sum->errors += READ_ONCE(stats->errors);
		sum->ns += READ_ONCE(stats->ns);
		for (i = 0; i < PN_NR_BUCKETS; i++)
			sum->calls[i] += READ_ONCE(stats->calls[i]);
	}
}

int pn_stats_init(void)
{
	u32 khz = pn_arch_clock_khz();

	pn_clock_ns_mult = khz ? div_u64((u64)NSEC_PER_MSEC << 32, khz) : 0;
	pn_cpu_stats = __alloc_percpu(PN_NR_IOCTLS * sizeof(*pn_cpu_stats),
				      __alignof__(*pn_cpu_stats));
	return pn_cpu_stats ? 0 : -ENOMEM;
}

void pn_stats_exit(void)
{
	free_percpu(pn_cpu_stats);
}
