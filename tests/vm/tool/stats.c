// SPDX-License-Identifier: GPL-2.0-only
/* "stats" and "monitor": what the module tells through netlink. */
#include "tool.h"

#include <grp.h>
#include <pagenode.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "../cases/blocks.h"

#define CALLS	7
#define PAGES	32

static json_t *stats_of(const json_t *stats, const char *ioctl)
{
	return element(member(stats, "ioctls"), "ioctl", ioctl);
}

static uint64_t sum(const json_t *histogram)
{
	json_t *calls;
	uint64_t all = 0;
	size_t i;

	json_array_foreach(histogram, i, calls)
		all += json_integer_value(calls);
	return all;
}

/* Nobody else asks meanwhile: the command itself asks for statistics only. */
static void stats_count(void)
{
	struct pagenode *pn = pagenode_open(PAGENODE_OPEN_DEVICE);
	json_t *before, *after, *was, *is;
	char *p = map_anon(PAGES * PAGE);
	int status[PAGES], i;

	if (!pn)
		fail("pagenode_open: %s", strerror(errno));
	before = tool_json(0, "stats --json");
	for (i = 0; i < CALLS; i++)
		must(pagenode_status(pn, p, PAGES * PAGE, status, PAGES));
	if (!pagenode_status(pn, p, PAGES * PAGE, NULL, PAGES))
		fail("an answer that goes to NULL is no error");
	after = tool_json(0, "stats --json");
	was = stats_of(before, "STATUS");
	is = stats_of(after, "STATUS");
	if (number(is, "calls") - number(was, "calls") != CALLS + 1)
		fail("not %d more calls", CALLS + 1);
	if (number(is, "errors") - number(was, "errors") != 1)
		fail("not one more error");
	if (number(is, "pages") - number(was, "pages") < CALLS * PAGES)
		fail("not %d more pages", CALLS * PAGES);
	if (sum(member(is, "histogram")) != number(is, "calls"))
		fail("the histogram has not all calls");
	if (number(is, "nanoseconds") <= number(was, "nanoseconds"))
		fail("it took no time");
	if (strcmp(text(after, "version"), module_info().version) != 0)
		fail("the version is %s", text(after, "version"));
}

/* The value of the sample that begins so, up to the blank */
static double sample(const char *out, const char *name)
{
	size_t len = strlen(name);
	const char *line;

	for (line = out; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, len) && line[len] == ' ')
			return strtod(line + len, NULL);
	}
	fail("no sample %s", name);
}

static void stats_prometheus(void)
{
	static char out[1 << 16];
	json_t *stats = tool_json(0, "stats --json");
	json_t *status = stats_of(stats, "STATUS");
	double calls = number(status, "calls");

	if (tool(out, sizeof(out), "stats --prometheus"))
		fail("pagenode stats --prometheus failed");
	if (sample(out, "pagenode_calls_total{ioctl=\"status\"}") != calls ||
	    sample(out, "pagenode_query_duration_seconds_count{ioctl=\"status\"}") !=
	    calls ||
	    sample(out, "pagenode_query_duration_seconds_bucket{ioctl=\"status\",le=\"+Inf\"}") !=
	    calls)
		fail("not %g calls", calls);
	/* Calls of 0 and 1 ns: the first element alone */
	if (sample(out, "pagenode_query_duration_seconds_bucket{ioctl=\"status\",le=\"2e-09\"}") !=
	    json_integer_value(json_array_get(member(status, "histogram"), 0)))
		fail("the first bucket is not the first element");
	if (out[strlen(out) - 1] != '\n')
		fail("the last line does not end");
}

static void stats_rights(void)
{
	char out[512];
	int status;

	must(setgroups(0, NULL));
	must(setgid(65534));
	must(setuid(65534));
	status = tool(out, sizeof(out), "stats 2>&1");
	if (status != 1 || !strstr(out, "not permitted"))
		fail("exit status %d: %s", status, out);
}

static void netlink_is_gone(void)
{
	char out[512];

	if (tool(out, sizeof(out), "stats 2>&1") != 1 ||
	    !strstr(out, "modprobe pagenode"))
		fail("stats: %s", out);
	if (tool(out, sizeof(out), "monitor 2>&1") != 1 ||
	    !strstr(out, "modprobe pagenode"))
		fail("monitor: %s", out);
}

static void stats_unloaded(void)
{
	without_module(netlink_is_gone);
}

static pid_t start_monitor(int *out)
{
	int ends[2];
	pid_t pid;

	must(pipe(ends));
	pid = must(fork());
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/pagenode", "pagenode", "monitor", NULL);
		_exit(127);
	}
	close(ends[1]);
	*out = ends[0];
	return pid;
}

static void toggle(unsigned long block)
{
	if (!set_block(block, "offline") ||
	    !set_block(block, "online_movable"))
		fail("memory%lu: %s", block, strerror(errno));
}

/* When the monitor has begun to listen shows in what it says, and only there. */
static void want_lines(int out, unsigned long block, char *lines, size_t size)
{
	struct pollfd ready = { .fd = out, .events = POLLIN };
	size_t len = 0;
	ssize_t got;
	int tries;

	for (tries = 0; tries < 20; tries++) {
		toggle(block);
		while (poll(&ready, 1, 1000) == 1 && len < size - 1) {
			got = must(read(out, lines + len, size - 1 - len));
			if (!got)
				fail("the monitor has ended");
			len += got;
			lines[len] = '\0';
			if (strstr(lines, " offline ") &&
			    strstr(lines, " online "))
				return;
		}
	}
	fail("the monitor is silent");
}

static void check_line(const char *lines, const char *change,
		       unsigned long block)
{
	unsigned long size = block_pages() * PAGE;
	char line[128];

	snprintf(line, sizeof(line), "Z %s 0x%lx-0x%lx node %d generation ",
		 change, block * size, (block + 1) * size, node_b());
	if (!strstr(lines, line))
		fail("\"%s\" is not in: %s", line, lines);
}

/* Each line comes when the event does, and the end of the reader is its end. */
static void monitor_prints_events(void)
{
	unsigned long block = movable_block();
	char lines[4096];
	int out, status;
	pid_t pid = start_monitor(&out);

	want_lines(out, block, lines, sizeof(lines));
	check_line(lines, "offline", block);
	check_line(lines, "online", block);
	close(out);
	toggle(block);
	must(waitpid(pid, &status, 0));
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGPIPE)
		fail("the monitor ended with wait status %#x", status);
}

/* The socket must not get the number of stdout, and be sent the output. */
static void monitor_closed(void)
{
	unsigned long block = movable_block();
	int status, tries;
	pid_t pid = must(fork());

	if (!pid) {
		close(STDOUT_FILENO);
		execl("/pagenode", "pagenode", "monitor", NULL);
		_exit(127);
	}
	for (tries = 0; tries < 20; tries++) {
		toggle(block);
		sleep(1);
		if (must(waitpid(pid, &status, WNOHANG)))
			break;
	}
	if (tries == 20)
		fail("the monitor does not notice that nobody can read it");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
		fail("the monitor ended with wait status %#x", status);
}

const struct test_case tool_stats_cases[] = {
	{ "tool-stats-count", stats_count },
	{ "tool-stats-prometheus", stats_prometheus },
	{ "tool-stats-rights", stats_rights },
	{ "tool-stats-unloaded", stats_unloaded },
	{ "tool-monitor", monitor_prints_events },
	{ "tool-monitor-closed", monitor_closed },
	{ NULL, NULL },
};
