// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "pagenode_version.h"
#include "size.h"
#include "tool.h"

static void point_at_help(void)
{
	fprintf(stderr, "Try \"%s --help\".\n", program_invocation_name);
	exit(EXIT_USAGE);
}

void usage_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vwarnx(fmt, args);
	va_end(args);
	point_at_help();
	abort();
}

void common_option(int option, const char *help)
{
	if (option == 'h')
		fputs(help, stdout);
	else if (option == 'V')
		puts("pagenode " PAGENODE_VERSION);
	else
		point_at_help();
	exit(EXIT_SUCCESS);
}

void no_more_arguments(int argc, char **argv)
{
	if (optind < argc)
		usage_error("what is \"%s\" for?", argv[optind]);
}

pid_t pid_argument(const char *text)
{
	uint64_t pid;

	if (number_parse(text, &pid) || !pid || pid > INT_MAX)
		usage_error("\"%s\" is no process id", text);
	return (pid_t)pid;
}
