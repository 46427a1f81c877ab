// SPDX-License-Identifier: GPL-2.0-only
/* Is this a machine that pagenode is for? */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"
#include "nodes.h"

/* The oldest kernel that the module is tested on */
#define OLDEST_MAJOR	5
#define OLDEST_MINOR	10

#define LISTED		16

static struct utsname name;

const char *kernel_release(void)
{
	uname(&name);
	return name.release;
}

void check_kernel(struct finding *f)
{
	int major = 0, minor = 0;

	if (sscanf(kernel_release(), "%d.%d", &major, &minor) != 2)
		major = OLDEST_MAJOR;
	find(f, GOOD, "Linux %s, %s", name.release, name.machine);
	if (strcmp(name.machine, "x86_64") != 0) {
		f->verdict = BAD;
		mend(f, "the module is for x86-64 so far; the library goes on with move_pages(2)");
	} else if (major < OLDEST_MAJOR ||
		   (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
		f->verdict = BAD;
		mend(f, "the module is for Linux %d.%d and later",
		     OLDEST_MAJOR, OLDEST_MINOR);
	}
}

void check_nodes(struct finding *f)
{
	int ids[LISTED];
	size_t nr = nodes_with_memory(ids, LISTED);

	if (access("/sys/devices/system/node", F_OK))
		find(f, NOTE, "this kernel has no NUMA: all memory is node 0's");
	else if (nr == 1)
		find(f, NOTE, "only node %d has memory, so all of it lies there",
		     ids[0]);
	else
		find(f, GOOD, "%zu nodes have memory", nr);
}
