/* SPDX-License-Identifier: GPL-2.0-only */
/* What a second thread gains, and what a thread that maps memory loses */
#ifndef PN_THREADS_H
#define PN_THREADS_H

#include "report.h"

/* A range that is split over two threads, beside the whole of it in one */
int threads(struct report *report);

/* The waits of mmap(2) and munmap(2) while another thread asks */
int waits(struct report *report);

#endif /* PN_THREADS_H */
