// SPDX-License-Identifier: GPL-2.0-only
/*
 * stress SECONDS	queries of all kinds while everything happens to the memory
 *			that they are about, and then to the module: exit 0 if
 *			all answers were right. The SEED in the environment, or
 *			one of the clock's, decides what each thread does; in
 *			which order threads get to it is the scheduler's.
 */
#include "ops.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "../cases/reload.h"

#define SYSTEM_NUMBER	1000
#define HUGETLB_PAGES	14
#define OUTPUT		"/tmp/stress"

struct shared *shared;

static uint64_t choose_seed(void)
{
	const char *given = getenv("SEED");
	struct timespec now;

	if (given && *given)
		return strtoull(given, NULL, 0);
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void tune(const char *path, const char *value)
{
	if (have_path(path))
		write_file(path, value);
}

/*
 * It has the lowest priority, and where it may be preempted in an RCU read section
 * this lasts until nobody else wants the processor, in a stress never.
 */
static void raise_khugepaged(void)
{
	if (system("renice 0 -p $(pidof khugepaged) >/dev/null"))
		fail("khugepaged keeps its priority");
}

/* That all that works in the background does so often */
static void tune_machine(void)
{
	if (set_thp_madvise())
		raise_khugepaged();
	tune("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "advise");
	tune("/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs",
	     "100");
	tune("/sys/kernel/mm/transparent_hugepage/khugepaged/alloc_sleep_millisecs",
	     "100");
	tune("/sys/kernel/mm/ksm/sleep_millisecs", "50");
	tune("/sys/kernel/mm/ksm/pages_to_scan", "500");
	tune("/sys/kernel/mm/ksm/run", "1");
	tune("/proc/sys/vm/compact_unevictable_allowed", "0");
	want_hugetlb(node_b(), HUGETLB_PAGES);
	want_swap();
}

static void prepare(void)
{
	shared = map_shared(sizeof(*shared));
	choose_block();
	plan_world();
	tune_machine();
	start_counting();
}

static pid_t start_host(int host, uint64_t seed)
{
	pid_t pid = must(fork());

	if (!pid) {
		be_host(host, seed);
		_exit(EXIT_SUCCESS);
	}
	atomic_store(&shared->host[host], pid);
	return pid;
}

/* Ended by SIGTERM: a block may take its time to go offline. */
static pid_t start_system(uint64_t seed)
{
	struct actor a = {
		.seed = seed,
		.number = SYSTEM_NUMBER,
		.where = BY_SYSTEM,
	};
	pid_t pid = must(fork());

	if (pid)
		return pid;
	for (;;) {
		act(&a);
		usleep(50000);
	}
}

/* For the guest's console, to see where a slow kernel is. */
static void say_how_far(const char *what, unsigned long seconds)
{
	fprintf(stderr, "stress: %s, second %lu, %lu pages\n", what, seconds,
		atomic_load(&shared->pages));
}

/* False if a process has ended, which none does by itself. */
static bool run_for(unsigned long seconds)
{
	siginfo_t info = { 0 };
	time_t start = time(NULL);
	unsigned long now;

	do {
		usleep(100000);
		now = time(NULL) - start;
		if (now / 30 != atomic_load(&shared->seconds) / 30)
			say_how_far("running", now);
		atomic_store(&shared->seconds, now);
		must(waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT));
	} while (now < seconds && !info.si_pid);
	return !info.si_pid;
}

static bool ended_well(pid_t pid, int signal)
{
	int status;

	must(waitpid(pid, &status, 0));
	if (signal && WIFSIGNALED(status))
		return WTERMSIG(status) == signal;
	if (WIFSIGNALED(status))
		note("process %d died of signal %d", pid, WTERMSIG(status));
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool run_all(unsigned long seconds, uint64_t seed)
{
	pid_t host[NR_HOSTS];
	pid_t system;
	bool well;
	int i;

	for (i = 0; i < NR_HOSTS; i++)
		host[i] = start_host(i, seed);
	while (atomic_load(&shared->ready) < NR_HOSTS)
		if (!run_for(0))
			return false;
	say_how_far("ready", 0);
	/* Not before: they would move pages that nothing keeps in place yet. */
	return_block();
	set_numa_balancing(true);
	system = start_system(seed);
	atomic_store(&shared->go, true);
	well = run_for(seconds);
	atomic_store(&shared->stop, true);
	kill(system, SIGTERM);
	well &= ended_well(system, SIGTERM);
	for (i = 0; i < NR_HOSTS; i++)
		well &= ended_well(host[i], 0);
	return_block();
	say_how_far("done", seconds);
	return well;
}

/*
 * Those who fail say why, each on a line. The first one is what it was, and is
 * said again at the end.
 */
static void divert_output(int *old)
{
	int fd = must(open(OUTPUT, O_RDWR | O_CREAT | O_TRUNC | O_APPEND,
			   0600));

	*old = must(dup(STDOUT_FILENO));
	must(dup2(fd, STDOUT_FILENO));
	close(fd);
}

static void restore_output(int old)
{
	fflush(stdout);
	must(dup2(old, STDOUT_FILENO));
	close(old);
}

static void fail_as_said(uint64_t seed)
{
	static char said[1 << 16];
	char *line;

	read_file(OUTPUT, said, sizeof(said));
	fputs(said, stdout);
	line = strtok(said, "\n");
	fail("SEED=%llu: %s", (unsigned long long)seed,
	     line ? line : "a process ended and did not say why");
}

/* Everybody who had the device open has ended. */
static void take_module_out(void)
{
	unsigned long users = module_users();

	if (users)
		fail("the module still has %lu users", users);
	if (unload())
		fail("the module does not go: %s", strerror(errno));
}

int main(int argc, char **argv)
{
	unsigned long seconds = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	uint64_t seed = choose_seed();
	int output;

	if (argc == 2 && !strcmp(argv[1], "--nothing"))
		return EXIT_SUCCESS;
	if (!seconds) {
		fprintf(stderr, "usage: [SEED=NUMBER] stress SECONDS\n");
		return EXIT_FAILURE;
	}
	if (nr_nodes() < 2)
		skip("one node has memory: nothing moves");
	note("SEED=%llu", (unsigned long long)seed);
	prepare();
	divert_output(&output);
	if (!run_all(seconds, seed)) {
		restore_output(output);
		fail_as_said(seed);
	}
	restore_output(output);
	check_final_stats();
	take_module_out();
	report(seed, seconds);
	return EXIT_SUCCESS;
}
