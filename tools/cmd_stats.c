// SPDX-License-Identifier: GPL-2.0-only
/* pagenode stats: what the module has done */
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uapi/pagenode.h>
#include <uapi/pagenode_genl.h>

#include "nl.h"
#include "stats.h"
#include "tool.h"

static const char help[] =
	"usage: pagenode stats [OPTION]...\n"
	"\n"
	"Shows what the module has done for all users since it was loaded. That takes\n"
	"root or CAP_PERFMON.\n"
	"\n"
	"      --json        for programs\n"
	"      --prometheus  as a text file for Prometheus\n"
	"  -h, --help        this text\n"
	"  -V, --version     the version\n";

static const char *ioctl_name(uint32_t nr)
{
	switch (nr) {
	case _IOC_NR(PAGENODE_IOC_STATUS):
		return "STATUS";
	case _IOC_NR(PAGENODE_IOC_EXTENTS):
		return "EXTENTS";
	case _IOC_NR(PAGENODE_IOC_COUNTS):
		return "COUNTS";
	case _IOC_NR(PAGENODE_IOC_PAGES):
		return "PAGES";
	default:
		return NULL;
	}
}

static void take_histogram(struct ioctl_stats *s, const struct nlattr *attr)
{
	size_t size = attr ? mnl_attr_get_payload_len(attr) : 0;

	s->buckets = size / sizeof(*s->histogram);
	if (s->buckets > STATS_BUCKETS)
		s->buckets = STATS_BUCKETS;
	/* It need not be aligned. */
	if (s->buckets)
		memcpy(s->histogram, mnl_attr_get_payload(attr),
		       s->buckets * sizeof(*s->histogram));
}

/* An ioctl of a later version is passed over. */
static void take_ioctl(struct stats *stats, const struct nlattr *nest)
{
	const struct nlattr *attrs[PAGENODE_STATS_A_MAX + 1];
	struct ioctl_stats *s = &stats->ioctl[stats->nr];

	nl_nested(nest, attrs, PAGENODE_STATS_A_MAX);
	if (stats->nr == STATS_IOCTLS)
		return;
	s->name = ioctl_name(nl_u32(attrs[PAGENODE_STATS_A_IOCTL]));
	if (!s->name)
		return;
	s->calls = nl_u64(attrs[PAGENODE_STATS_A_CALLS]);
	s->pages = nl_u64(attrs[PAGENODE_STATS_A_PAGES]);
	s->errors = nl_u64(attrs[PAGENODE_STATS_A_ERRORS]);
	s->nanoseconds = nl_u64(attrs[PAGENODE_STATS_A_NANOSECONDS]);
	take_histogram(s, attrs[PAGENODE_STATS_A_HISTOGRAM]);
	stats->nr++;
}

static int take_stats(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == PAGENODE_A_STATS)
			take_ioctl(data, attr);
	return MNL_CB_OK;
}

static int take_info(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *attrs[PAGENODE_A_MAX + 1];
	struct stats *stats = data;

	nl_attributes(message, attrs, PAGENODE_A_MAX);
	stats->abi = nl_u32(attrs[PAGENODE_A_ABI_VERSION]);
	stats->generation = nl_u64(attrs[PAGENODE_A_GENERATION]);
	if (attrs[PAGENODE_A_VERSION])
		snprintf(stats->version, sizeof(stats->version), "%s",
			 mnl_attr_get_str(attrs[PAGENODE_A_VERSION]));
	return MNL_CB_OK;
}

int cmd_stats(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "prometheus", no_argument, NULL, 'p' },
		OPTION_HELP, OPTION_VERSION, OPTION_END
	};
	void (*print)(const struct stats *stats) = stats_text;
	struct stats stats = { .nr = 0 };
	struct nl nl;
	int option;

	while ((option = getopt_long(argc, argv, "hV", options, NULL)) != -1)
		if (option == 'j')
			print = stats_json;
		else if (option == 'p')
			print = stats_prometheus;
		else
			common_option(option, help);
	no_more_arguments(argc, argv);

	nl_open(&nl);
	nl_ask(&nl, PAGENODE_CMD_GET_INFO, take_info, &stats);
	nl_ask(&nl, PAGENODE_CMD_GET_STATS, take_stats, &stats);
	nl_close(&nl);
	print(&stats);
	return EXIT_SUCCESS;
}
