// SPDX-License-Identifier: GPL-2.0-only
/* pagenode run: a program whose move_pages(2) pagenode answers */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tool.h"

/* The Makefile says where it is installed. */
#ifndef PN_PRELOAD
#define PN_PRELOAD	"/usr/local/lib/pagenode/libpagenode-preload.so"
#endif

/* As env(1) and nohup(1) have it */
#define EXIT_CANNOT_RUN	126
#define EXIT_NOT_FOUND	127

static const char help[] =
	"usage: pagenode run [--] COMMAND [ARG]...\n"
	"\n"
	"Runs a command, with " PN_PRELOAD "\n"
	"in front of what LD_PRELOAD names: the questions that the command asks of\n"
	"move_pages(2) are then answered by pagenode.\n"
	"\n"
	"  -h, --help     this text\n"
	"  -V, --version  the version\n"
	"\n"
	"The exit status is the command's; 126 where it can't be run, 127 where it is\n"
	"not found.\n";

static void preload(void)
{
	const char *before = getenv("LD_PRELOAD");
	char *list;

	if (access(PN_PRELOAD, R_OK))
		err(EXIT_FAILURE, "%s (\"make install\" puts it there)",
		    PN_PRELOAD);
	if (asprintf(&list, "%s%s%s", PN_PRELOAD, before && *before ? ":" : "",
		     before ? before : "") < 0 ||
	    setenv("LD_PRELOAD", list, 1))
		err(EXIT_FAILURE, "LD_PRELOAD");
	free(list);
}

int cmd_run(int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_VERSION, OPTION_END
	};
	int option = getopt_long(argc, argv, "+hV", options, NULL);

	if (option != -1)
		common_option(option, help);
	if (optind >= argc)
		usage_error("run what?");
	preload();
	execvp(argv[optind], argv + optind);
	option = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	warn("%s", argv[optind]);
	return option;
}
