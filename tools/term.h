/* SPDX-License-Identifier: GPL-2.0-only */
/* The terminal that stdout may be */
#ifndef PN_TERM_H
#define PN_TERM_H

#include <stdbool.h>

enum when { NEVER, ALWAYS, AUTO };

/* "auto", "always" or "never": 0, or -1 */
int when_parse(const char *text, enum when *when);

/* How wide stdout is; 0: no terminal, as wide as it takes */
unsigned int term_width(void);

/* Is stdout to be in colour? AUTO: on a terminal that can, see no-color.org. */
bool term_colour(enum when when);

/* The colour of a node, of 256, and black or white letters on it */
#define COLOUR_BEGIN	"\033[38;5;%d;48;5;%dm"
#define COLOUR_END	"\033[0m"

int node_ink(int node);
int node_colour(int node);

/* The same for SVG */
const char *node_hex(int node);

/* A character for a node, from 0 to z; + for those beyond */
char node_letter(int node);
int letter_node(char letter);

#endif /* PN_TERM_H */
