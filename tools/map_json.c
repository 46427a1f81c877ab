// SPDX-License-Identifier: GPL-2.0-only
/* A placement for programs */
#include <stdio.h>

#include "json.h"
#include "map.h"

/* Only the nodes and sizes that there are pages of */
static json_t *json_nodes(const struct placement *p, const struct tally *tally)
{
	json_t *nodes = json_object();
	char key[24];
	size_t i;

	for (i = 0; i < p->nr_nodes; i++) {
		snprintf(key, sizeof(key), "%zu", i);
		if (tally->node[i])
			json_object_set_new(nodes, key,
					    json_number(tally->node[i]));
	}
	return nodes;
}

static json_t *json_sizes(const struct placement *p, const struct tally *tally)
{
	json_t *sizes = p->fast ? json_object() : json_null();
	char key[24];
	size_t i;

	for (i = 0; p->fast && i < PAGE_SHIFTS; i++) {
		snprintf(key, sizeof(key), "%llu", 1ULL << i);
		if (tally->shift[i])
			json_object_set_new(sizes, key,
					    json_number(tally->shift[i]));
	}
	return sizes;
}

static json_t *json_tally(const struct placement *p, const struct tally *tally)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "pages",
			 json_number(tally_pages(p, tally)), "nodes",
			 json_nodes(p, tally), "zero",
			 json_number(tally->zero), "absent",
			 json_number(tally->absent), "mapped_by",
			 json_sizes(p, tally));
}

static json_t *json_mapping(const struct placement *p, size_t i)
{
	const struct mapping *m = &p->maps.list[i];
	json_t *mapping = json_pack("{s:o, s:o, s:s, s:o, s:s}", "start",
				    json_address(m->range.start), "end",
				    json_address(m->range.end), "perms",
				    m->perms, "offset", json_number(m->offset),
				    "name", m->name);
	json_t *tally = json_tally(p, &p->tally[i]);

	json_object_update_missing(mapping, tally);
	json_decref(tally);
	return mapping;
}

void map_json(const struct placement *p)
{
	struct json_out out = { false };
	size_t i;

	json_out_member(&out, "pid", json_integer(p->pid));
	json_out_member(&out, "command", json_string(p->comm));
	json_out_member(&out, "module", json_boolean(p->fast));
	json_out_member(&out, "page_bytes", json_number(p->page_size));
	json_out_list_begin(&out, "mappings");
	for (i = 0; i < p->maps.nr; i++)
		json_out_element(&out, json_mapping(p, i));
	json_out_list_end();
	json_out_member(&out, "total", json_tally(p, &p->total));
	json_out_end(&out);
}
