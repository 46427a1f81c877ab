// SPDX-License-Identifier: GPL-2.0-only
/* The library as its packages install it: whose page is this? */
#include <pagenode.h>

int main(void)
{
	struct pagenode *pn = pagenode_open(0);
	int status = -1;
	int ret;

	if (!pn)
		return 1;
	ret = pagenode_status(pn, &status, sizeof(status), &status, 1);
	pagenode_close(pn);
	return ret || status < 0;
}
