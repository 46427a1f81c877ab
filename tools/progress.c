// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

/* Work that ends sooner shows nothing. */
#define FIRST_MS	500
#define EVERY_MS	100

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, uint64_t all)
{
	*progress = (struct progress) {
		.watched = all && isatty(STDERR_FILENO),
		.all = all,
		.next = now_ms() + FIRST_MS,
	};
}

void progress_at(struct progress *progress, uint64_t done)
{
	uint64_t now;

	if (!progress->watched)
		return;
	now = now_ms();
	if (now < progress->next)
		return;
	progress->next = now + EVERY_MS;
	progress->shown = true;
	fprintf(stderr, "\r%3.0f%%", 100.0 * (double)done / (double)progress->all);
}

/* Leaves the line empty, for what comes after. */
void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
