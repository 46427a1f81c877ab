// SPDX-License-Identifier: GPL-2.0-only
/*
 * PAGENODE_F_MM_FD: the mm of an open /proc/PID/pagemap. Who may ask was decided
 * by the kernel when that file was opened: its open() makes the ptrace-read
 * check, with every LSM. Nothing is decided here.
 */
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/string.h>

#include "target.h"

/*
 * What the kernel gives every /proc/PID/pagemap, and no other file; NULL where
 * it was not learnt. Procfs is never a module, so this stays what it is.
 */
static const struct file_operations *pn_pagemap_fops __ro_after_init;

/*
 * Whatever is mounted there, it can't pass for the right file: the superblock
 * is procfs's own. There, other files hold an mm in private_data too (mem,
 * environ), hence the name; and what private_data is in the file of that name,
 * this kernel itself is asked. A kernel thread has no mm, which an old kernel's
 * private_data of NULL would agree with.
 */
static bool __init pn_is_own_pagemap(const struct file *file)
{
	return file_inode(file)->i_sb->s_magic == PROC_SUPER_MAGIC &&
	       !strcmp(file->f_path.dentry->d_name.name, "pagemap") &&
	       current->mm && file->private_data == current->mm;
}

void __init pn_target_init(void)
{
	struct file *file = filp_open("/proc/self/pagemap", O_RDONLY, 0);

	if (!IS_ERR(file)) {
		if (pn_is_own_pagemap(file))
			pn_pagemap_fops = file->f_op;
		filp_close(file, NULL);
	}
	if (!pn_pagemap_fops)
		pr_notice("pagenode: no /proc/self/pagemap where the module was loaded, so no queries about other processes; load it where /proc is mounted\n");
}

bool pn_target_known(void)
{
	return pn_pagemap_fops;
}

/*
 * The mm_struct can't be freed while its file is held: the file has a reference
 * on mm_count from open to release. That keeps no memory mapped, so mm_users may
 * be 0 already, and then the mm stays as it is. Before 6.12 a zombie's or a
 * kernel thread's file opens, with no mm at all.
 */
static struct mm_struct *pn_file_mm(const struct file *file)
{
	struct mm_struct *mm = file->private_data;

	if (file->f_op != pn_pagemap_fops)
		return ERR_PTR(-EINVAL);
	if (!mm || !mmget_not_zero(mm))
		return ERR_PTR(-ESRCH);
	return mm;
}

/* The file may go at once: a reference on mm_users keeps the mm_struct too. */
static struct mm_struct *pn_target_get(int fd)
{
	struct file *file = fget(fd);
	struct mm_struct *mm;

	if (!file)
		return ERR_PTR(-EBADF);
	mm = pn_file_mm(file);
	fput(file);
	return mm;
}

/*
 * Out of line, for queries about oneself. Should the process exit meanwhile,
 * mmput() is what unmaps its memory. It sleeps, and takes the mmap lock and
 * others: the query holds none of them by now.
 */
noinline int pn_target_query(struct pagenode_query *q, pn_query_fn *query)
{
	struct mm_struct *mm;
	int err;

	if (!pn_target_known())
		return -EOPNOTSUPP;
	mm = pn_target_get(q->mm_fd);
	if (IS_ERR(mm))
		return PTR_ERR(mm);
	err = query(q, mm);
	mmput(mm);
	return err;
}
