// SPDX-License-Identifier: GPL-2.0-only
/* Running the command, and reading what it says. */
#include "tool.h"

#include <stdarg.h>
#include <sys/wait.h>

#include "../cases/reload.h"

#define TOOL "/pagenode"

static FILE *start(char *line, size_t size, const char *args, va_list list)
{
	int len = snprintf(line, size, TOOL " ");
	FILE *pipe;

	vsnprintf(line + len, size - len, args, list);
	pipe = popen(line, "re");
	if (!pipe)
		fail("popen: %s", strerror(errno));
	return pipe;
}

int tool(char *out, size_t size, const char *args, ...)
{
	char line[256];
	va_list list;
	FILE *pipe;
	size_t len;
	int status;

	va_start(list, args);
	pipe = start(line, sizeof(line), args, list);
	va_end(list);
	len = fread(out, 1, size - 1, pipe);
	out[len] = '\0';
	status = pclose(pipe);
	if (!WIFEXITED(status))
		fail("%s: wait status %#x", line, status);
	return WEXITSTATUS(status);
}

json_t *tool_json(int want, const char *args, ...)
{
	char line[256];
	json_error_t error;
	va_list list;
	json_t *json;
	FILE *pipe;
	int status;

	va_start(list, args);
	pipe = start(line, sizeof(line), args, list);
	va_end(list);
	json = json_loadf(pipe, 0, &error);
	status = pclose(pipe);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != want)
		fail("%s: wait status %#x, not exit status %d", line, status,
		     want);
	if (!json)
		fail("%s: no JSON: %s", line, error.text);
	return json;
}

json_t *member(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!value)
		fail("JSON without \"%s\"", key);
	return value;
}

uint64_t number(const json_t *object, const char *key)
{
	return json_integer_value(member(object, key));
}

uint64_t number_or_0(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(member(object, key));

	return value ? value : "";
}

json_t *element(const json_t *list, const char *key, const char *value)
{
	json_t *object;
	size_t i;

	json_array_foreach(list, i, object)
		if (!strcmp(text(object, key), value))
			return object;
	fail("no \"%s\" is \"%s\"", key, value);
}

json_t *mapping_at(const json_t *map, const void *start)
{
	char address[32];

	snprintf(address, sizeof(address), "%p", start);
	return element(member(map, "mappings"), "start", address);
}

uint64_t on_node(const json_t *mapping, int node)
{
	char key[16];

	snprintf(key, sizeof(key), "%d", node);
	return number_or_0(member(mapping, "nodes"), key);
}

static void call(void *arg)
{
	void (**fn)(void) = arg;

	(*fn)();
}

/* The module comes back however that ends. */
void without_module(void (*fn)(void))
{
	int code;

	must(unload());
	code = run_in_child(call, &fn);
	load();
	if (code)
		_exit(code);
}
