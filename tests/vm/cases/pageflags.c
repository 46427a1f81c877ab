// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel says a page is, by files that have nothing to do with us. */
#include "case.h"

#include <fcntl.h>

#include "query.h"

static void read_words(const char *path, uint64_t index, uint64_t *word,
		       size_t nr)
{
	int fd = must(open(path, O_RDONLY | O_CLOEXEC));
	size_t size = nr * sizeof(*word);

	if (pread(fd, word, size, index * sizeof(*word)) != (ssize_t)size)
		fail("reading word %llu of %s: %s", (unsigned long long)index,
		     path, strerror(errno));
	close(fd);
}

void pagemap_entries(const void *addr, uint64_t *entry, size_t nr)
{
	read_words(proc_path("pagemap"), (uintptr_t)addr / PAGE, entry, nr);
}

uint64_t pagemap_pfn(uint64_t entry)
{
	return (entry & PF_PRESENT) ? entry & ((1ULL << 55) - 1) : 0;
}

bool page_is(const void *addr, int kpf)
{
	uint64_t flags = 0;
	uint64_t entry;
	uint64_t pfn;

	pagemap_entries(addr, &entry, 1);
	pfn = pagemap_pfn(entry);
	if (pfn)
		read_words("/proc/kpageflags", pfn, &flags, 1);
	return flags & 1ULL << kpf;
}
