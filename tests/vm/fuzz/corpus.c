// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include "../cases/dice.h"

#define MAX_CORPUS	4096

static const char *const seeds[] = {
#include "seeds.h"
};

#define NR_SEEDS	(sizeof(seeds) / sizeof(seeds[0]))

static struct dice dice;
static struct bytes corpus[MAX_CORPUS];
static size_t nr_corpus;
static size_t nr_seeds_used;

void corpus_seed(uint64_t seed)
{
	dice.state = seed;
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

	input->nr = 1 + roll(&dice, MAX_INPUT);
	for (i = 0; i < input->nr; i++)
		input->byte[i] = throw_dice(&dice);
}

static void insert(struct bytes *input, size_t at)
{
	if (input->nr == MAX_INPUT)
		return;
	memmove(input->byte + at + 1, input->byte + at, input->nr - at);
	input->byte[at] = throw_dice(&dice);
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
	const struct bytes *other = &corpus[roll(&dice, nr_corpus)];

	if (at >= other->nr)
		return;
	memcpy(input->byte + at, other->byte + at, other->nr - at);
	input->nr = other->nr;
}

static void vary(struct bytes *input)
{
	static const uint8_t values[] = { 0, 1, 2, 7, 8, 127, 128, 254, 255 };
	size_t at = roll(&dice, input->nr);

	switch (roll(&dice, 7)) {
	case 0:
		input->byte[at] ^= 1 << roll(&dice, 8);
		break;
	case 1:
		input->byte[at] = values[roll(&dice, sizeof(values))];
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
		input->byte[at] = throw_dice(&dice);
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
	if (nr_corpus < 8 || one_in(&dice, 4)) {
		make_new(input);
		return;
	}
	*input = corpus[roll(&dice, nr_corpus)];
	for (times = 1 + roll(&dice, 4); times; times--)
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
