/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which "pagenode map" shows a placement */
#ifndef PN_MAP_H
#define PN_MAP_H

#include <stdio.h>

#include "placement.h"
#include "term.h"

void map_text(const struct placement *placement, bool pages, bool colour,
	      unsigned int width);
void map_json(const struct placement *placement);

/* Draws the pieces. The caller looks after errors of the file. */
void map_svg(const struct placement *placement, FILE *file);

#endif /* PN_MAP_H */
