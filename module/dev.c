// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/pagenode: ioctl dispatch, and the way of the argument structs in and
 * out. An open file has no state: who asks is always the process that calls.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <pagenode_version.h>

#include "arch.h"
#include "compat.h"
#include "dev.h"
#include "nodemap.h"
#include "query.h"
#include "stats.h"
#include "target.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* What the structs looked like when they were first published */
#define PN_INFO_SIZE_VER0	64
#define PN_QUERY_SIZE_VER0	80

/* Word by word: a query of one page feels what a copy_from_user() takes. */
static __always_inline int pn_get_words(u64 *dst, const u64 __user *src,
					size_t size)
{
	size_t i;

	if (!user_read_access_begin(src, size))
		return -EFAULT;
#pragma GCC unroll 16
	for (i = 0; i < size / sizeof(*dst); i++)
		unsafe_get_user(dst[i], src + i, fault);
	user_read_access_end();
	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}

/*
 * Both structs start with their size as the caller knows it. The rules are those
 * of copy_struct_from_user(): a longer struct than ours is fine while the rest
 * is zero, which asks for nothing that we lack. No shorter one was ever
 * published.
 */
static __always_inline int pn_copy_in(void *dst, size_t size,
				      const void __user *arg)
{
	u32 usize;
	int zeroed;

	if (pn_get_words(dst, arg, size))
		return -EFAULT;
	usize = *(u32 *)dst;
	if (usize == size)
		return 0;
	if (usize < size)
		return -EINVAL;
	if (usize > PAGE_SIZE)
		return -E2BIG;
	zeroed = check_zeroed_user(arg + size, usize - size);
	if (zeroed < 0)
		return zeroed;
	return zeroed ? 0 : -E2BIG;
}

static u64 pn_features(void)
{
	u64 features = PAGENODE_FEATURE_STATUS | PAGENODE_FEATURE_EXTENTS |
		       PAGENODE_FEATURE_COUNTS | PAGENODE_FEATURE_PAGES;

	if (pn_target_known())
		features |= PAGENODE_FEATURE_MM_FD;
	return features;
}

void pn_dev_info(struct pagenode_info *info)
{
	*info = (struct pagenode_info) {
		.size = sizeof(*info),
		.abi_version = PAGENODE_ABI_VERSION,
		.features = pn_features(),
		.page_shift = PAGE_SHIFT,
		.nr_node_ids = pn_nr_node_ids(),
		.nodemap_generation = pn_nodemap_generation(),
		.version = PAGENODE_VERSION,
	};
}

/* Out of line: its registers and stack would be set up for each query. */
static noinline long pn_ioctl_info(void __user *arg)
{
	struct pagenode_info info;
	u32 size;
	int err;

	BUILD_BUG_ON(sizeof(info) != PN_INFO_SIZE_VER0);

	err = pn_copy_in(&info, sizeof(info), arg);
	if (err)
		return err;
	size = info.size;
	pn_dev_info(&info);
	info.size = size;
	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

/* One by one: a copy_to_user() would be a tenth of a query of one page. */
static int pn_put_results(struct pagenode_query __user *uq,
			  const struct pagenode_query *q)
{
	if (!user_write_access_begin(uq, sizeof(*uq)))
		return -EFAULT;
	unsafe_put_user(q->out_count, &uq->out_count, fault);
	unsafe_put_user(q->next, &uq->next, fault);
	unsafe_put_user(q->nr_enoent, &uq->nr_enoent, fault);
	unsafe_put_user(q->nr_efault, &uq->nr_efault, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

/*
 * The caller's own mm needs no reference: the caller is in here, and holds one
 * until it exits or execs. A kernel thread has none.
 */
static __always_inline int pn_query_own(struct pagenode_query *q,
					pn_query_fn *query)
{
	return current->mm ? query(q, current->mm) : -EINVAL;
}

/* What @next counts is pages, but for PAGES elements of the list. */
static u64 pn_pages_done(unsigned int nr, const struct pagenode_query *q)
{
	if (nr == _IOC_NR(PAGENODE_IOC_PAGES))
		return q->out_count;
	return (q->next - q->start) >> PAGE_SHIFT;
}

static long pn_ioctl_query(void __user *arg, unsigned int nr,
			   pn_query_fn *query)
{
	struct pagenode_query q __pn_uninitialized;
	u64 begin = pn_arch_clock(), done, ns;
	int err;

	BUILD_BUG_ON(sizeof(q) != PN_QUERY_SIZE_VER0);

	err = pn_copy_in(&q, sizeof(q), arg);
	if (err) {
		pn_stats_add(nr, 0, err, pn_stats_ns(begin));
		return err;
	}
	trace_query_begin(nr, &q);
	q.out_count = 0;
	q.next = q.start;
	q.nr_enoent = 0;
	q.nr_efault = 0;

	if (unlikely(q.flags & PAGENODE_F_MM_FD))
		err = pn_target_query(&q, query);
	else
		err = pn_query_own(&q, query);
	if (pn_put_results(arg, &q))
		err = -EFAULT;
	done = pn_pages_done(nr, &q);
	ns = pn_stats_ns(begin);
	pn_stats_add(nr, done, err, ns);
	trace_query_end(nr, &q, done, err, ns);
	return err;
}

/*
 * By number and not by the whole command, which holds the size of the struct:
 * that grows, while the command stays.
 */
static long pn_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *uarg = (void __user *)arg;
	unsigned int nr = _IOC_NR(cmd);

	if (_IOC_TYPE(cmd) != PAGENODE_IOC_TYPE)
		return -ENOTTY;
	switch (nr) {
	case _IOC_NR(PAGENODE_IOC_INFO):
		return pn_ioctl_info(uarg);
	case _IOC_NR(PAGENODE_IOC_STATUS):
		return pn_ioctl_query(uarg, nr, pn_status);
	case _IOC_NR(PAGENODE_IOC_EXTENTS):
		return pn_ioctl_query(uarg, nr, pn_extents);
	case _IOC_NR(PAGENODE_IOC_COUNTS):
		return pn_ioctl_query(uarg, nr, pn_counts);
	case _IOC_NR(PAGENODE_IOC_PAGES):
		return pn_ioctl_query(uarg, nr, pn_pages);
	}
	return -ENOTTY;
}

static const struct file_operations pn_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = pn_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/*
 * For everybody: the device tells a process about its own memory, what
 * move_pages(2) and /proc/self/smaps tell it too, and about that of processes
 * whose pagemap the kernel let it open.
 */
static struct miscdevice pn_dev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "pagenode",
	.fops = &pn_fops,
	.mode = 0666,
};

int pn_dev_init(void)
{
	return misc_register(&pn_dev);
}

void pn_dev_exit(void)
{
	misc_deregister(&pn_dev);
}
