/* SPDX-License-Identifier: GPL-2.0-only */
/* The module comes and goes. */
#ifndef RELOAD_H
#define RELOAD_H

#include "case.h"

/* Fails the case unless it loads. */
void load(void);
/* 0, or -1 with errno. */
int unload(void);
/* How many have it in use: open devices, dumps under way. */
unsigned long module_users(void);

#endif /* RELOAD_H */
