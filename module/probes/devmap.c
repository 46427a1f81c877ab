// SPDX-License-Identifier: GPL-2.0-only
/* Do leaves have a bit for mappings of DAX devices? Gone in later kernels. */
#include <linux/mm.h>

int pn_probe(pmd_t pmd, pud_t pud);
int pn_probe(pmd_t pmd, pud_t pud)
{
	return pmd_devmap(pmd) || pud_devmap(pud);
}
