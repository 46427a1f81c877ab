/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's fault injection: an allocation, or a copy from or to a program's
 * memory, fails though nothing is wrong. In this thread only.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "case.h"

/* Skips the case where the kernel has none. */
void faults_need(void);
/* The @nth of them fails from now on, counted from 1. */
void faults_arm(unsigned int nth);
/* None fails any more. Has one? */
bool faults_disarm(void);

#endif /* FAULTS_H */
