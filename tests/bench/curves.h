/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables to draw curves from */
#ifndef PN_CURVES_H
#define PN_CURVES_H

#include "report.h"

/* The cost of a call by the size of its range */
int sizes(struct report *report);

/* The cost of a page by the size of the folio that it is part of */
int folios(struct report *report);

#endif /* PN_CURVES_H */
