/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory to be asked about, on as many nodes as there are */
#ifndef PN_BUFFER_H
#define PN_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct buffer - the memory
 * @start: its first byte, where a huge page can begin
 * @size: its length
 * @map: what to unmap
 * @map_size: and how much
 */
struct buffer {
	char *start;
	size_t size;
	void *map;
	size_t map_size;
};

/*
 * Populates it, by huge pages or without any, in equal parts on each node that
 * this process may use. 0, or -1 with errno.
 */
int buffer_make(struct buffer *buffer, size_t size, bool huge);
void buffer_free(struct buffer *buffer);

#endif /* PN_BUFFER_H */
