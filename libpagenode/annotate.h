/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Valgrind does not know the device's ioctls. MemorySanitizer knows no system
 * call made by number, nor, in a program that it was built into, what a library
 * writes that it was not built into. Both would take an answer for memory that
 * nobody wrote. This costs a few instructions a question, and nothing at run
 * time is needed.
 */
#ifndef PN_ANNOTATE_H
#define PN_ANNOTATE_H

#include <stddef.h>

#ifdef __has_include
#if __has_include("valgrind/memcheck.h")
#include <valgrind/memcheck.h>
#endif
#endif
#ifndef VALGRIND_MAKE_MEM_DEFINED
#define VALGRIND_MAKE_MEM_DEFINED(addr, len) ((void)(addr), (void)(len))
#endif

/* There in a program that was built with MemorySanitizer only. */
void __msan_unpoison(const volatile void *addr, size_t len)
	__attribute__((weak, visibility("default")));

/* The kernel, or this library, has written these bytes. */
static inline void pn_written(const void *addr, size_t len)
{
	(void)VALGRIND_MAKE_MEM_DEFINED(addr, len);
	if (__msan_unpoison)
		__msan_unpoison(addr, len);
}

#endif /* PN_ANNOTATE_H */
