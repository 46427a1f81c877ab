// SPDX-License-Identifier: GPL-2.0-only
/* How a case ends. */
#include "case.h"

#include <stdarg.h>
#include <sys/wait.h>

static void say(const char *fmt, va_list args)
{
	vprintf(fmt, args);
	putchar('\n');
	fflush(stdout);
}

void note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
}

void fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
	_exit(EXIT_FAILURE);
}

void skip(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
	_exit(EXIT_SKIP);
}

long must_say(long ret, const char *what)
{
	if (ret == -1)
		fail("%s: %s", what, strerror(errno));
	return ret;
}

int run_in_child(void (*fn)(void *arg), void *arg)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = must(fork());
	if (!pid) {
		fn(arg);
		fflush(stdout);
		_exit(EXIT_SUCCESS);
	}
	must(waitpid(pid, &status, 0));
	if (WIFSIGNALED(status)) {
		note("died of signal %d", WTERMSIG(status));
		return EXIT_FAILURE;
	}
	return WEXITSTATUS(status);
}

void in_child(void (*fn)(void *arg), void *arg)
{
	int code = run_in_child(fn, arg);

	if (code)
		_exit(code);
}
