// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "term.h"
#include "tool.h"

/*
 * Colours that those who confuse red and green tell apart too: the palette of
 * Okabe and Ito, without black.
 */
static const struct {
	const char *hex;
	int colour;
	int ink;
} palette[] = {
	{ "#0072b2", 25, 231 },
	{ "#e69f00", 214, 16 },
	{ "#009e73", 36, 16 },
	{ "#cc79a7", 175, 16 },
	{ "#56b4e9", 74, 16 },
	{ "#d55e00", 166, 231 },
	{ "#f0e442", 227, 16 },
};

int when_parse(const char *text, enum when *when)
{
	static const char *const names[] = {
		[NEVER] = "never", [ALWAYS] = "always", [AUTO] = "auto",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(text, names[i])) {
			*when = (enum when)i;
			return 0;
		}
	return -1;
}

unsigned int term_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

bool term_colour(enum when when)
{
	const char *term = getenv("TERM");
	const char *no_color = getenv("NO_COLOR");

	if (when != AUTO)
		return when == ALWAYS;
	return isatty(STDOUT_FILENO) && (!no_color || !*no_color) && term &&
	       strcmp(term, "dumb") != 0;
}

int node_ink(int node)
{
	return palette[(size_t)node % ARRAY_SIZE(palette)].ink;
}

int node_colour(int node)
{
	return palette[(size_t)node % ARRAY_SIZE(palette)].colour;
}

const char *node_hex(int node)
{
	return palette[(size_t)node % ARRAY_SIZE(palette)].hex;
}

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz+";

char node_letter(int node)
{
	size_t last = strlen(letters) - 1;

	return letters[(size_t)node < last ? (size_t)node : last];
}

int letter_node(char letter)
{
	return (int)(strchr(letters, letter) - letters);
}
