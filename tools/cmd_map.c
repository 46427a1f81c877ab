// SPDX-License-Identifier: GPL-2.0-only
/* pagenode map: on which nodes the memory of a process lies */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "map.h"
#include "tool.h"

static const char help[] =
	"usage: pagenode map [OPTION]... PID\n"
	"\n"
	"Shows every mapping of a process: how much of it lies on which node, is the\n"
	"zero page or not present, and by which page sizes it is mapped.\n"
	"\n"
	"      --pages        numbers of base pages, and not sizes\n"
	"      --color[=WHEN] auto, always or never\n"
	"      --json         for programs\n"
	"      --svg=FILE     draw the address space into that file\n"
	"  -h, --help         this text\n"
	"  -V, --version      the version\n";

static void draw(const struct placement *placement, const char *path)
{
	FILE *file = fopen(path, "we");
	int failed;

	if (!file)
		err(EXIT_FAILURE, "%s", path);
	map_svg(placement, file);
	failed = ferror(file);
	if (fclose(file) || failed)
		err(EXIT_FAILURE, "%s", path);
}

int cmd_map(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pages", no_argument, NULL, 'P' },
		{ "color", optional_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'j' },
		{ "svg", required_argument, NULL, 's' },
		OPTION_HELP, OPTION_VERSION, OPTION_END
	};
	struct placement placement = { 0 };
	const char *svg = NULL;
	bool pages = false, json = false;
	enum when colour = AUTO;
	pid_t pid;
	int option;

	while ((option = getopt_long(argc, argv, "hV", options, NULL)) != -1)
		if (option == 'P')
			pages = true;
		else if (option == 'j')
			json = true;
		else if (option == 's')
			svg = optarg;
		else if (option != 'c')
			common_option(option, help);
		else if (when_parse(optarg ? optarg : "always", &colour))
			usage_error("--color is auto, always or never");
	if (optind >= argc)
		usage_error("which process?");
	pid = pid_argument(argv[optind++]);
	no_more_arguments(argc, argv);

	placement.keep = svg;
	placement_read(&placement, pid);
	if (svg)
		draw(&placement, svg);
	else if (json)
		map_json(&placement);
	else
		map_text(&placement, pages, term_colour(colour), term_width());
	placement_free(&placement);
	return EXIT_SUCCESS;
}
