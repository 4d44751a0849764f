// SPDX-License-Identifier: GPL-2.0-only
/* Mappings, functions and locations of a profile, as pprof and OTLP have them */
#include "export/dictionary.h"
#include "export/format.h"
#include "util/text.h"

uint64_t profil_dictionary_utf8(struct dictionary *dictionary, const char *text)
{
	return profil_strings_take(dictionary->strings, profil_text_utf8(text));
}

uint64_t profil_dictionary_limit(const struct export_map *map)
{
	uint64_t limit = map->start + map->size;

	return limit > map->start ? limit : UINT64_MAX;
}

static void add_mapping(struct dictionary *dictionary, uint32_t index)
{
	dictionary->map_ids[index] = ++dictionary->mappings;
	dictionary->writer->mapping(dictionary, &dictionary->maps.maps[index]);
}

static bool is_main(const struct profile *profile, const struct export_map *map)
{
	const struct profile_object *object = &profile->objects[map->object];

	return object->kind == PROFILE_FILE && profile->nr_programs &&
	       object->path == profile_file_of(profile->programs);
}

/* Readers take the first mapping for the program. */
static void add_mappings(struct dictionary *dictionary)
{
	const struct export_maps *maps = &dictionary->maps;

	for (int turn = 1; turn >= 0; turn--)
		for (uint32_t i = 0; i < maps->nr; i++)
			if (is_main(dictionary->profile, &maps->maps[i]) ==
			    turn)
				add_mapping(dictionary, i);
}

/* Number of a function, which is added if it is new */
static uint64_t add_function(struct dictionary *dictionary,
			     struct dictionary_function function)
{
	struct index_key key = { { function.name << 32 | function.symbol,
				   function.file, function.line } };
	uint64_t next = dictionary->functions + 1;
	uint64_t number =
		profil_index_map_add(&dictionary->by_content, key, next);

	if (number == next) {
		dictionary->functions = next;
		dictionary->writer->function(dictionary, &function);
	}
	return number;
}

/* Number of a function without an element in the profile; @name is freed. */
static uint64_t add_name(struct dictionary *dictionary, char *name)
{
	struct dictionary_function function = { 0 };

	function.name = profil_strings_take(dictionary->strings, name);
	return add_function(dictionary, function);
}

/*
 * A function of the profile in @file, a string of the profile. The line of the declaration
 * is one of the file of the declaration only. pprof cuts the parameters of names that are
 * the same as the symbol.
 */
static struct dictionary_function describe(struct dictionary *dictionary,
					   uint32_t index, const char *file)
{
	const struct profile *profile = dictionary->profile;
	const struct profile_function *it = &profile->functions[index];
	const char *symbol = it->symbol == it->name ? "" : it->symbol;
	char *name = profil_export_function_name(profile, index);
	struct dictionary_function function = { 0 };

	function.name = profil_strings_take(dictionary->strings, name);
	function.symbol = profil_dictionary_utf8(dictionary, symbol);
	function.file = profil_dictionary_utf8(dictionary, file);
	function.line = file == it->file ? it->line : 0;
	return function;
}

/* Number of a function of the profile in @file, a string of the profile */
static uint64_t function_in(struct dictionary *dictionary, uint32_t index,
			    const char *file)
{
	struct index_key key = { { index, (uintptr_t)file } };
	uint64_t number = profil_index_map_find(&dictionary->by_file, key);

	if (number != INDEX_NONE)
		return number;
	number = add_function(dictionary, describe(dictionary, index, file));
	profil_index_map_set(&dictionary->by_file, key, number);
	return number;
}

/* Number of the function of a frame; a frame without a file has no line. */
static uint64_t function_of_frame(struct dictionary *dictionary,
				  const struct profile_frame *frame)
{
	uint32_t index = frame->function;
	const char *own = dictionary->profile->functions[index].file;

	return function_in(dictionary, index, *frame->file ? frame->file : own);
}

/* Number of the function of a place without frames */
static uint64_t function_of(struct dictionary *dictionary, uint32_t index)
{
	const struct profile *profile = dictionary->profile;
	const struct profile_place *place = &profile->places[index];

	if (place->function != PROFILE_NONE)
		return function_in(dictionary, place->function,
				   profile->functions[place->function].file);
	return add_name(dictionary, profil_export_place_name(profile, place));
}

static void add_location(struct dictionary *dictionary,
			 const struct dictionary_location *location)
{
	dictionary->locations++;
	dictionary->writer->location(dictionary, location);
}

/* The lines of @place, to be freed; one without a line if it has no frames */
static struct dictionary_line *lines_of(struct dictionary *dictionary,
					uint32_t index, uint32_t *nr)
{
	const struct profile_place *place = &dictionary->profile->places[index];
	const struct profile_frame *frames =
		profile_frames_of(dictionary->profile, place);
	struct dictionary_line *lines =
		profil_zeros(place->nr_frames + 1ULL, sizeof(*lines));

	*nr = frames ? place->nr_frames : 1;
	if (!frames)
		lines->function = function_of(dictionary, index);
	for (uint32_t i = 0; i < place->nr_frames; i++)
		lines[i] = (struct dictionary_line){
			.function = function_of_frame(dictionary, &frames[i]),
			.line = frames[i].line,
			.column = frames[i].column,
		};
	return lines;
}

static void add_place(struct dictionary *dictionary, uint32_t index)
{
	const struct export_maps *maps = &dictionary->maps;
	struct dictionary_location location = {
		.mapping = dictionary->map_ids[maps->of_place[index]],
		.address = profil_export_maps_address(maps, dictionary->profile,
						      index),
	};
	struct dictionary_line *lines;

	if (dictionary->location_ids[index])
		return;
	lines = lines_of(dictionary, index, &location.nr_lines);
	location.lines = lines;
	add_location(dictionary, &location);
	dictionary->location_ids[index] = dictionary->locations;
	free(lines);
}

static void add_places(struct dictionary *dictionary)
{
	uint32_t nr;
	struct place_use *uses = profil_leaves_uses(&dictionary->leaves,
						    dictionary->profile, &nr);

	for (uint32_t i = 0; i < nr; i++)
		add_place(dictionary, uses[i].place);
	free(uses);
}

void profil_dictionary_write(struct dictionary *dictionary)
{
	add_mappings(dictionary);
	add_places(dictionary);
}

uint64_t profil_dictionary_name(struct dictionary *dictionary, const char *name)
{
	const struct dictionary_line line = {
		.function = add_name(dictionary, profil_copy_string(name)),
	};

	add_location(dictionary, &(struct dictionary_location){
					 .lines = &line, .nr_lines = 1 });
	return dictionary->locations;
}

uint64_t *profil_dictionary_stack(const struct dictionary *dictionary,
				  const struct profile_stack *leaf,
				  uint32_t *nr)
{
	uint32_t *places = profil_leaf_places(dictionary->profile, leaf, nr);
	uint64_t *locations = profil_grow(NULL, *nr, sizeof(*locations));

	for (uint32_t i = 0; i < *nr; i++)
		locations[i] = dictionary->location_ids[places[i]];
	free(places);
	return locations;
}

void profil_dictionary_begin(struct dictionary *dictionary,
			     const struct profile *profile,
			     const struct dictionary_writer *writer, void *out)
{
	*dictionary = (struct dictionary){
		.profile = profile,
		.writer = writer,
		.out = out,
		.location_ids = profil_zeros(profile->nr_places + 1ULL,
					     sizeof(uint64_t)),
		.strings = profil_strings_new(),
	};

	profil_leaves_make(&dictionary->leaves, profile);
	profil_export_maps_make(&dictionary->maps, profile,
				&dictionary->leaves);
	dictionary->map_ids =
		profil_zeros(dictionary->maps.nr + 1ULL, sizeof(uint64_t));
}

void profil_dictionary_end(struct dictionary *dictionary)
{
	profil_strings_free(dictionary->strings);
	profil_export_maps_free(&dictionary->maps);
	profil_leaves_free(&dictionary->leaves);
	profil_index_map_free(&dictionary->by_content);
	profil_index_map_free(&dictionary->by_file);
	free(dictionary->map_ids);
	free(dictionary->location_ids);
}
