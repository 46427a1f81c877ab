// SPDX-License-Identifier: GPL-2.0-only
/* pagenode doctor: does pagenode work here, and what mends it? */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "json.h"
#include "maps.h"
#include "term.h"
#include "tool.h"

static const char help[] =
	"usage: pagenode doctor [OPTION]...\n"
	"\n"
	"Looks for what keeps pagenode from answering here, and says what mends it.\n"
	"The exit status is 0 if the module answers, and 1 if not.\n"
	"\n"
	"      --json     for programs\n"
	"  -h, --help     this text\n"
	"  -V, --version  the version\n";

/* In the order in which they can be mended. The last one decides. */
static const struct check checks[] = {
	{ "kernel", check_kernel },
	{ "nodes", check_nodes },
	{ "built", check_built },
	{ "signature", check_signature },
	{ "loaded", check_loaded },
	{ "device", check_device },
	{ "abi", check_abi },
	{ "answer", check_answer },
};

static const char *const verdict_names[] = {
	[GOOD] = "good", [NOTE] = "note", [BAD] = "bad",
};

void find(struct finding *finding, enum verdict verdict, const char *fmt, ...)
{
	va_list args;

	finding->verdict = verdict;
	va_start(args, fmt);
	vsnprintf(finding->text, sizeof(finding->text), fmt, args);
	va_end(args);
	text_make_safe(finding->text);
}

void mend(struct finding *finding, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(finding->remedy, sizeof(finding->remedy), fmt, args);
	va_end(args);
	text_make_safe(finding->remedy);
}

bool first_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	bool found = file && fgets(line, (int)size, file);

	if (file)
		fclose(file);
	if (!found)
		*line = '\0';
	line[strcspn(line, "\n")] = '\0';
	return found;
}

static void print_text(const char *name, const struct finding *finding)
{
	static const char *const colours[] = {
		[GOOD] = "\033[32m", [NOTE] = "\033[33m", [BAD] = "\033[1;31m",
	};
	bool colour = term_colour(AUTO);

	printf("%s%-4s%s  %-9s  %s\n", colour ? colours[finding->verdict] : "",
	       verdict_names[finding->verdict], colour ? COLOUR_END : "", name,
	       finding->text);
	if (*finding->remedy)
		printf("%17s-> %s\n", "", finding->remedy);
}

static json_t *json_finding(const char *name, const struct finding *finding)
{
	return json_pack("{s:s, s:s, s:s, s:o}", "check", name, "verdict",
			 verdict_names[finding->verdict], "finding",
			 finding->text, "remedy", *finding->remedy ?
			 json_string(finding->remedy) : json_null());
}

int cmd_doctor(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		OPTION_HELP, OPTION_VERSION, OPTION_END
	};
	struct finding finding = { BAD, "", "" };
	struct json_out out = { false };
	bool json = false;
	int option;
	size_t i;

	while ((option = getopt_long(argc, argv, "hV", options, NULL)) != -1)
		if (option == 'j')
			json = true;
		else
			common_option(option, help);
	no_more_arguments(argc, argv);

	if (json)
		json_out_list_begin(&out, "checks");
	for (i = 0; i < ARRAY_SIZE(checks); i++) {
		*finding.remedy = '\0';
		checks[i].run(&finding);
		if (json)
			json_out_element(&out, json_finding(checks[i].name,
							    &finding));
		else
			print_text(checks[i].name, &finding);
	}
	if (json) {
		json_out_list_end();
		json_out_member(&out, "works",
				json_boolean(finding.verdict == GOOD));
		json_out_end(&out);
	}
	return finding.verdict == GOOD ? EXIT_SUCCESS : EXIT_FAILURE;
}
