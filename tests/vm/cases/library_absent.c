// SPDX-License-Identifier: GPL-2.0-only
/*
 * CASES 21 to 23: where the device is missing, forbidden or another driver's,
 * and where move_pages is forbidden.
 */
#include "case.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "library.h"

#define DEVICE	"/dev/pagenode"
#define UNSET	12345

/* Makes move_pages fail, as the default profile of containers does */
static void forbid_move_pages(int err)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_move_pages, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
}

/* Every question fails, and no status is written. */
static void want_forbidden(struct pagenode *pn, char *p, int want)
{
	uint64_t node[2];
	struct pagenode_counts counts = { .node = node, .nr_nodes = 2 };
	struct pagenode_extent ext = { .status = UNSET };
	int status = UNSET;
	void *page = p;

	if (!pagenode_status(pn, p, PAGE, &status, 1) || errno != want)
		fail("status without move_pages: %s", strerror(errno));
	if (!pagenode_pages(pn, 1, &page, &status) || errno != want)
		fail("pages without move_pages: %s", strerror(errno));
	if (pagenode_extents(pn, p, PAGE, &ext, 1, NULL) != -1 || errno != want)
		fail("extents without move_pages: %s", strerror(errno));
	if (!pagenode_counts(pn, p, PAGE, &counts) || errno != want)
		fail("counts without move_pages: %s", strerror(errno));
	if (status != UNSET || ext.status != UNSET)
		fail("an answer was written without move_pages");
}

static void library_in_a_container(void)
{
	char *p = known_pages();
	struct pagenode *pn;

	forbid_move_pages(EPERM);
	pn = must_open(0, PAGENODE_BACKEND_DEVICE);
	ask_about_known("device in a container", pn, p);
	pn = open_move_pages();
	if (!strstr(pagenode_describe(pn), "forbidden"))
		fail("it says of itself: %s", pagenode_describe(pn));
	want_forbidden(pn, p, EPERM);
}

/* A /dev of this process's own, with nothing in it */
static void empty_dev(void)
{
	must(unshare(CLONE_NEWNS));
	must(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	must(mount("none", "/dev", "tmpfs", 0, NULL));
}

/* The device can't be used, for the reason @err, of which @word is told. */
static void want_fallback(int err, const char *word)
{
	struct pagenode *pn = must_open(0, PAGENODE_BACKEND_MOVE_PAGES);

	ask_about_known("without the device", pn, known_pages());
	if (!strstr(pagenode_describe(pn), word))
		fail("it does not say \"%s\" of itself: %s", word,
		     pagenode_describe(pn));
	pagenode_close(pn);
	want_no_handle("the device alone", pagenode_open(PAGENODE_OPEN_DEVICE),
		       err);
}

static void case21_absent(void)
{
	struct pagenode *pn;

	empty_dev();
	want_fallback(ENOENT, "modprobe");
	forbid_move_pages(EPERM);
	pn = must_open(0, PAGENODE_BACKEND_MOVE_PAGES);
	if (!strstr(pagenode_describe(pn), "forbidden") ||
	    !strstr(pagenode_describe(pn), "modprobe"))
		fail("it says of itself: %s", pagenode_describe(pn));
	want_forbidden(pn, known_pages(), EPERM);
}

static dev_t number_of(const char *path)
{
	struct stat st;

	must(stat(path, &st));
	return st.st_rdev;
}

static void make_node(dev_t number, mode_t mode)
{
	must(mknod(DEVICE, S_IFCHR | mode, number));
	must(chmod(DEVICE, mode));
}

static void case21_no_permission(void)
{
	dev_t number = number_of(DEVICE);

	empty_dev();
	make_node(number, 0600);
	pagenode_close(must_open(0, PAGENODE_BACKEND_DEVICE));
	become_nobody();
	want_fallback(EACCES, "permission");
}

/* As it is installed, the device is for everybody. */
static void case21_as_nobody(void)
{
	become_nobody();
	ask_about_known("device as nobody",
			must_open(0, PAGENODE_BACKEND_DEVICE), known_pages());
}

/* CASES 23: a number that another driver took, or nobody has */
static void case23_foreign_node(void)
{
	dev_t foreign[] = {
		number_of("/dev/null"), number_of("/dev/zero"),
		number_of("/dev/kmsg"), number_of("/dev/ttyS0"),
	};
	size_t i;

	empty_dev();
	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		make_node(foreign[i], 0666);
		want_fallback(ENODEV, "another driver's");
		must(unlink(DEVICE));
	}
	make_node(makedev(240, 77), 0666);
	want_fallback(ENXIO, "without a module");
}

const struct test_case library_absent_cases[] = {
	{ "case21-library-in-a-container", library_in_a_container },
	{ "case21-library-absent-device", case21_absent },
	{ "case21-library-no-permission", case21_no_permission },
	{ "case21-library-as-nobody", case21_as_nobody },
	{ "case23-library-foreign-node", case23_foreign_node },
	{ NULL, NULL },
};
