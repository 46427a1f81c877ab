// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maps.h"

/* Where user space can't end above, on any architecture */
#define USER_END	(1ULL << 63)

static bool is_utf8(const char *text)
{
	json_t *string = json_string(text);
	bool valid = string;

	json_decref(string);
	return valid;
}

void text_make_safe(char *text)
{
	bool utf8 = is_utf8(text);
	unsigned char *c;

	for (c = (unsigned char *)text; *c; c++) {
		bool control = *c < ' ' || *c == 0x7f ||
			       (*c == 0xc2 && c[1] < 0xa0);

		if (control && *c == 0xc2)
			*c++ = '?';
		if (control || (!utf8 && *c > 0x7f))
			*c = '?';
	}
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A hexadecimal number and the character after it; NULL if they are not there */
static char *parse_hex(char *text, char after, uint64_t *number)
{
	char *start = text;
	int digit;

	for (*number = 0; (digit = hex_digit(*text)) >= 0; text++)
		*number = *number << 4 | (uint64_t)digit;
	return text > start && *text == after ? text + 1 : NULL;
}

static char *parse_perms(char *text, char perms[5])
{
	if (strnlen(text, 5) < 5 || text[4] != ' ')
		return NULL;
	memcpy(perms, text, 4);
	perms[4] = '\0';
	return text + 5;
}

/*
 * "START-END PERMS OFFSET MAJOR:MINOR INODE   NAME", the name to the line's end,
 * where it is not missing. There may be many: sscanf() would take its time.
 */
static char *parse_fields(char *text, struct mapping *mapping)
{
	uint64_t ignored;

	text = parse_hex(text, '-', &mapping->range.start);
	text = text ? parse_hex(text, ' ', &mapping->range.end) : NULL;
	text = text ? parse_perms(text, mapping->perms) : NULL;
	text = text ? parse_hex(text, ' ', &mapping->offset) : NULL;
	text = text ? parse_hex(text, ':', &ignored) : NULL;
	text = text ? parse_hex(text, ' ', &ignored) : NULL;
	if (!text || *text < '0' || *text > '9')
		return NULL;
	text += strspn(text, "0123456789");
	return text + strspn(text, " ");
}

static int parse_line(char *line, struct mapping *mapping)
{
	char *name;

	line[strcspn(line, "\n")] = '\0';
	name = parse_fields(line, mapping);
	if (!name) {
		errno = EPROTO;
		return -1;
	}
	mapping->name = strdup(name);
	if (!mapping->name)
		return -1;
	if (*name)
		text_make_safe(mapping->name);
	return 0;
}

/* Room for one more, at the end of the list */
static struct mapping *maps_more(struct maps *maps)
{
	struct mapping *list = maps->list;

	/* Doubled when the number is a power of two */
	if (!(maps->nr & (maps->nr - 1)))
		list = reallocarray(list, maps->nr ? 2 * maps->nr : 1,
				    sizeof(*list));
	if (!list)
		return NULL;
	maps->list = list;
	return &list[maps->nr];
}

static int maps_add(struct maps *maps, char *line)
{
	struct mapping *mapping = maps_more(maps);

	if (!mapping || parse_line(line, mapping))
		return -1;
	if (mapping->range.start >= USER_END)
		free(mapping->name);
	else
		maps->nr++;
	return 0;
}

int maps_read(struct maps *maps, FILE *file)
{
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	*maps = (struct maps) { NULL, 0 };
	while (!ret && getline(&line, &size, file) > 0)
		ret = maps_add(maps, line);
	if (ret || !feof(file)) {
		ret = -1;
		maps_free(maps);
	}
	free(line);
	return ret;
}

int maps_of(struct maps *maps, pid_t pid)
{
	char path[32];
	FILE *file;
	int ret, error;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	file = fopen(path, "re");
	if (!file) {
		if (errno == ENOENT)
			errno = ESRCH;
		return -1;
	}
	ret = maps_read(maps, file);
	error = errno;
	fclose(file);
	errno = error;
	return ret;
}

void maps_free(struct maps *maps)
{
	int error = errno;
	size_t i;

	for (i = 0; i < maps->nr; i++)
		free(maps->list[i].name);
	free(maps->list);
	*maps = (struct maps) { NULL, 0 };
	errno = error;
}

const char *comm_of(char text[COMM_TEXT], pid_t pid)
{
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	file = fopen(path, "re");
	if (!file || !fgets(text, COMM_TEXT, file))
		snprintf(text, COMM_TEXT, "?");
	if (file)
		fclose(file);
	text[strcspn(text, "\n")] = '\0';
	text_make_safe(text);
	return text;
}
