// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t go;
static atomic_bool wanted, running;
static char *word;
static uint64_t value, other_value;

static void *race(void *arg)
{
	(void)arg;
	for (;;) {
		sem_wait(&go);
		atomic_store(&running, true);
		while (atomic_load(&wanted)) {
			memcpy(word, &other_value, sizeof(value));
			atomic_signal_fence(memory_order_seq_cst);
			memcpy(word, &value, sizeof(value));
			atomic_signal_fence(memory_order_seq_cst);
		}
		atomic_store(&running, false);
	}
	return NULL;
}

void racer_start(char *at, uint64_t other)
{
	static pthread_t thread;

	if (!thread)
		thread = start_thread(race, NULL);
	word = at;
	memcpy(&value, at, sizeof(value));
	other_value = other;
	atomic_store(&wanted, true);
	sem_post(&go);
	while (!atomic_load(&running))
		sched_yield();
}

void racer_stop(void)
{
	atomic_store(&wanted, false);
	while (atomic_load(&running))
		sched_yield();
}
