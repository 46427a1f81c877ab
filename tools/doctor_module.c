// SPDX-License-Identifier: GPL-2.0-only
/* Is the module there, may it be loaded, is it? */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#include "doctor.h"
#include "pagenode_version.h"

#define MODULE		"pagenode"
#define LOADED		"/sys/module/" MODULE
#define DKMS		"/var/lib/dkms/" MODULE "/" PAGENODE_VERSION
#define REBUILD		"sudo dkms build --force " MODULE "/" PAGENODE_VERSION \
			" && sudo dkms install --force " MODULE "/" PAGENODE_VERSION
#define ENROLL		"sudo mokutil --import /var/lib/dkms/mok.pub, reboot, enroll the key"
#define SIGNED		"~Module signature appended~\n"
#define KLOG_READ_ALL	3
#define KLOG_SIZE	10

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

/*
 * Where modprobe would find it, below /lib/modules/RELEASE. modules.dep has a
 * line "FILE: DEPENDENCY..." for each module.
 */
static bool find_file(char *path, size_t size)
{
	char *line = NULL, *name;
	size_t length = 0;
	bool found = false;
	FILE *file;

	snprintf(path, size, "/lib/modules/%s/modules.dep", kernel_release());
	file = fopen(path, "re");
	while (file && !found && getline(&line, &length, file) > 0) {
		line[strcspn(line, ":")] = '\0';
		name = strrchr(line, '/');
		name = name ? name + 1 : line;
		found = !strncmp(name, MODULE ".ko", strlen(MODULE ".ko"));
	}
	if (found)
		snprintf(path, size, "/lib/modules/%s/%s", kernel_release(),
			 line);
	if (file)
		fclose(file);
	free(line);
	return found;
}

/* DKMS has not built it, or was never asked to. */
static void mend_build(struct finding *f)
{
	const char *release = kernel_release();
	const char *add = exists(DKMS) ? "" : "in the sources: sudo dkms add . && ";
	char headers[128];

	snprintf(headers, sizeof(headers), "/lib/modules/%s/build/Makefile",
		 release);
	if (!exists(headers))
		mend(f, "install the headers (Debian: linux-headers-%s); %ssudo dkms install "
		     MODULE "/" PAGENODE_VERSION, release, add);
	else if (exists(DKMS "/build/make.log"))
		mend(f, "DKMS could not build it: see " DKMS "/build/make.log");
	else
		mend(f, "%ssudo dkms install " MODULE "/" PAGENODE_VERSION, add);
}

void check_built(struct finding *f)
{
	char path[512];

	if (find_file(path, sizeof(path))) {
		find(f, GOOD, "%s", path);
	} else if (exists(LOADED)) {
		find(f, NOTE, "loaded, but not installed for Linux %s: gone after the next boot",
		     kernel_release());
		mend_build(f);
	} else {
		find(f, BAD, "no module is installed for Linux %s",
		     kernel_release());
		mend_build(f);
	}
}

/* What makes the kernel refuse modules without a signature, or NULL */
static const char *enforced(void)
{
	char line[80];

	if (first_line("/sys/module/module/parameters/sig_enforce", line,
		       sizeof(line)) && *line == 'Y')
		return "the kernel loads signed modules only";
	if (first_line("/sys/kernel/security/lockdown", line, sizeof(line)) &&
	    !strstr(line, "[none]"))
		return "the kernel is locked down (Secure Boot) and loads signed modules only";
	return NULL;
}

/* A compressed file is not looked into: true. */
static bool may_be_signed(const char *path)
{
	char end[sizeof(SIGNED)] = "";
	const char *dot = strrchr(path, '.');
	FILE *file;

	if (!dot || strcmp(dot, ".ko") != 0)
		return true;
	file = fopen(path, "re");
	if (!file)
		return true;
	if (!fseek(file, -(long)strlen(SIGNED), SEEK_END))
		(void)!fread(end, 1, strlen(SIGNED), file);
	fclose(file);
	return !strcmp(end, SIGNED);
}

/* Did the kernel refuse a module lately? Not everybody may read its log. */
static bool was_refused(void)
{
	int size = klogctl(KLOG_SIZE, NULL, 0);
	char *log = size > 0 ? calloc(1, (size_t)size + 1) : NULL;
	bool found;

	found = log && klogctl(KLOG_READ_ALL, log, size) > 0 &&
		(strstr(log, "unsigned module is rejected") ||
		 strstr(log, "unavailable key is rejected") ||
		 strstr(log, "unsigned module loading is restricted"));
	free(log);
	return found;
}

void check_signature(struct finding *f)
{
	const char *why = enforced();
	char path[512];

	if (!why)
		find(f, GOOD, "this kernel loads modules without a signature too");
	else if (exists(LOADED))
		find(f, GOOD, "%s, and took this one", why);
	else if (!find_file(path, sizeof(path)))
		find(f, NOTE, "%s", why);
	else if (may_be_signed(path) && !was_refused())
		find(f, NOTE, "%s; if modprobe says that the key was rejected:",
		     why);
	else
		find(f, BAD, "%s, and this one has no signature that it trusts",
		     why);
	if (f->verdict != GOOD)
		mend(f, "%s" ENROLL, f->verdict == BAD && !may_be_signed(path) ?
		     "install openssl, " REBUILD ", " : "");
}

/* modprobe can't load what is not installed. */
const char *load_remedy(void)
{
	char path[512];

	return find_file(path, sizeof(path)) ? "sudo modprobe " MODULE :
		"first what \"built\" says, then: sudo modprobe " MODULE;
}

void check_loaded(struct finding *f)
{
	char version[32];

	if (!exists(LOADED)) {
		find(f, BAD, "the module is not loaded");
		mend(f, "%s", load_remedy());
		return;
	}
	first_line(LOADED "/version", version, sizeof(version));
	find(f, GOOD, "version %s", version);
	if (strcmp(version, PAGENODE_VERSION) != 0) {
		find(f, NOTE, "version %s, and this command is of " PAGENODE_VERSION,
		     version);
		mend(f, "install both from one release, then: sudo modprobe -r "
		     MODULE " && sudo modprobe " MODULE);
	}
}
