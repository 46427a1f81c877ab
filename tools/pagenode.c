// SPDX-License-Identifier: GPL-2.0-only
/*
 * pagenode COMMAND: what a person wants to know about memory and nodes, and
 * about pagenode itself.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static const struct command commands[] = {
	{ "bench", "compare pagenode with this machine's move_pages(2)",
	  cmd_bench },
	{ "doctor", "say whether pagenode works here, and what mends it",
	  cmd_doctor },
	{ "map", "show on which nodes the memory of a process lies", cmd_map },
	{ "monitor", "print changes of the node map as they happen",
	  cmd_monitor },
	{ "query", "ask about a range of addresses", cmd_query },
	{ "run", "run a program whose move_pages(2) pagenode answers",
	  cmd_run },
	{ "stats", "show what the module has done", cmd_stats },
};

/*
 * A file that is opened while one of the first three descriptors is free would
 * get its number, and what we print. The one that stands for stdout refuses to
 * be written to, so that the loss of output is still an error. A program that
 * we execute finds them closed, as we did.
 */
static void occupy_standard_descriptors(void)
{
	static const int flags[] = { O_WRONLY, O_RDONLY, O_RDWR };
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", flags[fd] | O_CLOEXEC) != fd)
			_exit(EXIT_FAILURE);
}

/* What could not be written is an error, whatever the command returned. */
static void close_stdout(void)
{
	int failed = ferror(stdout);

	errno = 0;
	if (!fclose(stdout) && !failed)
		return;
	if (errno)
		warn("the output could not be written");
	else
		warnx("the output could not be written");
	_exit(EXIT_FAILURE);
}

static char *help(void)
{
	char *text;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		err(EXIT_FAILURE, "the help");
	fputs("usage: pagenode COMMAND [ARG]...\n\n"
	      "On which NUMA node does each page of memory lie?\n\n",
	      out);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(out, "  %-10s%s\n", commands[i].name,
			commands[i].summary);
	fputs("\n  -h, --help     this text, or with COMMAND that command's\n"
	      "  -V, --version  the version\n\n"
	      "pagenode(1) says more.\n", out);
	if (fclose(out))
		err(EXIT_FAILURE, "the help");
	return text;
}

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

/* What messages, getopt_long()'s too, begin with: "pagenode NAME" */
static void speak_as(const char *command, char **argv)
{
	static char name[32];

	snprintf(name, sizeof(name), "pagenode%s%s", *command ? " " : "",
		 command);
	program_invocation_name = name;
	program_invocation_short_name = name;
	argv[0] = name;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_VERSION, OPTION_END
	};
	const struct command *command;
	int option;

	occupy_standard_descriptors();
	atexit(close_stdout);
	speak_as("", argv);
	/* Options after the command's name are the command's. */
	option = getopt_long(argc, argv, "+hV", options, NULL);
	if (option != -1)
		common_option(option, help());
	if (optind >= argc)
		usage_error("which command?");
	command = find_command(argv[optind]);
	if (!command)
		usage_error("there is no command \"%s\"", argv[optind]);
	argc -= optind;
	argv += optind;
	optind = 0;
	speak_as(command->name, argv);
	return command->run(argc, argv);
}
