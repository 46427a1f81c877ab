// SPDX-License-Identifier: GPL-2.0-only
/* Anonymous memory for the zoo. */
#include "case.h"

#include "zoo.h"

static void half_and_half(struct zoo *z)
{
	char *p = zoo_anon(z, 128);

	touch_on(node_a(), p, 64 * PAGE);
	touch_on(node_b(), p + 64 * PAGE, 64 * PAGE);
	zoo_add(z, "anon", p, 64, NORMAL, node_a());
	zoo_add(z, "anon", p + 64 * PAGE, 64, NORMAL, node_b());
}

/* Neighbouring entries never agree. */
static void page_by_page(struct zoo *z)
{
	char *p = zoo_anon(z, 256);
	int node;
	int i;

	for (i = 0; i < 256; i++) {
		node = i % 2 ? node_b() : node_a();
		touch_on(node, p + i * PAGE, PAGE);
		zoo_add(z, "anon, interleaved", p + i * PAGE, 1, NORMAL, node);
	}
}

static void every_second(struct zoo *z)
{
	char *p = zoo_anon(z, 64);
	int i;

	for (i = 0; i < 64; i += 2) {
		touch_on(node_a(), p + i * PAGE, PAGE);
		zoo_add(z, "anon, even", p + i * PAGE, 1, NORMAL, node_a());
		zoo_add(z, "anon, odd", p + (i + 1) * PAGE, 1, UNTOUCHED, 0);
	}
}

/* A page in every fourth page table, and none in between. */
static void sparse(struct zoo *z)
{
	const size_t step = 4 * HUGE_PAGES + 1;
	char *p = zoo_anon(z, 8 * step);
	int i;

	for (i = 0; i < 8; i++) {
		touch_on(node_b(), p + i * step * PAGE, PAGE);
		zoo_add(z, "sparse", p + i * step * PAGE, 1, NORMAL, node_b());
		zoo_add(z, "sparse", p + (i * step + 1) * PAGE, step - 1,
			UNTOUCHED, 0);
	}
}

static void prot_none(struct zoo *z)
{
	char *p = zoo_anon(z, 32);

	touch_on(node_b(), p, 30 * PAGE);
	must(mprotect(p, 32 * PAGE, PROT_NONE));
	zoo_add(z, "PROT_NONE", p, 30, PROT_NONE_PAGE, node_b());
	zoo_add(z, "PROT_NONE, untouched", p + 30 * PAGE, 2, UNTOUCHED, 0);
}

static void locked(struct zoo *z)
{
	char *p = zoo_anon(z, 16);

	touch_on(node_b(), p, 16 * PAGE);
	must(mlock(p, 16 * PAGE));
	zoo_add(z, "mlocked", p, 16, NORMAL, node_b());
}

static void moved(struct zoo *z)
{
	char *from = zoo_anon(z, 16);
	char *to = zoo_room(z, 16, PAGE);

	touch_on(node_a(), from, 16 * PAGE);
	must((long)mremap(from, 16 * PAGE, 16 * PAGE,
			  MREMAP_MAYMOVE | MREMAP_FIXED, to));
	zoo_add(z, "mremapped", to, 16, NORMAL, node_a());
}

/* Mixtures of any length, at any place in a cache line of entries. */
static void jumble(struct zoo *z)
{
	const int nr_pages = 1500;
	char *p = zoo_anon(z, nr_pages);
	uint64_t state = 7;
	uint64_t last = 0;
	uint64_t what;
	char *page;
	int i;

	for (i = 0; i < nr_pages; i++) {
		page = p + i * PAGE;
		what = zoo_random(&state) % 8;
		what = what < 4 ? what : last;
		last = what;
		if (what < 2) {
			touch_on(what ? node_b() : node_a(), page, PAGE);
			zoo_add(z, "jumble", page, 1, NORMAL,
				what ? node_b() : node_a());
		} else if (what == 2) {
			read_touch(page, PAGE);
			zoo_add(z, "jumble", page, 1, ZERO, 0);
		} else {
			zoo_add(z, "jumble", page, 1, UNTOUCHED, 0);
		}
	}
}

void zoo_anon_pages(struct zoo *z)
{
	half_and_half(z);
	page_by_page(z);
	every_second(z);
	sparse(z);
	prot_none(z);
	locked(z);
	moved(z);
	jumble(z);
}

/* The second half by its mapping's own policy, as applications do it. */
void zoo_bound_pages(struct zoo *z)
{
	char *p = zoo_anon(z, 1024);

	bind_range(node_a(), p, 512 * PAGE);
	bind_range(node_b(), p + 512 * PAGE, 512 * PAGE);
	touch(p, 1024 * PAGE);
	zoo_add(z, "bound", p, 512, NORMAL, node_a());
	zoo_add(z, "bound", p + 512 * PAGE, 512, NORMAL, node_b());
}

static void small_zero(struct zoo *z)
{
	char *p = zoo_anon(z, 16);

	read_touch(p, 16 * PAGE);
	touch_on(node_a(), p + 5 * PAGE, PAGE);
	zoo_add(z, "zero page", p, 5, ZERO, 0);
	zoo_add(z, "zero page, written", p + 5 * PAGE, 1, NORMAL, node_a());
	zoo_add(z, "zero page", p + 6 * PAGE, 10, ZERO, 0);
}

static char *huge_zero(struct zoo *z)
{
	char *p = zoo_thp(z, HUGE_PAGES);

	read_touch(p, PAGE);
	if (!page_is(p + PAGE, KPF_ZERO_PAGE))
		fail("reading a huge page gave no huge zero page");
	return p;
}

/* A protection of its own for some pages splits the huge zero page. */
static void split_huge_zero(struct zoo *z)
{
	char *p = huge_zero(z);

	must(mprotect(p + 7 * PAGE, 3 * PAGE, PROT_READ));
	zoo_add(z, "split huge zero page", p, HUGE_PAGES, ZERO, 0);
}

static void prot_none_zero(struct zoo *z)
{
	char *p = zoo_anon(z, 16);

	read_touch(p, 16 * PAGE);
	must(mprotect(p, 16 * PAGE, PROT_NONE));
	zoo_add(z, "PROT_NONE zero page", p, 16, PROT_NONE_ZERO, 0);
	if (!set_thp_madvise())
		return;
	p = huge_zero(z);
	must(mprotect(p, HUGE, PROT_NONE));
	zoo_add(z, "PROT_NONE huge zero page", p, HUGE_PAGES, PROT_NONE_ZERO,
		0);
}

void zoo_zero_pages(struct zoo *z)
{
	small_zero(z);
	prot_none_zero(z);
	if (!set_thp_madvise()) {
		zoo_absent(z, HUGE_ZERO, "no THP");
		return;
	}
	zoo_add(z, "huge zero page", huge_zero(z), HUGE_PAGES, HUGE_ZERO, 0);
	split_huge_zero(z);
}

static char *thp_on(struct zoo *z, int node)
{
	char *p = zoo_thp(z, HUGE_PAGES);

	touch_on(node, p, HUGE);
	if (!page_is(p, KPF_THP))
		fail("writing a huge page gave no THP");
	return p;
}

static void split_thp(struct zoo *z)
{
	char *p = thp_on(z, node_b());

	must(mprotect(p, HUGE / 2, PROT_READ));
	zoo_add(z, "split THP", p, HUGE_PAGES, NORMAL, node_b());
}

static void holed_thp(struct zoo *z)
{
	char *p = thp_on(z, node_b());

	must(madvise(p + 100 * PAGE, 50 * PAGE, MADV_DONTNEED));
	must(munmap(p + 300 * PAGE, 20 * PAGE));
	zoo_add(z, "holed THP", p, 100, NORMAL, node_b());
	zoo_add(z, "holed THP", p + 100 * PAGE, 50, UNTOUCHED, 0);
	zoo_add(z, "holed THP", p + 150 * PAGE, 150, NORMAL, node_b());
	zoo_add(z, "holed THP", p + 320 * PAGE, HUGE_PAGES - 320, NORMAL,
		node_b());
}

static void untouched_thp(struct zoo *z)
{
	zoo_add(z, "untouched huge page", zoo_thp(z, HUGE_PAGES), HUGE_PAGES,
		UNTOUCHED, 0);
}

static void prot_none_thp(struct zoo *z)
{
	char *p = thp_on(z, node_b());

	must(mprotect(p, HUGE, PROT_NONE));
	zoo_add(z, "PROT_NONE THP", p, HUGE_PAGES, PROT_NONE_PAGE, node_b());
}

/* Its entry is as clean and read-only as the huge zero page's. */
static void clean_thp(struct zoo *z)
{
	char *p = thp_on(z, node_b());

	must(madvise(p, HUGE, MADV_FREE));
	must(mprotect(p, HUGE, PROT_READ));
	zoo_add(z, "clean THP", p, HUGE_PAGES, NORMAL, node_b());
}

void zoo_thp_pages(struct zoo *z)
{
	if (!set_thp_madvise())
		return;
	zoo_add(z, "THP", thp_on(z, node_a()), HUGE_PAGES, NORMAL, node_a());
	zoo_add(z, "THP", thp_on(z, node_b()), HUGE_PAGES, NORMAL, node_b());
	split_thp(z);
	holed_thp(z);
	untouched_thp(z);
	prot_none_thp(z);
	clean_thp(z);
}
