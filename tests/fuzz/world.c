// SPDX-License-Identifier: GPL-2.0-only
/* The address space, and answers about it. */
#include <errno.h>
#include <string.h>

#include "world.h"

struct world world;

static void make_spans(struct input *in)
{
	static const uint64_t bases[] = {
		0, 1, 0x400, 0x7f0000000, (1ULL << 47) - 500, 1ULL << 51,
		NR_ADDRESSABLE - 5000, NR_ADDRESSABLE - 300, NR_ADDRESSABLE - 1
	};
	static const int statuses[] = {
		0, 1, 0, 1, 2, 7, 63, 64, 1023, -ENOENT, -ENOENT, -EFAULT
	};
	static const uint32_t lengths[] = { 2, 20, 600, 3000 };
	static const unsigned int shifts[] = { 12, 21, 30 };
	uint64_t page = TAKE_FROM(in, bases);
	size_t nr = take_below(in, MAX_SPANS + 1);
	struct span *s;

	for (s = world.span; s < world.span + nr; s++) {
		page += take_below(in, 4) ? 0 : take_below(in, 700);
		if (page >= NR_ADDRESSABLE)
			break;
		s->first = page;
		page += 1 + take_below(in, TAKE_FROM(in, lengths));
		if (page > NR_ADDRESSABLE)
			page = NR_ADDRESSABLE;
		s->end = page;
		s->status = TAKE_FROM(in, statuses);
		s->shift = s->status == -ENOENT ? 0 : TAKE_FROM(in, shifts);
	}
	world.nr_spans = (size_t)(s - world.span);
}

static void make_kernel(struct input *in)
{
	static const int open_errnos[] = {
		0, 0, 0, 0, ENOENT, EACCES, EPERM, ENXIO, EMFILE
	};
	static const int info_errnos[] = { 0, 0, 0, 0, ENOTTY, EINVAL, EFAULT };
	static const uint32_t versions[] = { 1, 1, 1, 0, 2 };
	static const uint64_t features[] = { ~0ULL, 0x1f, 0x0f, 0x17, 0x1b, 0 };
	static const int pagemap_errnos[] = { 0, 0, 0, ENOENT, EACCES, ESRCH };
	static const int kill_errnos[] = { ESRCH, EPERM, 0 };
	static const int call_errnos[] = {
		EPERM, ENOSYS, ESRCH, ENOMEM, EFAULT, EINVAL, EINTR
	};

	world.open_errno = TAKE_FROM(in, open_errnos);
	world.info_errno = TAKE_FROM(in, info_errnos);
	world.abi_version = TAKE_FROM(in, versions);
	world.features = TAKE_FROM(in, features);
	world.pagemap_errno = TAKE_FROM(in, pagemap_errnos);
	world.kill_errno = TAKE_FROM(in, kill_errnos);
	world.without_memory = take_below(in, 8) == 1;
	world.calls_until_error = take_below(in, 4) ? 0 : take_below(in, 12);
	world.fails_for_good = take_below(in, 2);
	world.call_errno = TAKE_FROM(in, call_errnos);
}

void make_world(struct input *in)
{
	memset(&world, 0, sizeof(world));
	make_kernel(in);
	make_spans(in);
}

struct span world_at(uint64_t page)
{
	struct span hole = { page, NR_ADDRESSABLE, -EFAULT, 0 };
	struct span part;
	size_t i;

	for (i = 0; i < world.nr_spans; i++) {
		part = world.span[i];
		if (page < part.first) {
			hole.end = part.first;
			return hole;
		}
		if (page < part.end) {
			part.first = page;
			return part;
		}
	}
	return hole;
}

static bool in_extent(const struct pagenode_extent *ext, const struct span *s,
		      bool by_size)
{
	return s->status == ext->status &&
	       (!by_size || s->shift == ext->page_shift);
}

uint64_t world_extent(uint64_t page, uint64_t end, bool by_size, bool sized,
		      struct pagenode_extent *ext)
{
	struct span s = world_at(page);

	*ext = (struct pagenode_extent){
		.start = page * PAGE,
		.status = s.status,
		.page_shift = s.shift,
	};
	while (page < end && in_extent(ext, &s, by_size)) {
		if (s.shift && (!ext->page_shift || s.shift < ext->page_shift))
			ext->page_shift = s.shift;
		page = s.end < end ? s.end : end;
		ext->nr_pages = page - ext->start / PAGE;
		s = world_at(page);
	}
	if (!sized)
		ext->page_shift = 0;
	return page;
}

uint64_t world_counts(uint64_t page, uint64_t end, uint64_t *node,
		      uint64_t nr_nodes, uint64_t *nr_enoent,
		      uint64_t *nr_efault)
{
	uint64_t needed = 0;
	struct span s;

	for (; page < end; page = s.end) {
		s = world_at(page);
		if (s.end > end)
			s.end = end;
		if (s.status == -ENOENT)
			*nr_enoent += s.end - page;
		else if (s.status == -EFAULT)
			*nr_efault += s.end - page;
		else if ((uint64_t)s.status < nr_nodes)
			node[s.status] += s.end - page;
		if (s.status >= 0 && needed <= (uint64_t)s.status)
			needed = (uint64_t)s.status + 1;
	}
	return needed;
}
