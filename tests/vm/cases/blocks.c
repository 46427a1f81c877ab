// SPDX-License-Identifier: GPL-2.0-only
/* Memory blocks, which the kernel can set offline and online. */
#include "blocks.h"

#include <dirent.h>

#define MEMORY	"/sys/devices/system/memory"

unsigned long block_pages(void)
{
	char buf[32];

	read_file(MEMORY "/block_size_bytes", buf, sizeof(buf));
	return strtoul(buf, NULL, 16) / PAGE;
}

unsigned long highest_block(void)
{
	DIR *dir = opendir(MEMORY);
	unsigned long highest = 0;
	unsigned long block;
	struct dirent *entry;

	if (!dir)
		skip("this kernel has no memory hotplug");
	while ((entry = readdir(dir)))
		if (sscanf(entry->d_name, "memory%lu", &block) == 1 &&
		    block > highest)
			highest = block;
	closedir(dir);
	return highest;
}

bool block_on_node(unsigned long block, int node)
{
	char path[80];

	if (!have_numa())
		return !node;
	snprintf(path, sizeof(path), MEMORY "/memory%lu/node%d", block, node);
	return have_path(path);
}

bool set_block(unsigned long block, const char *state)
{
	char path[80];

	snprintf(path, sizeof(path), MEMORY "/memory%lu/state", block);
	return !try_write(path, state);
}

unsigned long movable_block(void)
{
	unsigned long block;

	for (block = highest_block(); block; block--)
		if (block_on_node(block, node_b()) &&
		    set_block(block, "offline"))
			break;
	if (!block)
		skip("no block of node %d's memory can go offline", node_b());
	if (!set_block(block, "online_movable"))
		fail("memory%lu does not come online again: %s", block,
		     strerror(errno));
	return block;
}
