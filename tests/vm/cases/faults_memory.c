// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each access to the caller's memory fails once, on any kernel, since that memory
 * ends there: of the result, element by element; of the arguments and of the list
 * of addresses, word by word.
 */
#include "known.h"
#include "others.h"

#define WORD		sizeof(uint64_t)
#define MAX_PAGES	16

/*
 * Memory that can be used up to a page's border only, while @prot is in force
 * beyond it.
 */
static char *border;

static void end_memory(int prot)
{
	must(mprotect(border, MAX_PAGES * PAGE, prot));
}

static void want_efault(const struct trial *t, struct pagenode_query *q,
			size_t good)
{
	int err = ask(t->request, q);

	if (err != -EFAULT)
		fail("%s, where memory ends after %zu: %s, not EFAULT", t->name,
		     good, err ? strerror(-err) : "success");
}

static void result_ends_after(const struct trial *t, size_t good, int prot)
{
	char *out = border - good * t->element;
	struct pagenode_query q = trial_question(t, out);

	end_memory(prot);
	want_efault(t, &q, good);
	end_memory(PROT_READ | PROT_WRITE);
	trial_check(t, &q, out, -EFAULT);
}

static void result_ends(const struct trial *t)
{
	void *out = trial_room(t);
	size_t good;

	for (good = 0; good < t->nr; good++) {
		result_ends_after(t, good, good % 2 ? PROT_READ : PROT_NONE);
		trial_want_all(t, out);
	}
}

/*
 * A struct that can't be read is no question at all. One that can't be written
 * is, but what it came to is not told.
 */
static void arguments_end_after(const struct trial *t, size_t words, int prot)
{
	struct pagenode_query *q = (void *)(border - words * WORD);
	struct pagenode_query unasked;
	void *out = trial_room(t);

	*q = trial_question(t, out);
	unasked = *q;
	unasked.next = q->start;
	end_memory(prot);
	want_efault(t, q, words);
	end_memory(PROT_READ | PROT_WRITE);
	if (prot == PROT_NONE)
		trial_check(t, &unasked, out, -EFAULT);
	trial_want_all(t, out);
	free_statuses(out, t->nr * t->element / sizeof(int));
}

static void arguments_end(const struct trial *t)
{
	size_t words;

	for (words = 0; words < sizeof(struct pagenode_query) / WORD; words++) {
		arguments_end_after(t, words, PROT_NONE);
		arguments_end_after(t, words, PROT_READ);
	}
}

static void list_ends(const struct trial *t)
{
	void *out = trial_room(t);
	struct pagenode_query q;
	const void *list;
	size_t good;

	if (t->request != PAGENODE_IOC_PAGES)
		return;
	for (good = 0; good < t->nr; good++) {
		q = trial_question(t, out);
		list = (const void *)(uintptr_t)q.start;
		memcpy(border - good * WORD, list, t->nr * WORD);
		q.start = (uintptr_t)border - good * WORD;
		end_memory(PROT_NONE);
		want_efault(t, &q, good);
		end_memory(PROT_READ | PROT_WRITE);
		trial_check(t, &q, out, -EFAULT);
		trial_want_all(t, out);
	}
}

/* About oneself, and about another process. */
static void try_each(void (*try)(const struct trial *t))
{
	const struct trial *trials = known_trials();
	pid_t pid = start_target(known_fill, NULL);
	size_t i;

	known_fill(NULL);
	border = map_anon(2 * MAX_PAGES * PAGE) + MAX_PAGES * PAGE;
	for (i = 0; i < NR_TRIALS; i++)
		try(&trials[i]);
	ask_about(pid);
	for (i = 0; i < NR_TRIALS; i++)
		try(&trials[i]);
	ask_about(0);
	end_target(pid);
}

static void faults_result(void)
{
	try_each(result_ends);
}

static void faults_arguments(void)
{
	try_each(arguments_end);
}

static void faults_list(void)
{
	try_each(list_ends);
}

static void info_ends_after(size_t words, int prot)
{
	struct pagenode_info *info = (void *)(border - words * WORD);
	int err;

	*info = (struct pagenode_info){ .size = sizeof(*info) };
	end_memory(prot);
	err = ask(PAGENODE_IOC_INFO, info);
	if (err != -EFAULT)
		fail("info, where memory ends after %zu words: %s, not EFAULT",
		     words, err ? strerror(-err) : "success");
	end_memory(PROT_READ | PROT_WRITE);
	if (module_info().abi_version != PAGENODE_ABI_VERSION)
		fail("info afterwards is wrong");
}

static void faults_info_memory(void)
{
	size_t words;

	border = map_anon(2 * MAX_PAGES * PAGE) + MAX_PAGES * PAGE;
	for (words = 0; words < sizeof(struct pagenode_info) / WORD; words++) {
		info_ends_after(words, PROT_NONE);
		info_ends_after(words, PROT_READ);
	}
}

const struct test_case faults_memory_cases[] = {
	{ "faults-result", faults_result },
	{ "faults-arguments", faults_arguments },
	{ "faults-list", faults_list },
	{ "faults-info-memory", faults_info_memory },
	{ NULL, NULL },
};
