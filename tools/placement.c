// SPDX-License-Identifier: GPL-2.0-only
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nodes.h"
#include "placement.h"
#include "progress.h"
#include "source.h"

/**
 * struct join - extents as they meet the mappings
 * @placement: what they are added to
 * @at: the first mapping that does not end before the next extent
 * @done: bytes that were added
 * @progress: for a person, where this takes long
 */
struct join {
	struct placement *placement;
	size_t at;
	uint64_t done;
	struct progress progress;
};

/* Between the read of the list and the walk a mapping may have gone: -EFAULT. */
static void tally_add(struct tally *tally, const struct pagenode_extent *extent)
{
	if (extent->status >= 0)
		tally->node[extent->status] += extent->nr_pages;
	else if (extent->status == -ENOENT)
		tally->absent += extent->nr_pages;
	else
		tally->zero += extent->nr_pages;
	if (extent->page_shift && extent->page_shift < PAGE_SHIFTS)
		tally->shift[extent->page_shift] += extent->nr_pages;
}

static int keep_piece(struct placement *p, size_t mapping,
		      const struct pagenode_extent *extent)
{
	struct piece *piece = p->piece;

	/* Doubled when the number is a power of two */
	if (!(p->nr_pieces & (p->nr_pieces - 1)))
		piece = reallocarray(piece,
				     p->nr_pieces ? 2 * p->nr_pieces : 1,
				     sizeof(*piece));
	if (!piece)
		return -1;
	p->piece = piece;
	piece[p->nr_pieces++] = (struct piece) { mapping, *extent };
	return 0;
}

static int add(struct placement *p, size_t mapping,
	       const struct pagenode_extent *extent)
{
	if (extent->status >= 0 && (size_t)extent->status >= p->nr_nodes) {
		errno = EPROTO;
		return -1;
	}
	tally_add(&p->tally[mapping], extent);
	tally_add(&p->total, extent);
	return p->keep ? keep_piece(p, mapping, extent) : 0;
}

/* One extent may be that of many mappings, or of the holes between them. */
static int join_extent(void *arg, const struct pagenode_extent *extent)
{
	struct join *join = arg;
	struct placement *p = join->placement;
	const struct maps *maps = &p->maps;
	uint64_t end = extent->start + extent->nr_pages * p->page_size;
	int ret = 0;

	while (!ret && join->at < maps->nr &&
	       maps->list[join->at].range.start < end) {
		const struct range *range = &maps->list[join->at].range;
		struct pagenode_extent part = *extent;
		uint64_t part_end = range->end < end ? range->end : end;

		if (part.start < range->start)
			part.start = range->start;
		if (part.start < part_end) {
			part.nr_pages = (part_end - part.start) / p->page_size;
			ret = add(p, join->at, &part);
			join->done += part_end - part.start;
		}
		if (range->end > end)
			break;
		join->at++;
	}
	progress_at(&join->progress, join->done);
	return ret;
}

/* The module passes over holes at once: one question covers everything. */
static int join_all(struct join *join, const struct source *source)
{
	const struct maps *maps = &join->placement->maps;
	struct range all;

	if (!maps->nr)
		return 0;
	all.start = maps->list[0].range.start;
	all.end = maps->list[maps->nr - 1].range.end;
	return source_each(source, &all, join_extent, join);
}

static uint64_t mapped_bytes(const struct maps *maps)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < maps->nr; i++)
		bytes += maps->list[i].range.end - maps->list[i].range.start;
	return bytes;
}

/* Each page costs, so it is asked for those of the mappings only. */
static int join_each(struct join *join, const struct source *source)
{
	const struct maps *maps = &join->placement->maps;
	size_t i;
	int ret = 0;

	progress_begin(&join->progress, mapped_bytes(maps));
	for (i = 0; !ret && i < maps->nr; i++) {
		join->at = i;
		ret = source_each_mapped(source, &maps->list[i].range,
					 join_extent, join);
	}
	progress_end(&join->progress);
	return ret;
}

/* The tallies' arrays of nodes are one allocation. */
static void make_tallies(struct placement *p)
{
	size_t nr = p->maps.nr, i;
	uint64_t *node = calloc((nr + 1) * p->nr_nodes, sizeof(*node));

	p->tally = calloc(nr, sizeof(*p->tally));
	if (!node || (nr && !p->tally))
		err(EXIT_FAILURE, "%zu mappings", nr);
	p->total.node = node;
	for (i = 0; i < nr; i++)
		p->tally[i].node = node + (i + 1) * p->nr_nodes;
}

void placement_read(struct placement *p, pid_t pid)
{
	struct join join = { .placement = p };
	struct source source;

	if (source_open(&source, pid))
		source_refused(pid);
	p->pid = pid;
	p->fast = source_is_fast(&source);
	p->page_size = (size_t)sysconf(_SC_PAGESIZE);
	p->nr_nodes = nodes_possible();
	comm_of(p->comm, pid);
	if (maps_of(&p->maps, pid))
		source_refused(pid);
	make_tallies(p);
	if (p->fast ? join_all(&join, &source) : join_each(&join, &source))
		source_refused(pid);
	source_close(&source);
}

void placement_free(struct placement *p)
{
	maps_free(&p->maps);
	free(p->total.node);
	free(p->tally);
	free(p->piece);
}

uint64_t tally_placed(const struct placement *p, const struct tally *tally)
{
	uint64_t pages = 0;
	size_t i;

	for (i = 0; i < p->nr_nodes; i++)
		pages += tally->node[i];
	return pages;
}

uint64_t tally_pages(const struct placement *p, const struct tally *tally)
{
	return tally_placed(p, tally) + tally->absent + tally->zero;
}
