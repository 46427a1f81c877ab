// SPDX-License-Identifier: GPL-2.0-only
/* Where somebody makes noise, and memory that others take away meanwhile. */
#include "ops.h"

#include <setjmp.h>
#include <signal.h>

static _Thread_local sigjmp_buf fault;
static _Thread_local volatile sig_atomic_t expects_fault;

static void on_fault(int sig)
{
	if (expects_fault)
		siglongjmp(fault, 1);
	/* Comes again, and ends the process. */
	signal(sig, SIG_DFL);
}

void survive_faults(void)
{
	struct sigaction action = {
		.sa_handler = on_fault,
		.sa_flags = SA_NODEFER,
	};

	must(sigaction(SIGSEGV, &action, NULL));
	must(sigaction(SIGBUS, &action, NULL));
}

/*
 * What is written looks like entries of a page table: where freed tables become
 * data, or data is taken for a table, it names the node that is wrong there.
 */
static uint64_t data_for(struct actor *a)
{
	if (on_one_node(a))
		return entry_on_b;
	return one_in(&a->dice, 2) ? entry_on_a : entry_on_b;
}

#define PAGE_WORDS	(PAGE / sizeof(uint64_t))

struct access {
	struct area area;
	uint64_t value;
	size_t words;	/* that are written in each page; 0: read it */
};

static void access_page(char *page, uint64_t value, size_t words)
{
	volatile uint64_t *word = (uint64_t *)page;
	size_t i;

	if (!words)
		(void)*word;
	for (i = 0; i < words; i++)
		word[i] = value;
}

static bool access_area(const struct access *x)
{
	size_t i;

	expects_fault = 1;
	if (sigsetjmp(fault, 0)) {
		expects_fault = 0;
		return false;
	}
	/* The first page of a huge one is what would be taken for a table. */
	for (i = 0; i < x->area.nr_pages; i++)
		access_page(x->area.start + i * PAGE, x->value,
			    x->words && !i ? PAGE_WORDS : x->words);
	expects_fault = 0;
	return true;
}

bool write_area(struct actor *a, struct area r)
{
	struct access x = { r, data_for(a), 1 };

	if (one_in(&a->dice, 4))
		x.words = PAGE_WORDS;
	return access_area(&x);
}

bool read_area(struct area r)
{
	struct access x = { r, 0, 0 };

	return access_area(&x);
}

bool advise(struct area r, int advice)
{
	return !madvise(r.start, r.nr_pages * PAGE, advice);
}

static struct area noise_of(struct actor *a)
{
	if (on_one_node(a))
		return (struct area){ part(ONE_NODE),
				      (GAP - ONE_NODE) * HUGE_PAGES };
	if (one_in(&a->dice, 4))
		return (struct area){ part(BESIDE_PART) + HUGE / 2,
				      HUGE_PAGES / 2 };
	return (struct area){ part(ANYWHERE), STEADY * HUGE_PAGES };
}

/* Short ones more often */
struct area small_area(struct actor *a)
{
	struct area noise = noise_of(a);
	size_t nr = 1 + roll(&a->dice, 1UL << roll(&a->dice, 10));

	if (nr > noise.nr_pages)
		nr = noise.nr_pages;
	noise.start += roll(&a->dice, noise.nr_pages - nr + 1) * PAGE;
	noise.nr_pages = nr;
	return noise;
}

struct area huge_area(struct actor *a)
{
	int first = on_one_node(a) ? ONE_NODE : ANYWHERE;
	int end = on_one_node(a) ? GAP : STEADY;

	return (struct area){ part(first + roll(&a->dice, end - first)),
			      HUGE_PAGES };
}

int file_of(const struct actor *a)
{
	return on_one_node(a) ? files.one_node : files.anywhere;
}

/* A file's pages lie as they do in the world, so that huge ones fit. */
void *map_at(struct area r, int flags, int fd)
{
	off_t offset = fd < 0 ? 0 : (r.start - world) % FILE_SIZE;
	int prot = PROT_READ | PROT_WRITE;

	return mmap(r.start, r.nr_pages * PAGE, prot,
		    MAP_FIXED | MAP_NORESERVE | flags, fd, offset);
}
