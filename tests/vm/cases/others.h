/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes to ask about */
#ifndef OTHERS_H
#define OTHERS_H

#include "query.h"

/*
 * A child that has done @fn, and waits to be killed. It does not outlive the
 * process that started it.
 */
pid_t start_target(void (*fn)(void *arg), void *arg);
/* Kills it and waits for its end. */
void end_target(pid_t pid);

/* Until @pid waits in the system call @nr. */
void wait_in_call(pid_t pid, long nr);

/* In a target: SIGUSR1 makes it exec. exec_now() waits until the program runs. */
void exec_later(void);
void exec_now(pid_t pid);

/*
 * Memory of a target whose return shows exactly when all of its memory is freed:
 * huge pages of a pool that the process that asks has filled.
 */
void fill_pool(void);
void take_from_pool(void);
void want_taken(const char *when);
void want_back(const char *when);

int open_pagemap(pid_t pid);

/* Status of one page through @fd: 0, or the error as a negative number. */
int ask_fd(int fd, const void *page, int *status);
/* Fail the case unless the page is on @node, or the query ends so. */
void want_on_node(const char *what, int fd, const void *page, int node);
void want_refused(const char *what, int fd, const void *page, int want);

#endif /* OTHERS_H */
