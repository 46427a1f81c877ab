// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is unloaded and loaded over and over, while processes open its
 * device, ask, and close it. It goes only when nobody uses it; whoever has it
 * open is answered rightly.
 */
#include "case.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "query.h"
#include "reload.h"

#define NR_ASKERS	4
#define NR_UNLOADS	50
#define MANY_UNLOADS	1000	/* if nobody is in the way before */

/* Shared by the processes. */
static struct {
	atomic_bool stop;
	atomic_ulong answers;
} *control;

static char *pages;

static void ask_device(int fd)
{
	int status[2] = { 77, 77 };
	struct pagenode_query q = question(pages, 2, status);

	if (ioctl(fd, PAGENODE_IOC_STATUS, &q))
		fail("the device is open: %s", strerror(errno));
	if (status[0] != node_b() || status[1] != -ENOENT)
		fail("%s and %s, not node %d and -ENOENT",
		     status_name(status[0]), status_name(status[1]), node_b());
	atomic_fetch_add(&control->answers, 1);
}

/*
 * A device that is not there, or is just going, opens not. One that always
 * somebody has open never goes, hence the pauses.
 */
static void ask_and_go(void)
{
	int fd;

	while (!atomic_load(&control->stop)) {
		fd = open("/dev/pagenode", O_RDWR | O_CLOEXEC);
		if (fd < 0 && errno != ENOENT && errno != ENODEV &&
		    errno != ENXIO)
			fail("opening the device: %s", strerror(errno));
		if (fd >= 0) {
			ask_device(fd);
			close(fd);
		}
		usleep(1000);
	}
}

static void start_askers(pid_t *pid)
{
	int i;

	fflush(stdout);
	for (i = 0; i < NR_ASKERS; i++) {
		pid[i] = must(fork());
		if (!pid[i]) {
			ask_and_go();
			_exit(EXIT_SUCCESS);
		}
	}
}

static void stop_askers(const pid_t *pid)
{
	int status;
	int i;

	atomic_store(&control->stop, true);
	for (i = 0; i < NR_ASKERS; i++) {
		must(waitpid(pid[i], &status, 0));
		if (status)
			_exit(EXIT_FAILURE);
	}
}

/* After each load somebody is answered, so that an unload has something to meet. */
static void wait_for_answer(void)
{
	unsigned long before = atomic_load(&control->answers);

	while (atomic_load(&control->answers) == before)
		sched_yield();
}

static void unload_race(void)
{
	unsigned long refused = 0;
	unsigned long unloads = 0;
	pid_t pid[NR_ASKERS];

	control = map_shared(PAGE);
	pages = map_anon(2 * PAGE);
	touch_on(node_b(), pages, PAGE);
	start_askers(pid);
	while (unloads < NR_UNLOADS || (!refused && unloads < MANY_UNLOADS)) {
		wait_for_answer();
		while (unload()) {
			if (errno != EBUSY && errno != EAGAIN)
				fail("unloading: %s", strerror(errno));
			refused++;
		}
		load();
		unloads++;
	}
	stop_askers(pid);
	if (!refused)
		fail("%lu unloads, and nobody was in the way", unloads);
	note("%lu unloads, %lu refused, %lu answers", unloads, refused,
	     atomic_load(&control->answers));
}

const struct test_case unload_race_cases[] = {
	{ "unload-race", unload_race },
	{ NULL, NULL },
};
