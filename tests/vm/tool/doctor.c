// SPDX-License-Identifier: GPL-2.0-only
/* "doctor" on a machine that is well, and with one thing after another amiss. */
#include "tool.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#define DEVICE	"/dev/pagenode"

static json_t *finding(const json_t *doctor, const char *check)
{
	return element(member(doctor, "checks"), "check", check);
}

static json_t *doctor(int status)
{
	json_t *answer = tool_json(status, "doctor --json");

	if (json_is_true(member(answer, "works")) == !!status)
		fail("\"works\" is not what the exit status says");
	return answer;
}

static void want_verdict(const json_t *answer, const char *check,
			 const char *verdict, const char *remedy)
{
	json_t *f = finding(answer, check);
	const char *got = text(f, "remedy");

	if (strcmp(text(f, "verdict"), verdict) != 0)
		fail("%s is %s, not %s, remedy %s: %s", check, text(f, "verdict"),
		     verdict, remedy ? remedy : "-", text(f, "finding"));
	if (remedy && !strstr(got, remedy))
		fail("%s: the remedy is \"%s\", without \"%s\"", check, got,
		     remedy);
}

static void doctor_well(void)
{
	static const char *const checks[] = {
		"kernel", "signature", "loaded", "device", "abi", "answer",
	};
	json_t *answer = doctor(0);
	size_t i;

	for (i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		want_verdict(answer, checks[i], "good", NULL);
	want_verdict(answer, "nodes", nr_nodes() > 1 ? "good" : "note", NULL);
	if (!strstr(text(finding(answer, "answer"), "finding"), DEVICE))
		fail("it is not the device that answers");
}

static void doctor_unloaded(void)
{
	json_t *answer = doctor(1);

	want_verdict(answer, "loaded", "bad",
		     "\"built\" says, then: sudo modprobe pagenode");
	want_verdict(answer, "device", "bad",
		     "\"built\" says, then: sudo modprobe pagenode");
	want_verdict(answer, "built", "bad", "dkms install pagenode/");
	want_verdict(answer, "answer", "bad", NULL);
	if (!strstr(text(finding(answer, "answer"), "finding"), "move_pages"))
		fail("it is not said that move_pages answers");
}

static void doctor_without_module(void)
{
	without_module(doctor_unloaded);
}

static void ask_as_nobody(void *arg)
{
	(void)arg;
	must(setgroups(0, NULL));
	must(setgid(65534));
	must(setuid(65534));
	want_verdict(doctor(1), "device", "bad", "chmod 666 " DEVICE);
}

static void doctor_forbidden(void)
{
	int code;

	must(chmod(DEVICE, 0600));
	code = run_in_child(ask_as_nobody, NULL);
	must(chmod(DEVICE, 0666));
	if (code)
		_exit(code);
}

/* The module goes, and its number may be another's. */
static void doctor_foreign_node(void)
{
	json_t *answer;

	must(unshare(CLONE_NEWNS));
	must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	must(mount("/dev/null", DEVICE, NULL, MS_BIND, NULL));
	answer = doctor(1);
	want_verdict(answer, "device", "good", NULL);
	want_verdict(answer, "abi", "bad", "remove the node");
}

static void make_dirs(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			fail("mkdir %s: %s", path, strerror(errno));
		*slash = '/';
	}
}

static void make_file(const char *content, const char *fmt, const char *arg)
{
	char path[256];

	snprintf(path, sizeof(path), fmt, arg);
	make_dirs(path);
	close(must(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644)));
	write_file(path, content);
}

/* Where what is installed is what we say, for this case alone. */
static const char *own_file_system(void)
{
	static struct utsname name;
	char modules[] = "/lib/modules/";
	char dkms[] = "/var/lib/dkms/";

	must(uname(&name));
	must(unshare(CLONE_NEWNS));
	must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	make_dirs(modules);
	make_dirs(dkms);
	must(mount("none", "/lib/modules", "tmpfs", 0, NULL));
	must(mount("none", "/var/lib/dkms", "tmpfs", 0, NULL));
	return name.release;
}

/* From "never heard of it" to "modprobe would find it" */
static void installed_bit_by_bit(void)
{
	const char *release = own_file_system();
	json_t *answer;

	want_verdict(doctor(1), "built", "bad", "dkms add");
	want_verdict(doctor(1), "built", "bad", "linux-headers-");
	make_file("all:", "/lib/modules/%s/build/Makefile", release);
	want_verdict(doctor(1), "built", "bad", "dkms add");
	make_file("1", "/var/lib/dkms/pagenode/%s/source", "0.1.0");
	want_verdict(doctor(1), "built", "bad", "sudo dkms install");
	make_file("error", "/var/lib/dkms/pagenode/%s/build/make.log", "0.1.0");
	want_verdict(doctor(1), "built", "bad", "make.log");
	make_file("kernel/a.ko: kernel/b.ko\nupdates/dkms/pagenode.ko.xz:\n",
		  "/lib/modules/%s/modules.dep", release);
	answer = doctor(1);
	want_verdict(answer, "built", "good", NULL);
	if (strcmp(text(finding(answer, "loaded"), "remedy"),
		   "sudo modprobe pagenode") != 0)
		fail("it can be loaded, and this is not said");
}

static void doctor_built(void)
{
	without_module(installed_bit_by_bit);
}

static void insist_on_signatures(void)
{
	make_file("Y", "/tmp/%s", "enforce");
	if (mount("/tmp/enforce", "/sys/module/module/parameters/sig_enforce",
		  NULL, MS_BIND, NULL))
		skip("this kernel knows no signatures");
}

static void signed_bit_by_bit(void)
{
	const char *release = own_file_system();

	insist_on_signatures();
	want_verdict(doctor(1), "signature", "note", NULL);
	make_file("updates/dkms/pagenode.ko:", "/lib/modules/%s/modules.dep",
		  release);
	make_file("no signature", "/lib/modules/%s/updates/dkms/pagenode.ko",
		  release);
	want_verdict(doctor(1), "signature", "bad",
		     "install openssl, sudo dkms build --force pagenode/");
	want_verdict(doctor(1), "signature", "bad", "mokutil --import");
	make_file("~Module signature appended~\n",
		  "/lib/modules/%s/updates/dkms/pagenode.ko", release);
	want_verdict(doctor(1), "signature", "note", "mokutil --import");
	write_file("/dev/kmsg",
		   "Loading of module with unavailable key is rejected\n");
	want_verdict(doctor(1), "signature", "bad", "mokutil --import");
}

static void doctor_signature(void)
{
	without_module(signed_bit_by_bit);
	own_file_system();
	insist_on_signatures();
	want_verdict(doctor(0), "signature", "good", NULL);
}

const struct test_case tool_doctor_cases[] = {
	{ "tool-doctor-well", doctor_well },
	{ "tool-doctor-unloaded", doctor_without_module },
	{ "tool-doctor-forbidden", doctor_forbidden },
	{ "tool-doctor-foreign-node", doctor_foreign_node },
	{ "tool-doctor-built", doctor_built },
	{ "tool-doctor-signature", doctor_signature },
	{ NULL, NULL },
};
