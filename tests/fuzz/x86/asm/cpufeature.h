/* SPDX-License-Identifier: GPL-2.0-only */
/* What module/arch_x86.h takes from the kernel's header of this name */
#define X86_FEATURE_XENPV		0
#define cpu_feature_enabled(feature)	(feature)
