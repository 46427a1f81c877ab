// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's fault injection: Documentation/fault-injection there. */
#include "faults.h"

#include <fcntl.h>

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
