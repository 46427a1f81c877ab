// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library with a move_pages() of its own, which is none of our business.
 */
int move_pages(int nr);
int other_moves(int nr);

int move_pages(int nr)
{
	return nr + 1;
}

int other_moves(int nr)
{
	return move_pages(nr);
}
