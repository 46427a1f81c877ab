/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an architecture says of its page table entries, and a cheap clock. A port
 * adds a header beside arch_x86.h that defines the same names.
 */
#ifndef PN_ARCH_H
#define PN_ARCH_H

#ifdef CONFIG_X86_64
#include "arch_x86.h"
#else
#error "pagenode knows the page table entries of x86-64 only"
#endif

#endif /* PN_ARCH_H */
