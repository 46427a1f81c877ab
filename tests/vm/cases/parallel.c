// SPDX-License-Identifier: GPL-2.0-only
/* Threads, and memory that processes share. */
#include "case.h"

pthread_t start_thread(void *(*fn)(void *arg), void *arg)
{
	pthread_t thread;
	int err = pthread_create(&thread, NULL, fn, arg);

	if (err)
		fail("starting a thread: %s", strerror(err));
	return thread;
}

void *map_shared(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	must((long)p);
	return p;
}
