/* SPDX-License-Identifier: GPL-2.0-only */
/* The module comes and goes. */
#ifndef RELOAD_H
#define RELOAD_H

#include "case.h"

/* Its file; for load_from(). */
int open_module(void);
/* 0, or -1 with errno. */
int load_from(int fd);
int unload(void);
/* Fails the case unless it loads. */
void load(void);

#endif /* RELOAD_H */
