// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "size.h"

#define DIGITS		"0123456789"
#define UNITS		"KMGTPE"

static int invalid(void)
{
	errno = EINVAL;
	return -1;
}

static int too_large(void)
{
	errno = ERANGE;
	return -1;
}

/*
 * The digits that the text begins with, at least one, and where they end.
 * strtoull() alone would take blanks and signs.
 */
static int digits_parse(const char *text, int base, uint64_t *number,
			const char **end)
{
	const char *digits = base == 16 ? DIGITS "abcdefABCDEF" : DIGITS;
	char *rest;

	if (!*text || !strchr(digits, *text))
		return invalid();
	errno = 0;
	*number = strtoull(text, &rest, base);
	*end = rest;
	return errno ? -1 : 0;
}

static bool has_hex_prefix(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

int number_parse(const char *text, uint64_t *number)
{
	const char *end;

	if (digits_parse(text, 10, number, &end))
		return -1;
	return *end ? invalid() : 0;
}

/* The power of two of "", "B", "K", "KB" and "KiB", or -1 */
static int unit_shift(const char *unit)
{
	const char *found;

	if (!*unit || !strcasecmp(unit, "b"))
		return 0;
	found = strchr(UNITS, toupper((unsigned char)*unit));
	if (!found || (unit[1] && strcasecmp(unit + 1, "b") &&
		       strcasecmp(unit + 1, "ib")))
		return -1;
	return 10 * (int)(found - UNITS + 1);
}

/*
 * What the digits after a point add, in bytes. The tenth digit of an exbibyte
 * is 108 MiB: nobody writes more, and no more fit.
 */
static int fraction_parse(const char *text, const char **end, uint64_t *num,
			  uint64_t *den)
{
	size_t len = strspn(text, DIGITS);

	if (!len || len > 9 || digits_parse(text, 10, num, end))
		return invalid();
	for (*den = 1; len; len--)
		*den *= 10;
	return 0;
}

static int decimal_size(const char *text, uint64_t *size)
{
	uint64_t whole, num = 0, den = 1;
	const char *end;
	int shift;

	if (digits_parse(text, 10, &whole, &end) ||
	    (*end == '.' && fraction_parse(end + 1, &end, &num, &den)))
		return -1;
	shift = unit_shift(end);
	if (shift < 0 || (num && !shift))
		return invalid();
	if (whole > UINT64_MAX >> shift)
		return too_large();
	whole <<= shift;
	num = (uint64_t)((__uint128_t)num * (1ULL << shift) / den);
	if (num > UINT64_MAX - whole)
		return too_large();
	*size = whole + num;
	return 0;
}

int size_parse(const char *text, uint64_t *size)
{
	return has_hex_prefix(text) ? address_parse(text, size) :
				      decimal_size(text, size);
}

static int hex_parse(const char *text, uint64_t *number, const char **end)
{
	return digits_parse(text + (has_hex_prefix(text) ? 2 : 0), 16, number,
			    end);
}

int address_parse(const char *text, uint64_t *address)
{
	const char *end;

	if (hex_parse(text, address, &end))
		return -1;
	return *end ? invalid() : 0;
}

static int range_of_size(struct range *range, const char *size)
{
	uint64_t bytes;

	if (size_parse(size, &bytes))
		return -1;
	if (bytes > UINT64_MAX - range->start)
		return too_large();
	range->end = range->start + bytes;
	return 0;
}

int range_parse(const char *text, struct range *range)
{
	const char *end;

	if (hex_parse(text, &range->start, &end))
		return -1;
	if (*end == '+')
		return range_of_size(range, end + 1);
	if (*end != '-' || address_parse(end + 1, &range->end))
		return errno == ERANGE ? -1 : invalid();
	return range->end < range->start ? invalid() : 0;
}

int range_of(const char *start, const char *size, struct range *range)
{
	if (address_parse(start, &range->start))
		return -1;
	return range_of_size(range, size);
}

/* printf() would take most of the time of a table of many rows. */
char *digits_text(char *text, uint64_t number)
{
	char digits[20];
	size_t nr = 0;

	do {
		digits[nr++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (nr)
		*text++ = digits[--nr];
	*text = '\0';
	return text;
}

/* Three digits: 1.25, 12.5 or 125, from 1024ths */
static char *fraction_text(char *text, uint64_t part)
{
	uint64_t scale = part >= 99.95 * 1024 ? 1 : part >= 9.995 * 1024 ? 10 :
									   100;
	uint64_t number = (part * scale + 512) / 1024;

	text = digits_text(text, number / scale);
	if (scale == 1)
		return text;
	*text++ = '.';
	if (scale == 100 && number % 100 < 10)
		*text++ = '0';
	return digits_text(text, number % scale);
}

const char *size_text(char text[SIZE_TEXT], uint64_t size)
{
	size_t unit = 0;
	char *end;

	while (unit < strlen(UNITS) && size >> (10 * unit) >= 1024)
		unit++;
	if (size & ((1ULL << (10 * unit)) - 1))
		end = fraction_text(text, size >> (10 * unit - 10));
	else
		end = digits_text(text, size >> (10 * unit));
	if (unit)
		*end++ = UNITS[unit - 1];
	*end = '\0';
	return text;
}
