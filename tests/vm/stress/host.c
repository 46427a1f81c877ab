// SPDX-License-Identifier: GPL-2.0-only
/* A process with a world of its own, in which threads ask and make noise. */
#include "ops.h"

#include <signal.h>

#define NR_ASKERS	2
#define NR_THREADS	(NR_ASKERS + sizeof(noise) / sizeof(noise[0]))

static const unsigned int noise[] = { ON_ANY, ON_ONE, TABLES, ON_POOL };

/* Numbers of those who share the seed, for threads with streams of their own */
#define NUMBERS_A_HOST	100
#define CHILDREN	50

/* Only those who ask get the timer's signals, which is what they are for. */
static void block_alarm(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void wait_for_all(void)
{
	atomic_fetch_add(&shared->ready, 1);
	while (!atomic_load(&shared->go))
		usleep(1000);
}

static void run_threads(int host, uint64_t seed, struct actor *parent)
{
	static struct actor actor[NR_THREADS - NR_ASKERS];
	static struct asker asker[NR_ASKERS];
	pthread_t thread[NR_THREADS];
	unsigned int first = host * NUMBERS_A_HOST;
	size_t i;

	for (i = 0; i < NR_ASKERS; i++) {
		init_asker(asker + i, first + i, seed, host);
		thread[i] = start_thread(ask_often, asker + i);
	}
	for (; i < NR_THREADS; i++) {
		actor[i - NR_ASKERS] = (struct actor){
			.seed = seed,
			.number = first + i,
			.where = noise[i - NR_ASKERS],
			.host = host,
		};
		thread[i] = start_thread(act_often, actor + i - NR_ASKERS);
	}
	act_often(parent);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
}

void be_host(int host, uint64_t seed)
{
	static struct asker asker;
	struct actor parent = {
		.seed = seed,
		.number = host * NUMBERS_A_HOST + CHILDREN,
		.where = BY_PARENT,
		.asker = &asker,
		.host = host,
	};

	block_alarm();
	survive_faults();
	make_world();
	init_asker(&asker, parent.number + 1, seed, host);
	wait_for_all();
	count_signals();
	run_threads(host, seed, &parent);
}
