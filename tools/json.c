// SPDX-License-Identifier: GPL-2.0-only
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"

static void dump(json_t *value)
{
	if (!value)
		errx(EXIT_FAILURE, "no memory for JSON");
	/* A failure to write shows at the end of the program. */
	(void)json_dumpf(value, stdout, JSON_ENCODE_ANY);
	json_decref(value);
}

static void key_dump(struct json_out *out, const char *key)
{
	printf("%s\"%s\": ", out->begun ? ",\n " : "{", key);
	out->begun = true;
}

void json_out_member(struct json_out *out, const char *key, json_t *value)
{
	key_dump(out, key);
	dump(value);
}

void json_out_list_begin(struct json_out *out, const char *key)
{
	key_dump(out, key);
	putchar('[');
	out->list_begun = false;
}

void json_out_element(struct json_out *out, json_t *value)
{
	fputs(out->list_begun ? ",\n  " : "\n  ", stdout);
	out->list_begun = true;
	dump(value);
}

void json_out_list_end(void)
{
	putchar(']');
}

void json_out_end(struct json_out *out)
{
	puts(out->begun ? "}" : "{}");
}

json_t *json_address(uint64_t address)
{
	return json_sprintf("0x%" PRIx64, address);
}

json_t *json_number(uint64_t number)
{
	return json_integer((json_int_t)number);
}
