// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library in a container: CASES 21. User, mount, PID, IPC and UTS namespaces
 * of its own, a root directory with next to nothing in it, and a filter that
 * refuses the system calls that the default profile of containers refuses.
 */
#include "case.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <pagenode.h>

#include "query.h"

#define NR	48
#define UNSET	12345
#define ROOT	"/tmp"

/* Made outside: inside, nothing may bind memory to a node. */
struct guest {
	char *pages;
	int want[NR];
	bool has_device;
	void (*run)(const struct guest *g);
};

static const int refused[] = {
	SYS_move_pages, SYS_mbind, SYS_set_mempolicy, SYS_get_mempolicy,
	SYS_migrate_pages, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_setns,
	SYS_unshare, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
	SYS_keyctl, SYS_add_key, SYS_request_key, SYS_name_to_handle_at,
	SYS_open_by_handle_at, SYS_kcmp, SYS_quotactl, SYS_swapon, SYS_swapoff,
	SYS_reboot, SYS_settimeofday, SYS_clock_settime, SYS_iopl, SYS_ioperm,
};

#define NR_REFUSED	(sizeof(refused) / sizeof(refused[0]))

static void refuse_system_calls(void)
{
	struct sock_filter filter[NR_REFUSED + 3] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		[NR_REFUSED + 1] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_fprog prog = { NR_REFUSED + 3, filter };
	size_t i;

	for (i = 0; i < NR_REFUSED; i++) {
		filter[i + 1].code = BPF_JMP | BPF_JEQ | BPF_K;
		filter[i + 1].k = refused[i];
		filter[i + 1].jt = NR_REFUSED - i;
	}
	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
}

/* The device is a mount of the host's, as container engines do it. */
static void make_root(bool has_device)
{
	must(mount("container", ROOT, "tmpfs", 0, NULL));
	must(mkdir(ROOT "/dev", 0755));
	must(mkdir(ROOT "/proc", 0755));
	if (has_device) {
		must(close(open(ROOT "/dev/pagenode", O_CREAT | O_WRONLY, 0600)));
		must(mount("/dev/pagenode", ROOT "/dev/pagenode", NULL, MS_BIND,
			   NULL));
	}
}

static void be_in_container(void *arg)
{
	const struct guest *g = arg;

	must(chroot(ROOT));
	must(chdir("/"));
	must(mount("proc", "/proc", "proc", 0, NULL));
	refuse_system_calls();
	if (getpid() != 1)
		fail("process %d, not the first of its namespace", getpid());
	g->run(g);
}

static void start_container(void *arg)
{
	const int namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID |
			       CLONE_NEWIPC | CLONE_NEWUTS;
	const struct guest *g = arg;
	int ret = unshare(namespaces);

	if (ret && errno == EINVAL)
		skip("this kernel lacks a kind of namespace");
	must(ret);
	write_file("/proc/self/setgroups", "deny");
	write_file("/proc/self/uid_map", "0 0 1");
	write_file("/proc/self/gid_map", "0 0 1");
	must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	make_root(g->has_device);
	in_child(be_in_container, arg);
}

/* A third on one node, a third on another, a third untouched. */
static void in_container(void (*run)(const struct guest *g), bool has_device)
{
	struct guest g = {
		.pages = map_anon(NR * PAGE),
		.has_device = has_device,
		.run = run,
	};
	int i;

	touch_on(node_a(), g.pages, NR / 3 * PAGE);
	touch_on(node_b(), g.pages + NR / 3 * PAGE, NR / 3 * PAGE);
	for (i = 0; i < NR; i++)
		g.want[i] = i < NR / 3 ? node_a() :
			    i < NR / 3 * 2 ? node_b() : -ENOENT;
	in_child(start_container, &g);
}

static void ask_the_device(const struct guest *g)
{
	struct pagenode *pn = pagenode_open(0);
	int got[NR], i;

	if (!pn || pagenode_backend(pn) != PAGENODE_BACKEND_DEVICE)
		fail("the library does not use the device");
	must(pagenode_status(pn, g->pages, NR * PAGE, got, NR));
	for (i = 0; i < NR; i++)
		if (got[i] != g->want[i])
			fail("page %d: %s, not %s", i, status_name(got[i]),
			     status_name(g->want[i]));
	pagenode_close(pn);
}

static void ask_nobody(const struct guest *g)
{
	struct pagenode *pn = pagenode_open(0);
	int got[NR] = { UNSET };

	if (!pn || pagenode_backend(pn) != PAGENODE_BACKEND_MOVE_PAGES)
		fail("the library does not fall back");
	if (!pagenode_status(pn, g->pages, NR * PAGE, got, NR))
		fail("there is an answer without the device and move_pages");
	if (errno != EPERM)
		fail("%s, not EPERM", strerror(errno));
	if (got[0] != UNSET)
		fail("a status was written");
	pagenode_close(pn);
}

static void container_with_device(void)
{
	in_container(ask_the_device, true);
}

static void container_without_device(void)
{
	in_container(ask_nobody, false);
}

const struct test_case container_cases[] = {
	{ "case21-container", container_with_device },
	{ "case21-container-without-device", container_without_device },
	{ NULL, NULL },
};
