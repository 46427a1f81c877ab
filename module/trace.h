/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints around each query whose arguments could be read. start is an
 * address of the process that is asked about, but for PAGES the caller's list.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM pagenode

#if !defined(PN_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define PN_TRACE_H

#include <linux/tracepoint.h>

#include "compat.h"

/* By _IOC_NR(), as numbers: perf and trace-cmd read this text, and know no sizeof(). */
#define pn_show_ioctl(nr)					\
	__print_symbolic(nr,					\
		{ 1, "STATUS" }, { 2, "EXTENTS" },		\
		{ 3, "COUNTS" }, { 4, "PAGES" })

TRACE_EVENT(query_begin,
	    TP_PROTO(unsigned int ioctl, const struct pagenode_query *q),
	    TP_ARGS(ioctl, q),

	    TP_STRUCT__entry(__field(u64, start)
			     __field(u64, nr_pages)
			     __field(u32, ioctl)
			     __field(bool, mm_fd)),

	    TP_fast_assign(__entry->start = q->start;
			   __entry->nr_pages = q->nr_pages;
			   __entry->ioctl = ioctl;
			   __entry->mm_fd = q->flags & PAGENODE_F_MM_FD;),

	    TP_printk("ioctl=%s start=0x%llx nr_pages=%llu mm_fd=%d",
		      pn_show_ioctl(__entry->ioctl), __entry->start,
		      __entry->nr_pages, __entry->mm_fd)
);

TRACE_EVENT(query_end,
	    TP_PROTO(unsigned int ioctl, const struct pagenode_query *q,
		     u64 done, int result, u64 ns),
	    TP_ARGS(ioctl, q, done, result, ns),

	    TP_STRUCT__entry(__field(u64, start)
			     __field(u64, nr_pages)
			     __field(u64, done)
			     __field(u64, ns)
			     __field(u32, ioctl)
			     __field(s32, result)
			     __field(bool, mm_fd)),

	    TP_fast_assign(__entry->start = q->start;
			   __entry->nr_pages = q->nr_pages;
			   __entry->done = done;
			   __entry->ns = ns;
			   __entry->ioctl = ioctl;
			   __entry->result = result;
			   __entry->mm_fd = q->flags & PAGENODE_F_MM_FD;),

	    TP_printk("ioctl=%s start=0x%llx nr_pages=%llu mm_fd=%d done=%llu result=%d ns=%llu",
		      pn_show_ioctl(__entry->ioctl), __entry->start,
		      __entry->nr_pages, __entry->mm_fd, __entry->done,
		      __entry->result, __entry->ns)
);

#endif /* PN_TRACE_H */

/* Outside the guard: define_trace.h reads this file again and again. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
