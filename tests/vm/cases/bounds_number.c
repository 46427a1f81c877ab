// SPDX-License-Identifier: GPL-2.0-only
/*
 * Very many at once: a thousand processes that ask, a device opened a hundred
 * thousand times. Nothing is left of them.
 */
#include "case.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "held.h"
#include "known.h"
#include "others.h"
#include "reload.h"

#define DEVICE		"/dev/pagenode"

static void want_users(const char *when, unsigned long want)
{
	unsigned long users = module_users();

	if (users != want)
		fail("%s: the module has %lu users, not %lu", when, users,
		     want);
}

#define NR_PROCESSES	1000

/* How many are in the middle of a query, shared by all. */
static atomic_uint *nr_held;
static const struct trial *status;
static pid_t parent;

/* The descriptor that device() has, but with an open file of its own. */
static void open_own_device(void)
{
	int fd = must(open(DEVICE, O_RDWR | O_CLOEXEC));

	must(dup3(fd, device(), O_CLOEXEC));
	close(fd);
}

/*
 * Stops in the middle until all others have come so far. Every second process
 * asks about the parent, which has the same memory.
 */
static void ask_at_once(size_t i, const int *go)
{
	struct held h;
	char byte;

	close(go[1]);
	open_own_device();
	if (i % 2)
		ask_about(parent);
	hold_query(&h, trial_question(status, trial_room(status)));
	atomic_fetch_add(nr_held, 1);
	must(read(go[0], &byte, 1));
	trial_check(status, &h.q, finish_query(&h), 0);
}

static void start_all(pid_t *pid, const int *go)
{
	size_t i;

	fflush(stdout);
	for (i = 0; i < NR_PROCESSES; i++) {
		pid[i] = must(fork());
		if (!pid[i]) {
			ask_at_once(i, go);
			_exit(EXIT_SUCCESS);
		}
	}
}

static void wait_for_all(void)
{
	int ended;

	while (atomic_load(nr_held) < NR_PROCESSES) {
		if (must(waitpid(-1, &ended, WNOHANG)))
			fail("a process has ended before the others asked");
		usleep(10000);
	}
}

static void end_all(const pid_t *pid)
{
	int ended;
	size_t i;

	for (i = 0; i < NR_PROCESSES; i++) {
		must(waitpid(pid[i], &ended, 0));
		if (ended)
			_exit(EXIT_FAILURE);
	}
}

static void bounds_processes(void)
{
	static pid_t pid[NR_PROCESSES];
	int go[2];

	nr_held = map_shared(PAGE);
	must(pipe(go));
	parent = getpid();
	status = known_trials();
	known_fill(NULL);
	want_users("before", 1);
	start_all(pid, go);
	wait_for_all();
	want_users("all at once", 1 + NR_PROCESSES);
	close(go[1]);
	end_all(pid);
	want_users("after", 1);
	note("%d processes in the middle of a query at once", NR_PROCESSES);
}

#define NR_OPENS	100000
/* What one leak of 32 bytes in each open would come to */
#define LEAK_KIB	(NR_OPENS / 1024 * 32)
#define MAX_TRIES	1000

static unsigned long unreclaimable_kib(void)
{
	static char buf[1 << 14];
	const char *line;

	read_file("/proc/meminfo", buf, sizeof(buf));
	line = strstr(buf, "SUnreclaim:");
	if (!line)
		fail("/proc/meminfo has no SUnreclaim");
	return strtoul(line + strlen("SUnreclaim:"), NULL, 10);
}

/* What was closed just now is freed a little later. */
static void want_little_growth(unsigned long before)
{
	unsigned long after;
	int tries = 0;

	while ((after = unreclaimable_kib()) > before + LEAK_KIB) {
		if (++tries == MAX_TRIES)
			fail("the kernel's own memory has grown by %lu KiB",
			     after - before);
		usleep(10000);
	}
}

static void open_often(void)
{
	int i;

	for (i = 0; i < NR_OPENS; i++)
		close(must(open(DEVICE, O_RDWR | O_CLOEXEC)));
}

/* With all of them open at once, and not one more. */
static void open_all(int *fd)
{
	int nr;

	for (nr = 0; nr < NR_OPENS; nr++) {
		fd[nr] = open(DEVICE, O_RDWR | O_CLOEXEC);
		if (fd[nr] < 0)
			break;
	}
	if (nr == NR_OPENS || errno != EMFILE)
		fail("%d opens: %s, not EMFILE", nr,
		     nr == NR_OPENS ? "success" : strerror(errno));
	/* To look takes one. */
	must(close(fd[--nr]));
	want_users("all open", nr + 1);
	while (nr--)
		must(close(fd[nr]));
}

static void bounds_opens(void)
{
	static int fd[NR_OPENS];
	struct rlimit limit = { NR_OPENS, NR_OPENS };
	unsigned long before;
	char *p = map_anon(PAGE);

	must(setrlimit(RLIMIT_NOFILE, &limit));
	touch_on(node_b(), p, PAGE);
	device();
	open_all(fd);
	before = unreclaimable_kib();
	open_often();
	open_all(fd);
	want_users("all closed", 1);
	want_little_growth(before);
	expect("afterwards", p, 1, NORMAL, node_b());
	note("%d opens, and twice as many as a process may have open", NR_OPENS);
}

const struct test_case bounds_number_cases[] = {
	{ "bounds-processes", bounds_processes },
	{ "bounds-opens", bounds_opens },
	{ NULL, NULL },
};
