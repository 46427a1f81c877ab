// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz --list	prints the names of the cases
 * fuzz NAME	runs one, for a while and always from the same seed
 * fuzz [--calls N] [--seconds N] [--seed N] [--corpus]
 *		the same as asked for, else from a random seed; with --corpus it
 *		also prints the inputs that have reached more of the module, as
 *		seeds.h has them
 * fuzz --input HEX
 *		makes the call of that input
 */
#include "fuzz.h"

#include <getopt.h>
#include <stdarg.h>
#include <sys/random.h>
#include <time.h>

#define CASE		"fuzz-abi"
#define CASE_SECONDS	20
#define CASE_SEED	1

/* Fewer calls need not end in every way there is. */
#define ENOUGH_CALLS	30000

static struct bytes input;
static uint64_t seed;
static unsigned long nr_calls;
unsigned int nr_node_ids;

void wrong(const char *fmt, ...)
{
	char hex[2 * MAX_INPUT + 1];
	char why[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	print_hex(hex, &input);
	fail("%s; call %lu of seed %llu; again with: fuzz --input %s", why,
	     nr_calls, (unsigned long long)seed, hex);
}

static void fuzz_one(void)
{
	struct input in = { .byte = input.byte, .left = input.nr };

	cover_begin();
	if (take_below(&in, 8) == 7)
		fuzz_netlink(&in);
	else
		fuzz_ioctl(&in);
	nr_calls++;
}

static uint64_t now(void)
{
	struct timespec t;

	must(clock_gettime(CLOCK_MONOTONIC, &t));
	return t.tv_sec;
}

/* The call that a seed makes is one of them too. */
static void fuzz(unsigned long calls, unsigned long seconds)
{
	uint64_t end = now() + seconds;

	while (nr_calls < calls && (!seconds || now() < end)) {
		corpus_next(&input);
		fuzz_one();
		if (tally_news() | (cover_end() > 0))
			corpus_keep(&input);
	}
	region_check();
}

static void open_all(void)
{
	if (have_numa_balancing())
		set_numa_balancing(false);
	nr_node_ids = module_info().nr_node_ids;
	region_open();
	boards_open();
	big_place();
	files_open();
	netlink_open();
}

static void report(size_t points)
{
	tally_print();
	points_print_missing();
	if (nr_calls >= ENOUGH_CALLS)
		tally_check();
	if (points)
		note("%lu calls, seed %llu, %zu of %zu places reached, %zu inputs kept",
		     nr_calls, (unsigned long long)seed, points_reached(),
		     points, corpus_size());
	else
		note("%lu calls, seed %llu, no KCOV", nr_calls,
		     (unsigned long long)seed);
}

struct options {
	unsigned long calls;
	unsigned long seconds;
	bool corpus;
};

static void run(void *arg)
{
	const struct options *o = arg;
	size_t points;

	open_all();
	points = cover_open();
	if (input.nr) {
		fuzz_one();
		note("the call has ended as it may");
		return;
	}
	corpus_seed(seed);
	fuzz(o->calls, o->seconds);
	if (o->corpus)
		corpus_print();
	report(points);
}

static struct options parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "calls", required_argument, NULL, 'c' },
		{ "seconds", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'r' },
		{ "corpus", no_argument, NULL, 'k' },
		{ "input", required_argument, NULL, 'i' },
		{ "list", no_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .calls = -1UL };
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'c':
			o.calls = strtoul(optarg, NULL, 0);
			break;
		case 's':
			o.seconds = strtoul(optarg, NULL, 0);
			break;
		case 'r':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'k':
			o.corpus = true;
			break;
		case 'i':
			if (!parse_hex(optarg, &input) || !input.nr)
				fail("%s is no input", optarg);
			break;
		case 'l':
			puts(CASE);
			exit(EXIT_SUCCESS);
		default:
			exit(EXIT_FAILURE);
		}
	}
	if (o.calls == -1UL)
		o.seconds = CASE_SECONDS;
	if (optind == argc)
		return o;
	if (strcmp(argv[optind], CASE))
		fail("no case is called %s: see fuzz --list", argv[optind]);
	seed = CASE_SEED;
	return o;
}

int main(int argc, char **argv)
{
	struct options o;
	int code;

	must(getrandom(&seed, sizeof(seed), 0));
	o = parse(argc, argv);
	knobs_save();
	code = run_in_child(run, &o);
	knobs_restore();
	return code;
}
