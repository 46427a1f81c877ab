// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that no library is ever preloaded into.
 */
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	void *page = &page;
	int status = -1;

	if (syscall(SYS_move_pages, 0, 1UL, &page, NULL, &status, 0))
		return 1;
	return status < 0;
}
