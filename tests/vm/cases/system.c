// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's version, files and counters, and the nodes that it has. */
#include "case.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/utsname.h>

bool kernel_at_least(int major, int minor)
{
	struct utsname name;
	int have_major;
	int have_minor;

	must(uname(&name));
	if (sscanf(name.release, "%d.%d", &have_major, &have_minor) != 2)
		fail("no kernel version in '%s'", name.release);
	return have_major > major ||
	       (have_major == major && have_minor >= minor);
}

bool have_path(const char *path)
{
	return !access(path, F_OK);
}

/* 0, or -1 with errno. */
int try_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t done;
	int saved;

	if (fd < 0)
		return -1;
	done = write(fd, value, strlen(value));
	saved = errno;
	close(fd);
	errno = saved;
	return done < 0 ? -1 : 0;
}

void write_file(const char *path, const char *value)
{
	if (try_write(path, value))
		fail("writing %s to %s: %s", value, path, strerror(errno));
}

void read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t got;

	if (fd < 0)
		fail("opening %s: %s", path, strerror(errno));
	while (len < size - 1) {
		got = read(fd, buf + len, size - 1 - len);
		if (got < 0)
			fail("reading %s: %s", path, strerror(errno));
		if (!got)
			break;
		len += got;
	}
	buf[len] = '\0';
	close(fd);
}

unsigned long read_number(const char *path)
{
	char buf[64];

	read_file(path, buf, sizeof(buf));
	return strtoul(buf, NULL, 10);
}

/* Fails where the kernel has no counter of that name. */
unsigned long vmstat(const char *name)
{
	static char buf[1 << 16];
	size_t len = strlen(name);
	const char *line = buf;

	read_file("/proc/vmstat", buf, sizeof(buf));
	while (line) {
		if (!strncmp(line, name, len) && line[len] == ' ')
			return strtoul(line + len, NULL, 10);
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	fail("/proc/vmstat has no %s", name);
}

/* The fields of /proc/self/stat by proc(5)'s numbers. */
struct faults own_faults(void)
{
	static char buf[2048];
	unsigned long field[25] = { 0 };
	struct faults f;
	char *p;
	int i;

	read_file("/proc/self/stat", buf, sizeof(buf));
	p = strrchr(buf, ')');
	if (!p || strlen(p) < 4)
		fail("/proc/self/stat has another format");
	p += strlen(") R");
	for (i = 4; i < 25; i++)
		field[i] = strtoul(p, &p, 10);
	f.minor = field[10];
	f.major = field[12];
	f.rss = field[24];
	return f;
}

#define MAX_NODES 1024
#define NODE "/sys/devices/system/node"

bool have_numa(void)
{
	return have_path(NODE);
}

static struct {
	int nr;
	int id[MAX_NODES];
} nodes;

void need_move_pages(void)
{
	if (!have_numa())
		skip("this kernel has no move_pages");
}

/* The list has the form 0-1,4. */
static void find_nodes(void)
{
	char buf[256] = "0";
	char *p = buf;
	long first;
	long last;

	if (nodes.nr)
		return;
	if (have_numa())
		read_file(NODE "/has_memory", buf, sizeof(buf));
	while (isdigit((unsigned char)*p)) {
		first = strtol(p, &p, 10);
		last = first;
		if (*p == '-')
			last = strtol(p + 1, &p, 10);
		for (; first <= last && nodes.nr < MAX_NODES; first++)
			nodes.id[nodes.nr++] = first;
		if (*p == ',')
			p++;
	}
	if (!nodes.nr)
		fail("no node has memory: '%s'", buf);
}

int nr_nodes(void)
{
	find_nodes();
	return nodes.nr;
}

int node_a(void)
{
	find_nodes();
	return nodes.id[0];
}

int node_b(void)
{
	find_nodes();
	return nodes.id[nodes.nr > 1];
}

bool is_node(int id)
{
	int i;

	find_nodes();
	for (i = 0; i < nodes.nr; i++)
		if (nodes.id[i] == id)
			return true;
	return false;
}
