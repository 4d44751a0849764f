// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of generated code
 *
 * A compiler may use the memory of a function again: the last line of the map
 * that contains a place counts.
 */
#include <stdlib.h>

#include "elf/function_name.h"
#include "resolve/jit.h"
#include "resolve/perf_map.h"
#include "util/index_map.h"
#include "util/memory.h"
#include "util/text.h"

/* Bytes of a name in brackets */
#define NAME 256

/**
 * struct jit - generated code whose names are looked up
 * @profile: the profile
 * @places: places of the code
 * @added: indices of functions by name, address and size
 */
struct jit {
	struct profile *profile;
	const struct resolve_places *places;
	struct index_map added;
};

/* Index of the first place at or above @address */
static uint32_t first_at(const struct jit *jit, uint64_t address)
{
	uint32_t low = jit->places->first, high = jit->places->last;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (jit->profile->places[middle].offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t add(struct jit *jit, const struct perf_map_line *line)
{
	const char *symbol = profil_profile_string(jit->profile, line->name);
	struct index_key key = { { (uintptr_t)symbol, line->start,
				   line->size } };
	uint32_t index = profil_index_map_find(&jit->added, key);
	struct profile_function function = {
		.object = jit->places->object,
		.symbol = symbol,
		.address = line->start,
		.size = line->size,
		.file = "",
	};
	char *name;

	if (index != INDEX_NONE)
		return index;
	name = profil_demangle(line->name);
	function.name = name;
	index = profil_profile_add_function(jit->profile, &function);
	profil_index_map_set(&jit->added, key, index);
	free(name);
	return index;
}

static void use_line(void *data, const struct perf_map_line *line)
{
	struct jit *jit = data;
	uint32_t at = first_at(jit, line->start);

	for (; at < jit->places->last; at++) {
		struct profile_place *place = &jit->profile->places[at];

		if (place->offset - line->start >= line->size)
			break;
		place->function = add(jit, line);
	}
}

static uint32_t add_nameless(struct jit *jit)
{
	const struct profile_object *object =
		&jit->profile->objects[jit->places->object];
	char *program = profil_text_printable(profil_text_base(object->path));
	char name[NAME];
	struct profile_function function = {
		.object = jit->places->object,
		.symbol = "",
		.name = name,
		.file = "",
	};

	snprintf(name, sizeof(name), "[jit: %s]", program);
	free(program);
	return profil_profile_add_function(jit->profile, &function);
}

/* Without a mount namespace of its own, a root directory has a path here. */
static const char *root_of(const struct resolve_origin *origin)
{
	const struct resolve_root *root = origin->roots;

	if (!origin->nr_roots)
		return "/";
	if (*root->path)
		return root->path;
	return *root->outer ? root->outer : "/";
}

static FILE *open_map(const struct jit *jit,
		      const struct resolve_origin *origin)
{
	struct perf_map_origin map;

	if (!origin || !origin->pid)
		return NULL;
	map = (struct perf_map_origin){
		.pid = origin->pid,
		.root = root_of(origin),
		.owner = origin->owner,
		.begin_ns = origin->begin_ns ? origin->begin_ns :
					       jit->profile->head.begin_ns,
	};
	return profil_perf_map_open(&map);
}

static void read_map(struct jit *jit, const struct resolve_origin *origin)
{
	FILE *map = open_map(jit, origin);

	if (!map)
		return;
	profil_perf_map_read(map, use_line, jit);
	fclose(map);
}

void profil_resolve_jit(struct profile *profile,
			const struct resolve_places *places,
			const struct resolve_origin *origin)
{
	struct jit jit = { .profile = profile, .places = places };
	uint32_t nameless = PROFILE_NONE;

	for (uint32_t i = places->first; i < places->last; i++) {
		profile->places[i].address = profile->places[i].offset;
		profile->places[i].function = PROFILE_NONE;
	}
	read_map(&jit, origin);
	for (uint32_t i = places->first; i < places->last; i++) {
		if (profile->places[i].function != PROFILE_NONE)
			continue;
		if (nameless == PROFILE_NONE)
			nameless = add_nameless(&jit);
		profile->places[i].function = nameless;
	}
	profil_index_map_free(&jit.added);
}
