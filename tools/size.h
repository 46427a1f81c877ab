/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes and addresses, as people write and read them */
#ifndef PN_SIZE_H
#define PN_SIZE_H

#include <stdint.h>

/* From @start to before @end; an end of 0 would be that of the address space. */
struct range {
	uint64_t start;
	uint64_t end;
};

#define SIZE_TEXT	24

/* Each returns 0, or -1 with errno EINVAL or, where it is too large, ERANGE. */

/* Decimal digits and nothing else */
int number_parse(const char *text, uint64_t *number);

/* Bytes: 4096, 0x1000, 4K, 4KiB, 1.5G */
int size_parse(const char *text, uint64_t *size);

/* Hexadecimal, with 0x or without, as in /proc/PID/maps */
int address_parse(const char *text, uint64_t *address);

/* START-END as in /proc/PID/maps, or START+SIZE */
int range_parse(const char *text, struct range *range);

/* START and SIZE, apart */
int range_of(const char *start, const char *size, struct range *range);

/* Decimal; returns the end. Takes 21 bytes at most. */
char *digits_text(char *text, uint64_t number);

/* In the largest unit, with three digits or a whole number of up to four */
const char *size_text(char text[SIZE_TEXT], uint64_t size);

#endif /* PN_SIZE_H */
