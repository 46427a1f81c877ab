/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON on stdout: one object, whose members are written as they come. A list in
 * it may be longer than one would like to hold in memory.
 */
#ifndef PN_JSON_H
#define PN_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Zeroed, it is ready. */
struct json_out {
	bool begun;
	bool list_begun;
};

/* The value is released. NULL ends the program: there is no memory for it. */
void json_out_member(struct json_out *out, const char *key, json_t *value);

void json_out_list_begin(struct json_out *out, const char *key);
void json_out_element(struct json_out *out, json_t *value);
void json_out_list_end(void);
void json_out_end(struct json_out *out);

/* Numbers of JSON are exact up to 2^53: an address is a string. */
json_t *json_address(uint64_t address);
json_t *json_number(uint64_t number);

#endif /* PN_JSON_H */
