// SPDX-License-Identifier: GPL-2.0-only
/* How calls ended, and how they may. */
#include "fuzz.h"

#define MAX_ERRNO	134
#define MAX_ENDS	10

/*
 * What is documented: the first errors must occur, given time, those after the
 * 0 may.
 */
static const struct {
	const char *name;
	bool may_succeed;
	int err[MAX_ENDS];
} commands[NR_COMMANDS] = {
	[INFO] = { "INFO", true, { EFAULT, EINVAL, E2BIG } },
	[STATUS] = { "STATUS", true,
		     { EFAULT, EINVAL, E2BIG, ENOSPC, EBADF, ESRCH, 0,
		       ENOMEM } },
	[EXTENTS] = { "EXTENTS", true,
		      { EFAULT, EINVAL, E2BIG, EBADF, ESRCH, 0, ENOMEM } },
	[COUNTS] = { "COUNTS", true,
		     { EFAULT, EINVAL, E2BIG, ENOSPC, EBADF, ESRCH, 0,
		       ENOMEM } },
	[PAGES] = { "PAGES", true,
		    { EFAULT, EINVAL, E2BIG, ENOSPC, EBADF, ESRCH, 0,
		      ENOMEM } },
	[NO_IOCTL] = { "other ioctls", false, { ENOTTY } },
	[GET_INFO] = { "GET_INFO", true,
		       { EINVAL, EOPNOTSUPP, 0, ERANGE, EMSGSIZE } },
	[GET_STATS] = { "GET_STATS", true,
			{ EINVAL, EPERM, EOPNOTSUPP, 0, ERANGE, EMSGSIZE } },
	[GET_NODEMAP] = { "GET_NODEMAP", true,
			  { EINVAL, EPERM, EOPNOTSUPP, 0, ERANGE, EMSGSIZE } },
	[NO_REQUEST] = { "other messages", true,
			 { EOPNOTSUPP, 0, EINVAL, ERANGE } },
};

static unsigned long count[NR_COMMANDS][MAX_ERRNO];

/* Numbers of up to 64 bits, by their length */
static bool seen[NR_COMMANDS][65][65];
static bool any_news;

static int length(uint64_t n)
{
	return n ? 64 - __builtin_clzll(n) : 0;
}

void tally_shape(enum command command, uint64_t asked, uint64_t answered)
{
	bool *s = &seen[command][length(asked)][length(answered)];

	any_news |= !*s;
	*s = true;
}

bool tally_news(void)
{
	bool news = any_news;

	any_news = false;
	return news;
}

void tally(enum command command, int err)
{
	int i;

	if (-err >= 0 && -err < MAX_ERRNO)
		any_news |= !count[command][-err]++;
	if (!err && commands[command].may_succeed)
		return;
	for (i = 0; err && i < MAX_ENDS; i++)
		if (commands[command].err[i] == -err)
			return;
	wrong("%s: %s", commands[command].name,
	      err ? strerror(-err) : "success");
}

void tally_print(void)
{
	int c, e;

	for (c = 0; c < NR_COMMANDS; c++) {
		printf("%s:", commands[c].name);
		for (e = 0; e < MAX_ERRNO; e++)
			if (count[c][e])
				printf(" %s %lu", e ? strerrorname_np(e) : "0",
				       count[c][e]);
		putchar('\n');
	}
}

void tally_check(void)
{
	const int *err;
	int c;

	for (c = 0; c < NR_COMMANDS; c++) {
		if (commands[c].may_succeed && !count[c][0])
			fail("%s never succeeded", commands[c].name);
		for (err = commands[c].err; *err; err++)
			if (!count[c][*err])
				fail("%s never ended in %s", commands[c].name,
				     strerrorname_np(*err));
	}
}
