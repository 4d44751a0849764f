// SPDX-License-Identifier: GPL-2.0-only
/* profile.proto of pprof */
#include <zlib.h>

#include "export/dictionary.h"
#include "export/format.h"
#include "export/protobuf.h"
#include "print/notes.h"

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

/* A profile that is written. @out: the message Profile */
struct pprof {
	const struct profile *profile;
	struct dictionary dictionary;
	struct protobuf out;
};

static uint64_t string(struct dictionary *dictionary, const char *text)
{
	return profil_strings_index(dictionary->strings, text);
}

/* The message ValueType */
static void add_type(struct pprof *pprof, unsigned int field, const char *type,
		     const char *unit)
{
	struct dictionary *dictionary = &pprof->dictionary;
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, TYPE_TYPE, string(dictionary, type));
	profil_protobuf_number(&message, TYPE_UNIT, string(dictionary, unit));
	profil_protobuf_message(&pprof->out, field, &message);
}

static uint64_t build_id(struct dictionary *dictionary,
			 const struct profile_object *object)
{
	char hex[2 * FILE_BUILD_ID + 1];

	profil_object_build_id(object, hex);
	return string(dictionary, hex);
}

/* Names were looked up by profil: pprof is not to do this. */
static void put_mapping(struct dictionary *dictionary,
			const struct export_map *map)
{
	const struct profile *profile = dictionary->profile;
	const struct profile_object *object = &profile->objects[map->object];
	bool has_lines = object->lines == PROFILE_LINES_KNOWN ||
			 object->lines == PROFILE_LINES_ALONE;
	struct protobuf it = { 0 };
	char *name = profil_export_object_name(profile, map->object);

	profil_protobuf_number(&it, MAPPING_ID, dictionary->mappings);
	profil_protobuf_number(&it, MAPPING_START, map->start);
	profil_protobuf_number(&it, MAPPING_LIMIT,
			       profil_dictionary_limit(map));
	profil_protobuf_number(&it, MAPPING_OFFSET, map->offset);
	profil_protobuf_number(&it, MAPPING_FILE,
			       profil_strings_take(dictionary->strings, name));
	profil_protobuf_number(&it, MAPPING_BUILD_ID,
			       build_id(dictionary, object));
	profil_protobuf_number(&it, MAPPING_HAS_FUNCTIONS, 1);
	profil_protobuf_number(&it, MAPPING_HAS_FILES, has_lines);
	profil_protobuf_number(&it, MAPPING_HAS_LINES, has_lines);
	profil_protobuf_number(&it, MAPPING_HAS_INLINED,
			       object->lines == PROFILE_LINES_KNOWN);
	profil_protobuf_message(dictionary->out, PROFILE_MAPPING, &it);
}

static void put_function(struct dictionary *dictionary,
			 const struct dictionary_function *function)
{
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, FUNCTION_ID, dictionary->functions);
	profil_protobuf_number(&message, FUNCTION_NAME, function->name);
	profil_protobuf_number(&message, FUNCTION_SYMBOL, function->symbol);
	profil_protobuf_number(&message, FUNCTION_FILE, function->file);
	profil_protobuf_number(&message, FUNCTION_LINE, function->line);
	profil_protobuf_message(dictionary->out, PROFILE_FUNCTION, &message);
}

static void put_line(struct protobuf *location,
		     const struct dictionary_line *line)
{
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, LINE_FUNCTION, line->function);
	profil_protobuf_number(&message, LINE_LINE, line->line);
	profil_protobuf_message(location, LOCATION_LINE, &message);
}

static void put_location(struct dictionary *dictionary,
			 const struct dictionary_location *location)
{
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, LOCATION_ID, dictionary->locations);
	profil_protobuf_number(&message, LOCATION_MAPPING, location->mapping);
	profil_protobuf_number(&message, LOCATION_ADDRESS, location->address);
	for (uint32_t i = 0; i < location->nr_lines; i++)
		put_line(&message, &location->lines[i]);
	profil_protobuf_message(dictionary->out, PROFILE_LOCATION, &message);
}

static const struct dictionary_writer writer = {
	.mapping = put_mapping,
	.function = put_function,
	.location = put_location,
};

static void add_label(struct pprof *pprof, struct protobuf *sample,
		      const char *key, const char *text)
{
	struct dictionary *dictionary = &pprof->dictionary;
	struct protobuf message = { 0 };
	uint64_t value = profil_dictionary_utf8(dictionary, text);

	profil_protobuf_number(&message, LABEL_KEY, string(dictionary, key));
	profil_protobuf_number(&message, LABEL_STRING, value);
	profil_protobuf_message(sample, SAMPLE_LABEL, &message);
}

/* Nanoseconds have a sign in pprof. */
static uint64_t time_of(const struct profile *profile, uint64_t samples)
{
	int64_t time;

	if (__builtin_mul_overflow(samples, profile->head.period_ns, &time))
		return INT64_MAX;
	return time;
}

/* Samples at a location with its callers, without labels */
static void begin_sample(const struct pprof *pprof, struct protobuf *message,
			 const uint64_t *locations, uint32_t nr,
			 uint64_t samples)
{
	uint64_t values[] = { samples, time_of(pprof->profile, samples) };

	profil_protobuf_numbers(message, SAMPLE_LOCATION, locations, nr);
	profil_protobuf_numbers(message, SAMPLE_VALUE, values, 2);
}

static void add_labels(struct pprof *pprof, struct protobuf *message,
		       const struct profile_program *program, const char *mode)
{
	add_label(pprof, message, "program", program->path);
	if (*program->cgroup)
		add_label(pprof, message, "cgroup", program->cgroup);
	if (*program->thread)
		add_label(pprof, message, "thread", program->thread);
	add_label(pprof, message, "mode", mode);
}

static void add_sample(struct pprof *pprof, const struct profile_stack *leaf,
		       const char *mode, uint64_t samples)
{
	const struct profile_program *programs = pprof->profile->programs;
	struct protobuf message = { 0 };
	uint64_t *locations;
	uint32_t nr;

	if (!samples)
		return;
	locations = profil_dictionary_stack(&pprof->dictionary, leaf, &nr);
	begin_sample(pprof, &message, locations, nr, samples);
	free(locations);
	add_labels(pprof, &message, &programs[leaf->program], mode);
	if (leaf->end == PROFIL_WALK_BY_RBP)
		add_label(pprof, &message, "callers", "by frame pointers");
	profil_protobuf_message(&pprof->out, PROFILE_SAMPLE, &message);
}

/* Samples at a location without an address */
static void add_without_place(struct pprof *pprof, const char *name,
			      uint64_t samples)
{
	struct protobuf message = { 0 };
	uint64_t location;

	if (!samples)
		return;
	location = profil_dictionary_name(&pprof->dictionary, name);
	begin_sample(pprof, &message, &location, 1, samples);
	profil_protobuf_message(&pprof->out, PROFILE_SAMPLE, &message);
}

static void add_samples(struct pprof *pprof)
{
	const struct profile_head *head = &pprof->profile->head;
	const struct dictionary *dictionary = &pprof->dictionary;

	for (uint32_t i = 0; i < dictionary->leaves.nr; i++) {
		const struct profile_stack *leaf = &dictionary->leaves.array[i];

		add_sample(pprof, leaf, "user", leaf->user);
		add_sample(pprof, leaf, "kernel", leaf->kernel);
	}
	add_without_place(pprof, EXPORT_OUTSIDE, head->outside);
	add_without_place(pprof, EXPORT_LOST, head->lost);
}

static void add_comment(struct pprof *pprof, const char *text)
{
	profil_protobuf_number(&pprof->out, PROFILE_COMMENT,
			       profil_dictionary_utf8(&pprof->dictionary,
						      text));
}

/* The command, as a comment */
static void add_command(struct pprof *pprof)
{
	char *text = profil_head_command(&pprof->profile->head);

	add_comment(pprof, text);
	free(text);
}

/* The lines that profil report prints below its table, a comment each */
static void add_notes(struct pprof *pprof)
{
	char *text = profil_notes_text(pprof->profile);
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			add_comment(pprof, line);
	free(text);
}

static void add_head(struct pprof *pprof)
{
	const struct profile_head *head = &pprof->profile->head;
	struct protobuf *out = &pprof->out;

	add_type(pprof, PROFILE_SAMPLE_TYPE, "samples", "count");
	add_type(pprof, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
	profil_protobuf_number(out, PROFILE_TIME, head->begin_ns);
	profil_protobuf_number(out, PROFILE_DURATION, head->wall_ns);
	add_type(pprof, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	profil_protobuf_number(out, PROFILE_PERIOD, head->period_ns);
	add_command(pprof);
	add_notes(pprof);
}

static void add_strings(struct pprof *pprof)
{
	const struct profile_strings *strings = pprof->dictionary.strings;

	for (uint32_t i = 0; i < strings->nr; i++)
		profil_protobuf_string(&pprof->out, PROFILE_STRING,
				       strings->array[i]);
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

static void write_pprof(const struct profile *profile, FILE *out)
{
	struct pprof pprof = { .profile = profile };

	profil_dictionary_begin(&pprof.dictionary, profile, &writer,
				&pprof.out);
	add_head(&pprof);
	profil_dictionary_write(&pprof.dictionary);
	add_samples(&pprof);
	add_strings(&pprof);
	put_gzip(out, pprof.out.bytes, pprof.out.size);
	profil_protobuf_free(&pprof.out);
	profil_dictionary_end(&pprof.dictionary);
}

const struct export_format profil_format_pprof = {
	.file = "profil.pb.gz",
	.next = "go tool pprof -top ",
	.write = write_pprof,
};
