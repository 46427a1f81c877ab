/* SPDX-License-Identifier: GPL-2.0-only */
/* What the subcommands have in common: their table, options, how they end. */
#ifndef PN_TOOL_H
#define PN_TOOL_H

#include <getopt.h>
#include <sys/types.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Bad arguments. EXIT_FAILURE is for everything else that goes wrong. */
#define EXIT_USAGE	2

/**
 * struct command - a subcommand
 * @name: how it is called
 * @summary: what it does, for the list
 * @run: does it; argv[0] is "pagenode NAME". Returns the exit status
 */
struct command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
};

int cmd_bench(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_monitor(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_stats(int argc, char **argv);

/* The end of each table of options for getopt_long() */
#define OPTION_HELP	{ "help", no_argument, NULL, 'h' }
#define OPTION_VERSION	{ "version", no_argument, NULL, 'V' }
#define OPTION_END	{ NULL, 0, NULL, 0 }

/* --help, --version, or what getopt_long() has already complained about */
__attribute__((noreturn)) void common_option(int option, const char *help);

/* Says what is wrong with the arguments, and where to find help. */
__attribute__((noreturn, format(printf, 1, 2)))
void usage_error(const char *fmt, ...);

/* Complains about arguments beyond those that the command knows. */
void no_more_arguments(int argc, char **argv);

/* A process id from an argument, or a usage error */
pid_t pid_argument(const char *text);

#endif /* PN_TOOL_H */
