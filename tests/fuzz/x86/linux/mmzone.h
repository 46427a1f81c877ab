/* SPDX-License-Identifier: GPL-2.0-only */
/* What module/arch_x86.h takes from the kernel's header of this name */
#include <stdbool.h>
#include <linux/types.h>

typedef __u64 u64;
typedef __u32 u32;

#define SECTION_SIZE_BITS	27
