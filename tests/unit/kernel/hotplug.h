/* SPDX-License-Identifier: GPL-2.0-only */
/* What module/nodemap.c needs beside kernel.h: memory that comes and goes. */
#ifndef TEST_HOTPLUG_H
#define TEST_HOTPLUG_H

#include <string.h>

#include "tests/unit/kernel/kernel.h"

#define WRITE_ONCE(x, value)	(*(volatile __typeof__(x) *)&(x) = (value))
#define fallthrough		__attribute__((__fallthrough__))
#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), "BUILD_BUG_ON")
#define MAX_NUMNODES		1024
#define GFP_KERNEL		0
#define cond_resched()		do { } while (0)

static inline unsigned long array_index_nospec(unsigned long index,
					       unsigned long size)
{
	return index < size ? index : 0;
}

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	unsigned long power = 1;

	while (power < n)
		power *= 2;
	return power;
}

void *kvzalloc(size_t size, int flags);
void kvfree(const void *p);

struct mutex {
	int dummy;
};

#define DEFINE_MUTEX(name)	struct mutex name
#define mutex_lock(m)		((void)(m), (void)kernel.mutex++)
#define mutex_unlock(m)		((void)(m), (void)kernel.mutex--)
#define lockdep_is_held(m)	((void)(m), kernel.mutex == 1)

typedef struct { u64 value; } atomic64_t;

#define atomic64_read(a)	((a)->value)
#define atomic64_inc(a)		((void)(a)->value++)

#define RCU_INIT_POINTER(p, value)		((void)((p) = (value)))
#define rcu_assign_pointer(p, value)		((void)((p) = (value)))
#define rcu_dereference(p)	\
	(kernel_needs(kernel.rcu, "an RCU pointer is read without RCU"), (p))
#define rcu_dereference_protected(p, held)	\
	(kernel_needs(held, "an RCU pointer is read without the lock"), (p))
void synchronize_rcu(void);

#define online_section_nr(section)	kernel_section_online(section)
bool kernel_section_online(unsigned long section);

#define MEM_ONLINE		1
#define MEM_GOING_OFFLINE	2
#define MEM_OFFLINE		4
#define MEM_GOING_ONLINE	8
#define MEM_CANCEL_ONLINE	16
#define MEM_CANCEL_OFFLINE	32
#define NOTIFY_OK		1

struct memory_notify {
	unsigned long start_pfn;
	unsigned long nr_pages;
};

struct notifier_block {
	int (*notifier_call)(struct notifier_block *nb, unsigned long action,
			     void *data);
};

int register_memory_notifier(struct notifier_block *nb);
void unregister_memory_notifier(const struct notifier_block *nb);

#endif /* TEST_HOTPLUG_H */
