// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code in a profile */
#include "elf/confined.h"
#include "resolve/file.h"
#include "resolve/jit.h"
#include "resolve/resolve.h"
#include "resolve/source_lines.h"

struct symbols *profil_recorded_file_open(const struct profile_object *object)
{
	struct file_identity identity =
		profil_build_identity(object->build_id, object->build_id_size);
	bool has_id = object->build_id_size;
	uint8_t id[FILE_BUILD_ID];
	struct symbols *symbols;

	if (object->kind != PROFILE_FILE)
		return NULL;
	symbols = profil_symbols_open(object->path, has_id ? &identity : NULL);
	if (symbols->elf && (has_id || !profil_build_id(symbols->elf, id)))
		return symbols;
	profil_symbols_close(symbols);
	return NULL;
}

static struct symbols *or_none(struct symbols *symbols)
{
	if (symbols->elf)
		return symbols;
	profil_symbols_close(symbols);
	return NULL;
}

static struct symbols *fetch(const struct profile_object *object,
			     enum debuginfod_kind kind)
{
	int fd = profil_debuginfod_find(kind, object->build_id,
					object->build_id_size);

	return or_none(profil_symbols_open_fd(object->path, fd));
}

/*
 * Open the symbols of @object, which has a build ID, with those of the servers of
 * DEBUGINFOD_URLS: of the recorded file that is still there, of the server's
 * copy or, if @has_addresses, of the separate debugging information alone, which
 * has no offsets of code. NULL if there is none.
 */
static struct symbols *recorded_file_fetch(const struct profile_object *object,
					   bool has_addresses)
{
	struct symbols *symbols = profil_recorded_file_open(object);

	if (!symbols && has_addresses)
		symbols = fetch(object, DEBUGINFOD_DEBUGINFO);
	return symbols ? symbols : fetch(object, DEBUGINFOD_EXECUTABLE);
}

/*
 * Names of a profile that was read, by the servers of DEBUGINFOD_URLS
 *
 * The recording has no lines of a file without debugging information. A server
 * may have it, also for a file that is not on this machine.
 */

/* Per mille of all samples: files with less are not asked for. */
#define SHARE 1

static bool is_wanted(const struct profile_object *object, uint64_t samples,
		      uint64_t total)
{
	return object->kind == PROFILE_FILE && object->build_id_size &&
	       !object->lines && samples >= total / 1000 * SHARE;
}

/* The code that the recording has of a function belongs to the new one. */
static void keep_code(struct profile *profile, uint32_t from, uint32_t to)
{
	const struct profile_function *old;
	struct profile_function *new;

	if (from == PROFILE_NONE || to == PROFILE_NONE)
		return;
	old = &profile->functions[from];
	new = &profile->functions[to];
	if (old->code && !new->code && old->address == new->address &&
	    old->size == new->size)
		new->code = old->code;
}

static void replace(struct profile *profile,
		    const struct resolve_places *places,
		    struct symbols *symbols, bool has_addresses)
{
	uint32_t *old = profil_grow(NULL, places->nr, sizeof(*old));

	for (size_t i = 0; i < places->nr; i++) {
		struct profile_place *place =
			resolve_place_at(profile, places, i);

		old[i] = place->function;
		place->nr_frames = 0;
	}
	profil_resolve_symbols(profile, places, symbols, has_addresses);
	for (size_t i = 0; i < places->nr; i++)
		keep_code(profile, old[i],
			  resolve_place_at(profile, places, i)->function);
	free(old);
}

static void resolve_object(struct profile *profile,
			   const struct resolve_places *places)
{
	struct symbols *symbols;
	uint64_t bias;
	bool has_addresses =
		profil_resolve_has_segments(profile, places->object);

	symbols = recorded_file_fetch(&profile->objects[places->object],
				      has_addresses);
	if (!symbols)
		return;
	if (profil_symbols_dwarf(symbols, &bias))
		replace(profile, places, symbols, has_addresses);
	profil_symbols_close(symbols);
}

static int by_object(const void *a, const void *b)
{
	const struct resolve_place *one = a, *other = b;

	return compare_numbers(one->object, other->object) ?:
		       compare_numbers(one->offset, other->offset);
}

/* A file is read once for all of its places, and one function after the other. */
struct resolve_place *profil_resolve_order(const struct profile *profile,
					   uint32_t first, bool is_generated,
					   size_t *nr)
{
	struct resolve_place *order = NULL;

	*nr = 0;
	for (uint32_t i = first; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];
		enum profile_kind kind = profile->objects[place->object].kind;
		bool is_jit = kind == PROFILE_JIT;

		if (is_jit == is_generated)
			ARRAY_ADD(order, *nr,
				  (struct resolve_place){ place->offset,
							  place->object, i });
	}
	ARRAY_SORT(order, *nr, by_object);
	return order;
}

/* Go to the places of the next object, before @end; @places has none at first. */
static bool next_object(struct resolve_places *places,
			const struct resolve_place *end)
{
	places->at += places->nr;
	places->nr = 0;
	if (places->at == end)
		return false;
	places->object = places->at->object;
	while (places->at + places->nr < end &&
	       places->at[places->nr].object == places->object)
		places->nr++;
	return true;
}

void profil_resolve_again(struct profile *profile)
{
	struct resolve_names names = { 0 };
	struct resolve_places places = { .names = &names };
	struct resolve_place *order;
	struct naming *namings;
	uint64_t total;
	size_t nr;

	if (!profil_debuginfod_has_servers())
		return;
	total = profil_profile_total(profile);
	namings = profil_profile_namings(profile);
	order = profil_resolve_order(profile, 0, false, &nr);
	places.at = order;
	while (next_object(&places, order + nr))
		if (is_wanted(&profile->objects[places.object],
			      namings[places.object].samples, total))
			resolve_object(profile, &places);
	profil_resolve_names_free(&names);
	free(namings);
	free(order);
}

/* Code that is in no file and was not generated has no function. */
static void skip(struct profile *profile, const struct resolve_places *places)
{
	for (size_t i = 0; i < places->nr; i++) {
		struct profile_place *place =
			resolve_place_at(profile, places, i);

		place->address = place->offset;
		place->function = PROFILE_NONE;
	}
}

/* A compiler may name its code when it ends, or use the memory again. */
void profil_resolve_generated(struct profile *profile,
			      struct resolve_names *names, uint32_t first,
			      const struct resolve_origin *origins)
{
	struct resolve_places places = { .names = names };
	size_t nr;
	struct resolve_place *order =
		profil_resolve_order(profile, 0, true, &nr);

	for (size_t i = 0; i < nr; i++)
		if (order[i].place >= first)
			profile->places[order[i].place].function = PROFILE_NONE;
	places.at = order;
	while (next_object(&places, order + nr))
		profil_resolve_jit(profile, &places,
				   origins ? &origins[places.object] : NULL);
	free(order);
}

void profil_resolve(struct profile *profile, struct resolve_names *names,
		    uint32_t first, const struct resolve_origin *origins)
{
	struct resolve_places places = { .names = names };
	size_t nr;
	struct resolve_place *order =
		profil_resolve_order(profile, first, false, &nr);

	places.at = order;
	while (next_object(&places, order + nr)) {
		uint32_t object = places.object;

		profil_confined_note(object);
		if (profile->objects[object].kind == PROFILE_FILE)
			profil_resolve_file(profile, &places,
					    origins ? &origins[object] : NULL);
		else
			skip(profile, &places);
	}
	free(order);
	profil_resolve_code(profile, origins);
	profil_confined_note(UINT32_MAX);
}
