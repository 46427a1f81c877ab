// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's fault injection: Documentation/fault-injection there. */
#include "faults.h"

#include <fcntl.h>
#include <sys/klog.h>

#define DEBUGFS	"/sys/kernel/debug/"

static int fail_nth;

/*
 * Every allocation may fail, also one that may wait for memory, and of any size.
 * A line in the log says so, without the stack, which the rig takes for a report.
 */
static const char *const knobs[][2] = {
	{ DEBUGFS "failslab/ignore-gfp-wait", "N" },
	{ DEBUGFS "failslab/verbose", "1" },
	{ DEBUGFS "fail_page_alloc/ignore-gfp-wait", "N" },
	{ DEBUGFS "fail_page_alloc/min-order", "0" },
	{ DEBUGFS "fail_page_alloc/verbose", "1" },
	{ DEBUGFS "fail_usercopy/verbose", "1" },
};

void faults_need(void)
{
	size_t i;

	for (i = 0; i < sizeof(knobs) / sizeof(knobs[0]); i++) {
		if (!have_path(knobs[i][0]))
			skip("this kernel makes nothing fail: it has no %s",
			     knobs[i][0]);
		write_file(knobs[i][0], knobs[i][1]);
	}
	fail_nth = must(open("/proc/thread-self/fail-nth",
			     O_RDWR | O_CLOEXEC));
}

void faults_arm(unsigned int nth)
{
	char buf[16];
	int len = snprintf(buf, sizeof(buf), "%u", nth);

	must(pwrite(fail_nth, buf, len, 0));
}

/*
 * How many are left is 0 once one has failed. One that is still to fail may hit
 * these calls themselves.
 */
bool faults_disarm(void)
{
	char left[16];
	ssize_t len = pread(fail_nth, left, sizeof(left), 0);

	while (pwrite(fail_nth, "0", 1, 0) < 0)
		if (errno != EFAULT && errno != ENOMEM)
			fail("stopping the faults: %s", strerror(errno));
	return len > 0 && left[0] == '0';
}

/* Of syslog(2), which has no names for them in the C library. */
#define READ_ALL	3
#define CLEAR		5
#define CONSOLE_OFF	6
#define CONSOLE_ON	7

void faults_console(bool on)
{
	must(klogctl(on ? CONSOLE_ON : CONSOLE_OFF, NULL, 0));
}

static size_t count(const char *text, const char *word)
{
	size_t nr = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		nr++;
	}
	return nr;
}

void faults_forgive(void)
{
	static char log[1 << 22];
	int len = must(klogctl(READ_ALL, log, sizeof(log) - 1));

	log[len] = '\0';
	if (count(log, "Call Trace:") == count(log, "vmalloc error:") +
					 count(log, "page allocation failure:") &&
	    !count(log, "WARNING:") && !count(log, "BUG:"))
		must(klogctl(CLEAR, NULL, 0));
}
