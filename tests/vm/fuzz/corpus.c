// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#define MAX_CORPUS	4096

static const char *const seeds[] = {
#include "seeds.h"
};

#define NR_SEEDS	(sizeof(seeds) / sizeof(seeds[0]))

static uint64_t state;
static struct bytes corpus[MAX_CORPUS];
static size_t nr_corpus;
static size_t nr_seeds_used;

void corpus_seed(uint64_t seed)
{
	state = seed;
}

/* splitmix64 */
static uint64_t random64(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static size_t random_below(size_t limit)
{
	return random64() % limit;
}

bool parse_hex(const char *hex, struct bytes *input)
{
	unsigned int byte;

	for (input->nr = 0; *hex; hex += 2) {
		if (input->nr == MAX_INPUT || sscanf(hex, "%2x", &byte) != 1)
			return false;
		input->byte[input->nr++] = byte;
		if (!hex[1])
			return false;
	}
	return true;
}

void print_hex(char *out, const struct bytes *input)
{
	size_t i;

	*out = '\0';
	for (i = 0; i < input->nr; i++)
		sprintf(out + 2 * i, "%02x", input->byte[i]);
}

static void make_new(struct bytes *input)
{
	size_t i;

	input->nr = 1 + random_below(MAX_INPUT);
	for (i = 0; i < input->nr; i++)
		input->byte[i] = random64();
}

static void insert(struct bytes *input, size_t at)
{
	if (input->nr == MAX_INPUT)
		return;
	memmove(input->byte + at + 1, input->byte + at, input->nr - at);
	input->byte[at] = random64();
	input->nr++;
}

static void drop(struct bytes *input, size_t at)
{
	if (input->nr == 1)
		return;
	input->nr--;
	memmove(input->byte + at, input->byte + at + 1, input->nr - at);
}

/* The end of another one */
static void splice(struct bytes *input, size_t at)
{
	const struct bytes *other = &corpus[random_below(nr_corpus)];

	if (at >= other->nr)
		return;
	memcpy(input->byte + at, other->byte + at, other->nr - at);
	input->nr = other->nr;
}

static void vary(struct bytes *input)
{
	static const uint8_t values[] = { 0, 1, 2, 7, 8, 127, 128, 254, 255 };
	size_t at = random_below(input->nr);

	switch (random_below(7)) {
	case 0:
		input->byte[at] ^= 1 << random_below(8);
		break;
	case 1:
		input->byte[at] = values[random_below(sizeof(values))];
		break;
	case 2:
		insert(input, at);
		break;
	case 3:
		drop(input, at);
		break;
	case 4:
		splice(input, at);
		break;
	default:
		input->byte[at] = random64();
		break;
	}
}

void corpus_next(struct bytes *input)
{
	size_t times;

	if (nr_seeds_used < NR_SEEDS) {
		if (!parse_hex(seeds[nr_seeds_used++], input) || !input->nr)
			fail("seed %zu is no input", nr_seeds_used);
		if (nr_corpus < MAX_CORPUS)
			corpus[nr_corpus++] = *input;
		return;
	}
	if (nr_corpus < 8 || !random_below(4)) {
		make_new(input);
		return;
	}
	*input = corpus[random_below(nr_corpus)];
	for (times = 1 + random_below(4); times; times--)
		vary(input);
}

/* A seed is there already. */
void corpus_keep(const struct bytes *input)
{
	if (nr_corpus && !memcmp(&corpus[nr_corpus - 1], input, sizeof(*input)))
		return;
	if (nr_corpus < MAX_CORPUS)
		corpus[nr_corpus++] = *input;
}

size_t corpus_size(void)
{
	return nr_corpus;
}

void corpus_print(void)
{
	char hex[2 * MAX_INPUT + 1];
	size_t i;

	for (i = 0; i < nr_corpus; i++) {
		print_hex(hex, &corpus[i]);
		printf("\"%s\",\n", hex);
	}
}
