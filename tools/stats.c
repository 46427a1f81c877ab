// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "stats.h"

#define TIME_TEXT	16

/* In the largest unit, with three digits */
static const char *time_text(char text[TIME_TEXT], double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t unit = 0;

	while (ns >= 999.5 && unit < 3) {
		ns /= 1000;
		unit++;
	}
	snprintf(text, TIME_TEXT, "%.*f%s",
		 !unit || ns >= 99.95 ? 0 : ns >= 9.995 ? 1 : 2, ns,
		 units[unit]);
	return text;
}

/* What takes 99 of 100 calls no longer, to the next power of two */
static double most_ns(const struct ioctl_stats *s)
{
	uint64_t left = s->calls / 100, above = 0;
	size_t i = s->buckets;

	while (i && above + s->histogram[i - 1] <= left)
		above += s->histogram[--i];
	return i < 64 ? (double)(1ULL << i) : (double)UINT64_MAX;
}

static void text_row(const struct ioctl_stats *s)
{
	char all[TIME_TEXT], mean[TIME_TEXT], most[TIME_TEXT];

	printf("%-8s %12" PRIu64 " %16" PRIu64 " %9" PRIu64, s->name, s->calls,
	       s->pages, s->errors);
	if (s->calls)
		printf(" %9s %9s %9s\n",
		       time_text(all, (double)s->nanoseconds),
		       time_text(mean, (double)s->nanoseconds /
				 (double)s->calls),
		       time_text(most, most_ns(s)));
	else
		printf(" %9s %9s %9s\n", "-", "-", "-");
}

void stats_text(const struct stats *stats)
{
	size_t i;

	printf("pagenode %s, ABI %u, node map changed %" PRIu64 " times\n",
	       stats->version, stats->abi, stats->generation);
	printf("%-8s %12s %16s %9s %9s %9s %9s\n", "ioctl", "calls", "pages",
	       "errors", "time", "a call", "99% below");
	for (i = 0; i < stats->nr; i++)
		text_row(&stats->ioctl[i]);
}

static json_t *json_ioctl(const struct ioctl_stats *s)
{
	json_t *histogram = json_array();
	size_t i;

	for (i = 0; i < s->buckets; i++)
		json_array_append_new(histogram, json_number(s->histogram[i]));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "ioctl", s->name,
			 "calls", json_number(s->calls), "pages",
			 json_number(s->pages), "errors",
			 json_number(s->errors), "nanoseconds",
			 json_number(s->nanoseconds), "histogram", histogram);
}

void stats_json(const struct stats *stats)
{
	struct json_out out = { false };
	size_t i;

	json_out_member(&out, "version", json_string(stats->version));
	json_out_member(&out, "abi", json_integer(stats->abi));
	json_out_member(&out, "generation", json_number(stats->generation));
	json_out_list_begin(&out, "ioctls");
	for (i = 0; i < stats->nr; i++)
		json_out_element(&out, json_ioctl(&stats->ioctl[i]));
	json_out_list_end();
	json_out_end(&out);
}

/* The label of an ioctl, by convention in small letters */
static void label(const struct ioctl_stats *s)
{
	const char *c;

	fputs("{ioctl=\"", stdout);
	for (c = s->name; *c; c++)
		putchar(tolower((unsigned char)*c));
	putchar('"');
}

/**
 * struct metric - a counter that each ioctl has
 * @name: by convention with "_total"
 * @help: what it counts
 * @offset: where in struct ioctl_stats
 */
static const struct metric {
	const char *name;
	const char *help;
	size_t offset;
} metrics[] = {
	{ "pagenode_calls_total", "Queries that returned.",
	  offsetof(struct ioctl_stats, calls) },
	{ "pagenode_pages_total", "Base pages that were answered.",
	  offsetof(struct ioctl_stats, pages) },
	{ "pagenode_errors_total", "Queries that returned an error.",
	  offsetof(struct ioctl_stats, errors) },
};

static void prometheus_counters(const struct stats *stats,
				const struct metric *metric)
{
	uint64_t value;
	size_t i;

	printf("# HELP %s %s\n# TYPE %s counter\n", metric->name, metric->help,
	       metric->name);
	for (i = 0; i < stats->nr; i++) {
		memcpy(&value, (const char *)&stats->ioctl[i] + metric->offset,
		       sizeof(value));
		fputs(metric->name, stdout);
		label(&stats->ioctl[i]);
		printf("} %" PRIu64 "\n", value);
	}
}

/* Buckets of Prometheus hold what the smaller ones hold, too. */
static void prometheus_histogram(const struct ioctl_stats *s)
{
	static const char name[] = "pagenode_query_duration_seconds";
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i + 1 < s->buckets; i++) {
		sum += s->histogram[i];
		printf("%s_bucket", name);
		label(s);
		printf(",le=\"%.9g\"} %" PRIu64 "\n",
		       (double)(2ULL << i) / 1e9, sum);
	}
	printf("%s_bucket", name);
	label(s);
	printf(",le=\"+Inf\"} %" PRIu64 "\n%s_sum", s->calls, name);
	label(s);
	printf("} %.9f\n%s_count", (double)s->nanoseconds / 1e9, name);
	label(s);
	printf("} %" PRIu64 "\n", s->calls);
}

void stats_prometheus(const struct stats *stats)
{
	size_t i;

	printf("# HELP pagenode_info What is loaded.\n"
	       "# TYPE pagenode_info gauge\n"
	       "pagenode_info{version=\"%s\",abi=\"%u\"} 1\n", stats->version,
	       stats->abi);
	printf("# HELP pagenode_nodemap_changes_total How often memory went online or offline.\n"
	       "# TYPE pagenode_nodemap_changes_total counter\n"
	       "pagenode_nodemap_changes_total %" PRIu64 "\n",
	       stats->generation);
	for (i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		prometheus_counters(stats, &metrics[i]);
	printf("# HELP pagenode_query_duration_seconds How long queries take.\n"
	       "# TYPE pagenode_query_duration_seconds histogram\n");
	for (i = 0; i < stats->nr; i++)
		prometheus_histogram(&stats->ioctl[i]);
}
