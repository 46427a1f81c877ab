/* SPDX-License-Identifier: GPL-2.0-only */
/* The small files by which the kernel is told and asked things */
#ifndef PN_FILE_H
#define PN_FILE_H

#include <stddef.h>

/* Says what failed and why, and gives up. */
__attribute__((noreturn)) void die(const char *what);

void file_write(const char *path, const char *text);

/* A number that a file holds, 0 without the file */
size_t file_number(const char *path);

#endif /* PN_FILE_H */
