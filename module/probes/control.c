// SPDX-License-Identifier: GPL-2.0-only
/* Compiles on every kernel. If it does not, no probe means anything. */
#include <linux/mm.h>

unsigned long pn_probe(struct vm_area_struct *vma);
unsigned long pn_probe(struct vm_area_struct *vma)
{
	return vma->vm_end;
}
