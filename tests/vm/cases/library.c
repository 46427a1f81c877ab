// SPDX-License-Identifier: GPL-2.0-only
/* libpagenode on the real device: CASES 6 and 21. */
#include "case.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <pagenode.h>

#include "query.h"

#define NR	64
#define UNSET	12345

static struct pagenode *must_open(unsigned int flags,
				  enum pagenode_backend backend)
{
	struct pagenode *pn = pagenode_open(flags);

	if (!pn)
		fail("pagenode_open(%u): %s", flags, strerror(errno));
	if (pagenode_backend(pn) != backend)
		fail("pagenode_open(%u): backend %d, not %d", flags,
		     pagenode_backend(pn), backend);
	return pn;
}

/* Pages 0 to 15 on one node, 16 to 31 on the other, 48 to 63 a hole. */
static char *known_pages(int *status)
{
	char *p = map_anon(NR * PAGE);
	int i;

	touch_on(node_a(), p, 16 * PAGE);
	touch_on(node_b(), p + 16 * PAGE, 16 * PAGE);
	must(munmap(p + 48 * PAGE, 16 * PAGE));
	for (i = 0; i < NR; i++)
		status[i] = i < 16 ? node_a() : i < 32 ? node_b() :
			    i < 48 ? -ENOENT : -EFAULT;
	return p;
}

static void same_statuses(const int *got, const int *want, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		if (got[i] != want[i])
			fail("page %d: %s, not %s", i, status_name(got[i]),
			     status_name(want[i]));
}

static void library_device(void)
{
	struct pagenode *pn = must_open(0, PAGENODE_BACKEND_DEVICE);
	int want[NR], got[NR];
	char *p = known_pages(want);

	must(pagenode_status(pn, p, NR * PAGE, got, NR));
	same_statuses(got, want, NR);
	/* One byte before page 15 ends, and the first of page 32 */
	must(pagenode_status(pn, p + 16 * PAGE - 1, 16 * PAGE + 2, got, 18));
	same_statuses(got, want + 15, 18);
	pagenode_close(pn);
}

static void library_fallback(void)
{
	struct pagenode *pn = must_open(PAGENODE_OPEN_MOVE_PAGES,
					PAGENODE_BACKEND_MOVE_PAGES);
	int want[NR], got[NR], i;
	char *p = known_pages(want);

	if (!kernel_at_least(6, 12))
		for (i = 32; i < 48; i++)
			want[i] = -EFAULT;
	must(pagenode_status(pn, p, NR * PAGE, got, NR));
	same_statuses(got, want, NR);
	pagenode_close(pn);
}

/* As the default profile of containers does */
static void forbid_move_pages(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_move_pages, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
}

static void library_in_a_container(void)
{
	int want[NR], got[NR] = { UNSET };
	char *p = known_pages(want);
	struct pagenode *pn;

	forbid_move_pages();
	pn = must_open(0, PAGENODE_BACKEND_DEVICE);
	must(pagenode_status(pn, p, NR * PAGE, got, NR));
	same_statuses(got, want, NR);
	pagenode_close(pn);

	pn = must_open(PAGENODE_OPEN_MOVE_PAGES, PAGENODE_BACKEND_MOVE_PAGES);
	got[0] = UNSET;
	if (!pagenode_status(pn, p, PAGE, got, 1) || errno != EPERM)
		fail("without move_pages: %s, not EPERM", strerror(errno));
	if (got[0] != UNSET)
		fail("a status was written without move_pages");
	pagenode_close(pn);
}

const struct test_case library_cases[] = {
	{ "case21-library-device", library_device },
	{ "case21-library-fallback", library_fallback },
	{ "case21-library-in-a-container", library_in_a_container },
	{ NULL, NULL },
};
