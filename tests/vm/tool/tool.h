/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the cases about the command share. They are a program of their own, for
 * which the command and its libraries have to be there.
 */
#ifndef TOOL_H
#define TOOL_H

#include "../cases/query.h"

#include <jansson.h>

/* run.c. Runs "pagenode ARGS" and returns how it ended; @out gets what it said. */
int tool(char *out, size_t size, const char *args, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for a command that prints JSON; fails unless it ends with @status. */
json_t *tool_json(int status, const char *args, ...)
	__attribute__((format(printf, 2, 3)));

/* Members of an object; they fail where it has none. */
json_t *member(const json_t *object, const char *key);
uint64_t number(const json_t *object, const char *key);
/* 0 where the object has no such member. */
uint64_t number_or_0(const json_t *object, const char *key);
const char *text(const json_t *object, const char *key);
/* The object of the list whose member has that value. */
json_t *element(const json_t *list, const char *key, const char *value);

/* The mapping that starts there, of what "map --json" printed */
json_t *mapping_at(const json_t *map, const void *start);
/* How many of its pages lie on a node */
uint64_t on_node(const json_t *mapping, int node);

/* Runs @fn while the module is not loaded. */
void without_module(void (*fn)(void));

#endif /* TOOL_H */
