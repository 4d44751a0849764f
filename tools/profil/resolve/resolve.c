// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code in a profile */
#include "elf/confined.h"
#include "resolve/file.h"
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

static bool is_wanted(const struct profile *profile,
		      const struct resolve_places *places)
{
	const struct profile_object *object = &profile->objects[places->object];
	uint64_t samples = 0;

	for (uint32_t i = places->first; i < places->last; i++)
		samples += profile_samples_of(&profile->places[i]);
	return object->kind == PROFILE_FILE && object->build_id_size &&
	       !object->lines &&
	       samples >= profil_profile_total(profile) / 1000 * SHARE;
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
	uint32_t nr = places->last - places->first;
	uint32_t *old = profil_grow(NULL, nr, sizeof(*old));

	for (uint32_t i = 0; i < nr; i++) {
		struct profile_place *place =
			&profile->places[places->first + i];

		old[i] = place->function;
		place->nr_frames = 0;
	}
	profil_resolve_symbols(profile, places, symbols, has_addresses);
	for (uint32_t i = 0; i < nr; i++)
		keep_code(profile, old[i],
			  profile->places[places->first + i].function);
	free(old);
}

static void resolve_object(struct profile *profile,
			   const struct resolve_places *places)
{
	struct symbols *symbols;
	uint64_t bias;
	bool has_addresses;

	if (!is_wanted(profile, places))
		return;
	has_addresses = profil_resolve_has_segments(profile, places->object);
	symbols = recorded_file_fetch(&profile->objects[places->object],
				      has_addresses);
	if (!symbols)
		return;
	if (profil_symbols_dwarf(symbols, &bias))
		replace(profile, places, symbols, has_addresses);
	profil_symbols_close(symbols);
}

/* Go to the places of the next object; @places is all 0 at first. */
static bool next_object(const struct profile *profile,
			struct resolve_places *places)
{
	uint32_t nr = profile->nr_places;

	places->first = places->last;
	if (places->first == nr)
		return false;
	places->object = profile->places[places->first].object;
	while (places->last < nr &&
	       profile->places[places->last].object == places->object)
		places->last++;
	return true;
}

void profil_resolve_again(struct profile *profile)
{
	struct resolve_names names = { 0 };
	struct resolve_places places = { .names = &names };

	if (!profil_debuginfod_has_servers())
		return;
	profil_profile_sort(profile);
	while (next_object(profile, &places))
		resolve_object(profile, &places);
	profil_resolve_names_free(&names);
}

/* Code that is in no file and was not generated has no function. */
static void skip(struct profile *profile, const struct resolve_places *places)
{
	for (uint32_t i = places->first; i < places->last; i++) {
		profile->places[i].address = profile->places[i].offset;
		profile->places[i].function = PROFILE_NONE;
	}
}

static int by_object(const void *a, const void *b)
{
	const struct generated *one = a, *other = b;

	return compare_numbers(one->object, other->object) ?:
		       compare_numbers(one->offset, other->offset);
}

/* The places in generated code, by object and offset, to be freed */
static struct generated *find_generated(struct profile *profile, uint32_t first,
					size_t *nr)
{
	struct generated *found = NULL;

	for (uint32_t i = 0; i < profile->nr_places; i++) {
		struct profile_place *place = &profile->places[i];

		if (profile->objects[place->object].kind != PROFILE_JIT)
			continue;
		if (i >= first)
			place->function = PROFILE_NONE;
		ARRAY_ADD(found, *nr,
			  (struct generated){ place->offset, place->object,
					      i });
	}
	ARRAY_SORT(found, *nr, by_object);
	return found;
}

/* A compiler may name its code when it ends, or use the memory again. */
void profil_resolve_generated(struct profile *profile,
			      struct resolve_names *names, uint32_t first,
			      const struct resolve_origin *origins)
{
	size_t nr = 0, end;
	struct generated *found = find_generated(profile, first, &nr);

	for (size_t begin = 0; begin < nr; begin = end) {
		uint32_t object = found[begin].object;

		end = begin + 1;
		while (end < nr && found[end].object == object)
			end++;
		profil_resolve_jit(profile, names,
				   origins ? &origins[object] : NULL,
				   found + begin, end - begin);
	}
	free(found);
}

void profil_resolve(struct profile *profile, struct resolve_names *names,
		    uint32_t first, const struct resolve_origin *origins)
{
	struct resolve_places places = { .last = first, .names = names };

	while (next_object(profile, &places)) {
		uint32_t object = places.object;

		profil_confined_note(object);
		if (profile->objects[object].kind == PROFILE_FILE)
			profil_resolve_file(profile, &places,
					    origins ? &origins[object] : NULL);
		else if (profile->objects[object].kind == PROFILE_OUTSIDE)
			skip(profile, &places);
	}
	profil_resolve_code(profile, origins);
	profil_confined_note(UINT32_MAX);
}
