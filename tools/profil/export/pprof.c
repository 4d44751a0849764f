// SPDX-License-Identifier: GPL-2.0-only
/*
 * profile.proto of pprof
 *
 * Mappings, functions and locations are numbered from 1 in the order of the file,
 * without gaps: Parca takes no other profile. The functions are objects for code
 * without a function, then [outside] and [lost], then the others when they are
 * first used. pprof has the source file in the function, so code of a function in
 * several files, as by #include or a macro, is a function for each file.
 */
#include <zlib.h>

#include "export/format.h"
#include "export/maps.h"
#include "print/notes.h"
#include "util/text.h"

/* Messages in the encoding of Protocol Buffers */

/* A message, by the fields that have been added */
struct protobuf {
	uint8_t *bytes;
	size_t size;
};

/* Types of fields: a number of variable length, and bytes after their number */
#define NUMBER 0
#define BYTES 2

static void add_byte(struct protobuf *message, uint8_t byte)
{
	ARRAY_ADD(message->bytes, message->size, byte);
}

/* Seven bits in each byte, the lowest first */
static void add_number(struct protobuf *message, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		add_byte(message, number | 0x80);
	add_byte(message, number);
}

static void add_bytes(struct protobuf *message, unsigned int field,
		      const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	add_number(message, field << 3 | BYTES);
	add_number(message, size);
	for (size_t i = 0; i < size; i++)
		add_byte(message, from[i]);
}

/* Add a field; a number of 0 is the same as none. */
static void put_number(struct protobuf *message, unsigned int field,
		       uint64_t number)
{
	if (!number)
		return;
	add_number(message, field << 3 | NUMBER);
	add_number(message, number);
}

static void free_message(struct protobuf *message)
{
	free(message->bytes);
	*message = (struct protobuf){ 0 };
}

/* Add the message @part as a field, and free it. */
static void put_message(struct protobuf *message, unsigned int field,
			struct protobuf *part)
{
	add_bytes(message, field, part->bytes, part->size);
	free_message(part);
}

/* Add @nr numbers as one field. */
static void put_numbers(struct protobuf *message, unsigned int field,
			const uint64_t *numbers, size_t nr)
{
	struct protobuf packed = { 0 };

	for (size_t i = 0; i < nr; i++)
		add_number(&packed, numbers[i]);
	put_message(message, field, &packed);
}

/* Fields of the messages in profile.proto */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING,
	PROFILE_TIME = 9,
	PROFILE_DURATION,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	PROFILE_COMMENT
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING };
enum {
	MAPPING_ID = 1,
	MAPPING_START,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILES,
	MAPPING_HAS_LINES,
	MAPPING_HAS_INLINED
};
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME,
	FUNCTION_SYMBOL,
	FUNCTION_FILE,
	FUNCTION_LINE
};

/**
 * struct pprof - a profile that is written
 * @profile: the profile
 * @maps: memory of its places
 * @map_ids: number of the mapping of each map
 * @object_ids: number of the function of each object that is no file
 * @location_ids: number of the location of each place, or 0
 * @mappings: mappings so far
 * @functions: functions so far
 * @by_file: numbers of the profile's functions, by index and source file
 * @locations: locations so far
 * @outside: number of the function [outside]
 * @lost: number of the function [lost]
 * @strings: strings that messages refer to
 * @out: the message Profile
 */
struct pprof {
	const struct profile *profile;
	struct export_maps maps;
	uint64_t *map_ids;
	uint64_t *object_ids;
	uint64_t *location_ids;
	uint64_t mappings;
	uint64_t functions;
	struct index_map by_file;
	uint64_t locations;
	uint64_t outside;
	uint64_t lost;
	struct profile_strings *strings;
	struct protobuf out;
};

static uint64_t string(struct pprof *pprof, const char *text)
{
	return profil_strings_index(pprof->strings, text);
}

static uint64_t utf8(struct pprof *pprof, const char *text)
{
	return profil_strings_take(pprof->strings, profil_text_utf8(text));
}

/* The message ValueType */
static void add_type(struct pprof *pprof, unsigned int field, const char *type,
		     const char *unit)
{
	struct protobuf message = { 0 };

	put_number(&message, TYPE_TYPE, string(pprof, type));
	put_number(&message, TYPE_UNIT, string(pprof, unit));
	put_message(&pprof->out, field, &message);
}

static uint64_t build_id(struct pprof *pprof,
			 const struct profile_object *object)
{
	char hex[2 * FILE_BUILD_ID + 1];

	profil_object_build_id(object, hex);
	return string(pprof, hex);
}

/* Address after @map, or the last address */
static uint64_t limit_of(const struct export_map *map)
{
	uint64_t limit = map->start + map->size;

	return limit > map->start ? limit : UINT64_MAX;
}

/* Names were looked up by profil: pprof is not to do this. */
static void add_mapping(struct pprof *pprof, uint32_t index)
{
	const struct export_map *map = &pprof->maps.maps[index];
	const struct profile_object *object =
		&pprof->profile->objects[map->object];
	bool has_lines = object->lines == PROFILE_LINES_KNOWN ||
			 object->lines == PROFILE_LINES_ALONE;
	struct protobuf message = { 0 };
	char *name = profil_export_object_name(pprof->profile, map->object);

	pprof->map_ids[index] = ++pprof->mappings;
	put_number(&message, MAPPING_ID, pprof->mappings);
	put_number(&message, MAPPING_START, map->start);
	put_number(&message, MAPPING_LIMIT, limit_of(map));
	put_number(&message, MAPPING_OFFSET, map->offset);
	put_number(&message, MAPPING_FILE,
		   profil_strings_take(pprof->strings, name));
	put_number(&message, MAPPING_BUILD_ID, build_id(pprof, object));
	put_number(&message, MAPPING_HAS_FUNCTIONS, 1);
	put_number(&message, MAPPING_HAS_FILES, has_lines);
	put_number(&message, MAPPING_HAS_LINES, has_lines);
	put_number(&message, MAPPING_HAS_INLINED,
		   object->lines == PROFILE_LINES_KNOWN);
	put_message(&pprof->out, PROFILE_MAPPING, &message);
}

static bool is_main(const struct profile *profile, const struct export_map *map)
{
	const struct profile_object *object = &profile->objects[map->object];

	return object->kind == PROFILE_FILE && profile->nr_programs &&
	       object->path == profile_file_of(profile->programs);
}

/* pprof takes the first mapping for the program. */
static void add_mappings(struct pprof *pprof)
{
	const struct export_maps *maps = &pprof->maps;

	for (int turn = 1; turn >= 0; turn--)
		for (uint32_t i = 0; i < maps->nr; i++)
			if (is_main(pprof->profile, &maps->maps[i]) == turn)
				add_mapping(pprof, i);
}

/* Number of a new function; its names and file are numbers of strings. */
static uint64_t add_function(struct pprof *pprof, uint64_t name,
			     uint64_t symbol, uint64_t file, uint64_t line)
{
	struct protobuf message = { 0 };

	put_number(&message, FUNCTION_ID, ++pprof->functions);
	put_number(&message, FUNCTION_NAME, name);
	put_number(&message, FUNCTION_SYMBOL, symbol);
	put_number(&message, FUNCTION_FILE, file);
	put_number(&message, FUNCTION_LINE, line);
	put_message(&pprof->out, PROFILE_FUNCTION, &message);
	return pprof->functions;
}

/* Number of a function without an element in the profile; @name is freed. */
static uint64_t add_name(struct pprof *pprof, char *name)
{
	return add_function(pprof, profil_strings_take(pprof->strings, name), 0,
			    0, 0);
}

/*
 * Number of a function of the profile in @file, a string of the profile. The line of
 * the declaration is one of the file of the declaration only. pprof cuts the
 * parameters of names that are the same as the symbol.
 */
static uint64_t function_in(struct pprof *pprof, uint32_t index,
			    const char *file)
{
	const struct profile_function *it = &pprof->profile->functions[index];
	struct index_key key = { { index, (uintptr_t)file } };
	uint64_t number = profil_index_map_find(&pprof->by_file, key);
	uint64_t name, symbol;

	if (number != INDEX_NONE)
		return number;
	name = profil_strings_take(pprof->strings,
				   profil_export_function_name(pprof->profile,
							       index));
	symbol = utf8(pprof, it->symbol == it->name ? "" : it->symbol);
	number = add_function(pprof, name, symbol, utf8(pprof, file),
			      file == it->file ? it->line : 0);
	profil_index_map_set(&pprof->by_file, key, number);
	return number;
}

/* Number of the function of a frame; a frame without a file has no line. */
static uint64_t function_of_frame(struct pprof *pprof,
				  const struct profile_frame *frame)
{
	uint32_t index = frame->function;
	const char *own = pprof->profile->functions[index].file;

	return function_in(pprof, index, *frame->file ? frame->file : own);
}

/* Number of the function of a place without frames */
static uint64_t function_of(struct pprof *pprof, uint32_t index)
{
	const struct profile *profile = pprof->profile;
	const struct profile_place *place = &profile->places[index];

	if (place->function != PROFILE_NONE)
		return function_in(pprof, place->function,
				   profile->functions[place->function].file);
	if (profile->objects[place->object].kind != PROFILE_FILE)
		return pprof->object_ids[place->object];
	return add_name(pprof, profil_export_place_name(profile, place));
}

/* Functions for code that is in no function of the profile */
static void add_names(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		char *name;

		if (profile->objects[i].kind == PROFILE_FILE)
			continue;
		name = profil_export_object_name(profile, i);
		pprof->object_ids[i] = add_name(pprof, name);
	}
	pprof->outside = add_name(pprof, profil_copy_string(EXPORT_OUTSIDE));
	pprof->lost = add_name(pprof, profil_copy_string(EXPORT_LOST));
}

static void add_line(struct protobuf *location, uint64_t function,
		     uint64_t line)
{
	struct protobuf message = { 0 };

	put_number(&message, LINE_FUNCTION, function);
	put_number(&message, LINE_LINE, line);
	put_message(location, LOCATION_LINE, &message);
}

static void add_frames(struct pprof *pprof, struct protobuf *location,
		       const struct profile_place *place)
{
	const struct profile_frame *frame =
		profile_frames_of(pprof->profile, place);

	for (uint32_t i = 0; i < place->nr_frames; i++)
		add_line(location, function_of_frame(pprof, &frame[i]),
			 frame[i].line);
}

static void add_location(struct pprof *pprof, uint32_t index)
{
	const struct profile *profile = pprof->profile;
	const struct profile_place *place = &profile->places[index];
	uint64_t map = pprof->map_ids[pprof->maps.of_place[index]];
	struct protobuf message = { 0 };

	pprof->location_ids[index] = ++pprof->locations;
	put_number(&message, LOCATION_ID, pprof->locations);
	put_number(&message, LOCATION_MAPPING, map);
	put_number(&message, LOCATION_ADDRESS,
		   profil_export_maps_address(&pprof->maps, profile, index));
	if (place->nr_frames)
		add_frames(pprof, &message, place);
	else
		add_line(&message, function_of(pprof, index), 0);
	put_message(&pprof->out, PROFILE_LOCATION, &message);
}

static void add_locations(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++)
		if (!pprof->location_ids[profile->samples[i].place])
			add_location(pprof, profile->samples[i].place);
}

static void add_label(struct pprof *pprof, struct protobuf *sample,
		      const char *key, const char *text)
{
	struct protobuf message = { 0 };
	uint64_t value = utf8(pprof, text);

	put_number(&message, LABEL_KEY, string(pprof, key));
	put_number(&message, LABEL_STRING, value);
	put_message(sample, SAMPLE_LABEL, &message);
}

/* Nanoseconds have a sign in pprof. */
static uint64_t time_of(const struct profile *profile, uint64_t samples)
{
	int64_t time;

	if (__builtin_mul_overflow(samples, profile->head.period_ns, &time))
		return INT64_MAX;
	return time;
}

/* Samples at a location, without labels */
static void begin_sample(const struct pprof *pprof, struct protobuf *message,
			 uint64_t location, uint64_t samples)
{
	uint64_t values[] = { samples, time_of(pprof->profile, samples) };

	put_numbers(message, SAMPLE_LOCATION, &location, 1);
	put_numbers(message, SAMPLE_VALUE, values, 2);
}

static void add_sample(struct pprof *pprof, const struct profile_sample *sample,
		       const char *mode, uint64_t samples)
{
	const struct profile_program *program =
		&pprof->profile->programs[sample->program];
	struct protobuf message = { 0 };

	if (!samples)
		return;
	begin_sample(pprof, &message, pprof->location_ids[sample->place],
		     samples);
	add_label(pprof, &message, "program", program->path);
	if (*program->cgroup)
		add_label(pprof, &message, "cgroup", program->cgroup);
	if (*program->thread)
		add_label(pprof, &message, "thread", program->thread);
	add_label(pprof, &message, "mode", mode);
	put_message(&pprof->out, PROFILE_SAMPLE, &message);
}

/* Samples at a location without an address */
static void add_without_place(struct pprof *pprof, uint64_t function,
			      uint64_t samples)
{
	struct protobuf location = { 0 }, message = { 0 };

	if (!samples)
		return;
	put_number(&location, LOCATION_ID, ++pprof->locations);
	add_line(&location, function, 0);
	put_message(&pprof->out, PROFILE_LOCATION, &location);
	begin_sample(pprof, &message, pprof->locations, samples);
	put_message(&pprof->out, PROFILE_SAMPLE, &message);
}

static void add_samples(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];

		add_sample(pprof, sample, "user", sample->user);
		add_sample(pprof, sample, "kernel", sample->kernel);
	}
	add_without_place(pprof, pprof->outside, profile->head.outside);
	add_without_place(pprof, pprof->lost, profile->head.lost);
}

/* The command, as a comment */
static void add_command(struct pprof *pprof)
{
	char *text = profil_head_command(&pprof->profile->head);

	put_number(&pprof->out, PROFILE_COMMENT, utf8(pprof, text));
	free(text);
}

/* The lines that profil report prints below its table, a comment each */
static void add_notes(struct pprof *pprof)
{
	char *text = profil_notes_text(pprof->profile);
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			put_number(&pprof->out, PROFILE_COMMENT,
				   utf8(pprof, line));
	free(text);
}

static void add_head(struct pprof *pprof)
{
	const struct profile_head *head = &pprof->profile->head;

	add_type(pprof, PROFILE_SAMPLE_TYPE, "samples", "count");
	add_type(pprof, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
	put_number(&pprof->out, PROFILE_TIME, head->begin_ns);
	put_number(&pprof->out, PROFILE_DURATION, head->wall_ns);
	add_type(pprof, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	put_number(&pprof->out, PROFILE_PERIOD, head->period_ns);
	add_command(pprof);
	add_notes(pprof);
}

static void add_strings(struct pprof *pprof)
{
	for (uint32_t i = 0; i < pprof->strings->nr; i++)
		add_bytes(&pprof->out, PROFILE_STRING, pprof->strings->array[i],
			  strlen(pprof->strings->array[i]));
}

/* The largest window, and a header of gzip */
#define WINDOW (15 + 16)
#define MEMORY 8

/* Bytes that are written at once */
#define PIECE 65536

/*
 * Write @size bytes, compressed; equal bytes become equal files. gzdopen(3) needs a
 * descriptor, and profil push has the file in memory.
 */
static void put_gzip(FILE *out, const void *bytes, size_t size)
{
	z_stream stream = { .next_in = (void *)bytes };
	unsigned char piece[PIECE];
	int state = Z_OK;

	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW,
			 MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		profil_memory_exhausted();
	while (state != Z_STREAM_END) {
		if (!stream.avail_in) {
			stream.avail_in = lesser(size, UINT_MAX);
			size -= stream.avail_in;
		}
		stream.next_out = piece;
		stream.avail_out = sizeof(piece);
		state = deflate(&stream, size ? Z_NO_FLUSH : Z_FINISH);
		fwrite(piece, 1, sizeof(piece) - stream.avail_out, out);
	}
	deflateEnd(&stream);
}

static void begin(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;

	profil_export_maps_make(&pprof->maps, profile);
	pprof->map_ids = profil_grow(NULL, pprof->maps.nr + 1ULL,
				     sizeof(*pprof->map_ids));
	pprof->object_ids = profil_grow(NULL, profile->nr_objects + 1ULL,
					sizeof(*pprof->object_ids));
	pprof->location_ids = profil_zeros(profile->nr_places + 1ULL,
					   sizeof(*pprof->location_ids));
	pprof->strings = profil_strings_new();
}

static void end(struct pprof *pprof)
{
	free_message(&pprof->out);
	profil_strings_free(pprof->strings);
	profil_export_maps_free(&pprof->maps);
	profil_index_map_free(&pprof->by_file);
	free(pprof->map_ids);
	free(pprof->object_ids);
	free(pprof->location_ids);
}

static void write_pprof(const struct profile *profile, FILE *out)
{
	struct pprof pprof = { .profile = profile };

	begin(&pprof);
	add_head(&pprof);
	add_mappings(&pprof);
	add_names(&pprof);
	add_locations(&pprof);
	add_samples(&pprof);
	add_strings(&pprof);
	put_gzip(out, pprof.out.bytes, pprof.out.size);
	end(&pprof);
}

const struct export_format profil_format_pprof = {
	.file = "profil.pb.gz",
	.next = "go tool pprof -top ",
	.write = write_pprof,
};
