// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

void die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

void file_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		die(path);
}

size_t file_number(const char *path)
{
	FILE *f = fopen(path, "r");
	char text[32] = "";

	if (!f)
		return 0;
	if (!fgets(text, sizeof(text), f))
		die(path);
	fclose(f);
	return strtoul(text, NULL, 10);
}
