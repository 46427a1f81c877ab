/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For a build of the module that shows whether its locks are needed. Included
 * before all else, it makes the walk stay now and then where only they keep a
 * page table, longer than an RCU grace period takes. So much of the time that
 * it matters, and not so much that nothing else gets done.
 */
#ifndef PN_TEST_WINDOW_H
#define PN_TEST_WINDOW_H

#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/random.h>

#define PN_WINDOW_MS	40
#define PN_WINDOW_EVERY	(4 * PN_WINDOW_MS)

/* By the clock. How long mdelay() takes was measured at boot, wrongly on a busy host. */
static inline void pn_linger(void)
{
	u64 end = ktime_get_mono_fast_ns() + PN_WINDOW_MS * NSEC_PER_MSEC;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
}

#define pn_window() \
	do { \
		static unsigned long next = INITIAL_JIFFIES; \
		\
		if (time_after(jiffies, READ_ONCE(next)) && \
		    !get_random_u32_below(8)) { \
			WRITE_ONCE(next, jiffies + \
				   msecs_to_jiffies(PN_WINDOW_EVERY)); \
			pn_linger(); \
		} \
	} while (0)

#endif /* PN_TEST_WINDOW_H */
