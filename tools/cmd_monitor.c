// SPDX-License-Identifier: GPL-2.0-only
/* pagenode monitor: changes of the node map, as they happen */
#include <err.h>
#include <inttypes.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <uapi/pagenode_genl.h>

#include "nl.h"
#include "tool.h"

static const char help[] =
	"usage: pagenode monitor\n"
	"\n"
	"Prints a line each time that memory goes online or offline, until it is\n"
	"interrupted: what was learnt about the placement of memory before may be out\n"
	"of date.\n"
	"\n"
	"  -h, --help     this text\n"
	"  -V, --version  the version\n";

static const char *change_name(uint32_t change)
{
	switch (change) {
	case PAGENODE_CHANGE_ONLINE:
		return "online";
	case PAGENODE_CHANGE_OFFLINE:
		return "offline";
	default:
		return "changed";
	}
}

static void print_time(void)
{
	time_t now = time(NULL);
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	fputs(text, stdout);
}

/* Whoever reads gets each line at once. That nobody does ends it. */
static int print_event(const struct nlmsghdr *message, void *data)
{
	const struct genlmsghdr *header = mnl_nlmsg_get_payload(message);
	const struct nlattr *attrs[PAGENODE_A_MAX + 1];
	uint64_t start;

	(void)data;
	if (header->cmd != PAGENODE_CMD_NODEMAP_CHANGED)
		return MNL_CB_OK;
	nl_attributes(message, attrs, PAGENODE_A_MAX);
	start = nl_u64(attrs[PAGENODE_A_START]);
	print_time();
	printf(" %s 0x%" PRIx64 "-0x%" PRIx64 " node ",
	       change_name(nl_u32(attrs[PAGENODE_A_CHANGE])), start,
	       start + nl_u64(attrs[PAGENODE_A_LENGTH]));
	if (attrs[PAGENODE_A_NODE])
		printf("%u", nl_u32(attrs[PAGENODE_A_NODE]));
	else
		putchar('?');
	printf(" generation %" PRIu64 "\n",
	       nl_u64(attrs[PAGENODE_A_GENERATION]));
	return fflush(stdout) ? MNL_CB_STOP : MNL_CB_OK;
}

static void complain(void)
{
	warnx("too slow: some events are lost, as the generation shows");
}

int cmd_monitor(int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_VERSION, OPTION_END
	};
	int option = getopt_long(argc, argv, "hV", options, NULL);
	struct nl nl;

	if (option != -1)
		common_option(option, help);
	no_more_arguments(argc, argv);
	nl_open(&nl);
	nl_listen(&nl, print_event, complain, NULL);
	nl_close(&nl);
	return EXIT_SUCCESS;
}
