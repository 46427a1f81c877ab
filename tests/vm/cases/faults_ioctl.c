// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy of each ioctl fails once, by the kernel's fault
 * injection: the error is the right one, what it says is true, and the next call
 * is answered as ever. What would leak, the rig's kmemleak finds.
 */
#include "faults.h"
#include "known.h"
#include "others.h"
#include "reload.h"

/* How the calls with a fault ended. */
struct tally {
	unsigned int answered;
	unsigned int enomem;
	unsigned int efault;
};

static void add(struct tally *tally, const char *name, int err)
{
	switch (err) {
	case 0:
		tally->answered++;
		break;
	case -ENOMEM:
		tally->enomem++;
		break;
	case -EFAULT:
		tally->efault++;
		break;
	default:
		fail("%s with a fault: %s", name, strerror(-err));
	}
}

/* Returns whether there was a fault to be had. */
static bool fail_once(const struct trial *t, void *out, unsigned int nth,
		      struct tally *tally)
{
	struct pagenode_query q = trial_question(t, out);
	bool failed;
	int err;

	faults_arm(nth);
	err = ask(t->request, &q);
	failed = faults_disarm();
	if (err && !failed)
		fail("%s without a fault: %s", t->name, strerror(-err));
	trial_check(t, &q, out, err);
	if (failed)
		add(tally, t->name, err);
	trial_want_all(t, out);
	return failed;
}

/*
 * What must be seen at least, with an answer in more than one chunk. STATUS
 * copies what is mixed and stores the rest without a copy that could be made to
 * fail; EXTENTS copies each. Both, and COUNTS, do without the larger buffers.
 */
static struct tally least(const struct trial *t)
{
	switch (t->request) {
	case PAGENODE_IOC_EXTENTS:
		return (struct tally){ .answered = 1, .efault = t->nr };
	case PAGENODE_IOC_COUNTS:
		return (struct tally){ .answered = 1, .enomem = 1,
				       .efault = 1 };
	case PAGENODE_IOC_PAGES:
		return (struct tally){ .enomem = 1, .efault = 4 };
	}
	return (struct tally){ .answered = 1, .efault = 1 };
}

static bool reaches(const struct tally *tally, const struct tally *want)
{
	return tally->answered >= want->answered &&
	       tally->enomem >= want->enomem && tally->efault >= want->efault;
}

#define NR_ROUNDS 5

/*
 * Again, where something has not failed yet: an allocation of the kernel's own,
 * which it does not make in every call, moves the count of ours on.
 */
static unsigned int fail_each(const struct trial *t)
{
	const struct tally want = least(t);
	void *out = trial_room(t);
	struct tally tally = { 0 };
	unsigned int round;
	unsigned int nth;

	trial_want_all(t, out);
	for (round = 0; round < NR_ROUNDS && !reaches(&tally, &want); round++)
		for (nth = 1; fail_once(t, out, nth, &tally);)
			nth++;
	if (!reaches(&tally, &want))
		fail("%s: ENOMEM %u times, EFAULT %u, an answer %u; not at least %u, %u and %u",
		     t->name, tally.enomem, tally.efault, tally.answered,
		     want.enomem, want.efault, want.answered);
	return tally.enomem + tally.efault + tally.answered;
}

static void fail_all(const struct trial *trials)
{
	unsigned long users = module_users();
	unsigned int nr[NR_TRIALS];
	size_t i;

	for (i = 0; i < NR_TRIALS; i++)
		nr[i] = fail_each(&trials[i]);
	if (module_users() != users)
		fail("the module has %lu users, not %lu", module_users(),
		     users);
	note("%u faults in status, %u in extents, %u in counts, %u in pages",
	     nr[0], nr[1], nr[2], nr[3]);
}

static void faults_own(void)
{
	const struct trial *trials = known_trials();

	faults_need();
	known_fill(NULL);
	fail_all(trials);
}

static void be_asked_about(void *arg)
{
	known_fill(arg);
	take_from_pool();
}

/* All faults over, nothing keeps the memory of the process asked about. */
static void faults_mmfd(void)
{
	const struct trial *trials = known_trials();
	pid_t pid;

	faults_need();
	fill_pool();
	pid = start_target(be_asked_about, NULL);
	ask_about(pid);
	fail_all(trials);
	want_taken("alive");
	end_target(pid);
	want_back("gone");
}

/* The struct's words are not copied, so its way in has nothing that fails. */
static void faults_info(void)
{
	struct pagenode_info whole = module_info();
	struct pagenode_info info;
	unsigned int nth = 0;
	bool failed;
	int err;

	faults_need();
	do {
		info = (struct pagenode_info){ .size = sizeof(info) };
		faults_arm(++nth);
		err = ask(PAGENODE_IOC_INFO, &info);
		failed = faults_disarm();
		if (err != (failed ? -EFAULT : 0))
			fail("fault %u: %s", nth, strerror(-err));
		if (failed && info.abi_version)
			fail("fault %u: written all the same", nth);
	} while (failed);
	if (nth < 2)
		fail("no copy was made to fail");
	if (memcmp(&info, &whole, sizeof(info)))
		fail("another answer after the faults");
	note("%u faults", nth - 1);
}

const struct test_case faults_ioctl_cases[] = {
	{ "faults-info", faults_info },
	{ "faults-own", faults_own },
	{ "faults-mmfd", faults_mmfd },
	{ NULL, NULL },
};
