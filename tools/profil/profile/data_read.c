// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a profil.data, which is not trusted
 *
 * Each line is checked when it is read: an index refers to an earlier line, and
 * the sum of all counts fits.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/data_file.h"
#include "profile/data_lines.h"
#include "util/array.h"
#include "util/memory.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/**
 * struct reader - a file that is read
 * @profile: the profile
 * @fields: fields of the present line
 * @sources: paths of source files
 * @nr_sources: elements of @sources
 * @total: sum of the counts so far
 * @seen: a bit for each kind of line that was read
 * @is_ended: the last line was read
 * @line: number of the present line, from 1
 */
struct reader {
	struct profile *profile;
	struct fields fields;
	const char **sources;
	uint32_t nr_sources;
	uint64_t total;
	uint32_t seen;
	bool is_ended;
	uint64_t line;
};

/* Add to the sum of all counts; too large a sum is an error. */
static enum data_error add_up(struct reader *reader, uint64_t count)
{
	return __builtin_add_overflow(reader->total, count, &reader->total) ?
		       DATA_MANY :
		       DATA_OK;
}

static enum data_error read_first(struct reader *reader)
{
	uint64_t version = profil_field_number(&reader->fields, UINT64_MAX);

	if (reader->line != 1 || reader->fields.is_wrong)
		return DATA_LINE;
	return version > DATA_VERSION ? DATA_OTHER_VERSION : DATA_OK;
}

static enum data_error read_command(struct reader *reader)
{
	struct profile *profile = reader->profile;
	const char **argv = NULL;
	uint32_t argc = 0;

	while (!profil_fields_end(&reader->fields)) {
		argv = profil_grow(argv, argc + 1, sizeof(*argv));
		argv[argc++] = profil_field_string(&reader->fields);
	}
	profil_profile_set_command(profile, argc, argv);
	free(argv);
	return DATA_OK;
}

/* The next field, as a string of the profile */
static const char *take_string(struct reader *reader)
{
	const char *field = profil_field_string(&reader->fields);

	return profil_profile_string(reader->profile, field);
}

static enum data_error read_host(struct reader *reader)
{
	struct profile_head *head = &reader->profile->head;
	const char **strings[] = { &head->host, &head->machine,
				   &head->release };

	for (size_t i = 0; i < ELEMENTS(strings); i++)
		*strings[i] = take_string(reader);
	return DATA_OK;
}

/* Fields of 64 bits, in order */
static void read_numbers(struct reader *reader, uint64_t *const *to, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		*to[i] = profil_field_number(&reader->fields, UINT64_MAX);
}

static enum data_error read_time(struct reader *reader)
{
	struct profile_head *head = &reader->profile->head;
	uint64_t *const to[] = { &head->begin_ns, &head->wall_ns, &head->cpu_ns,
				 &head->kernel_ns };

	read_numbers(reader, to, ELEMENTS(to));
	return DATA_OK;
}

static enum data_error read_clock(struct reader *reader)
{
	struct profile_head *head = &reader->profile->head;

	head->period_ns = profil_field_number(&reader->fields, UINT64_MAX);
	head->is_tick = profil_field_number(&reader->fields, 1);
	return DATA_OK;
}

static enum data_error read_end(struct reader *reader)
{
	struct profile_head *head = &reader->profile->head;

	head->is_complete = profil_field_number(&reader->fields, 1);
	head->status = profil_field_number(&reader->fields, 255);
	head->signal = profil_field_number(&reader->fields, 127);
	head->running = profil_field_number(&reader->fields, INT32_MAX);
	return DATA_OK;
}

static enum data_error read_attached(struct reader *reader)
{
	reader->profile->head.attached =
		profil_field_number(&reader->fields, INT32_MAX);
	return DATA_OK;
}

static enum data_error read_totals(struct reader *reader)
{
	struct profile_head *head = &reader->profile->head;
	uint64_t *const to[] = {
		&head->samples,	 &head->hits,	   &head->outside,
		&head->lost,	 &head->saturated, &head->kernel_samples,
		&head->sessions, &head->ended,	   &head->unprofiled_children,
	};
	enum data_error error;

	read_numbers(reader, to, ELEMENTS(to));
	error = add_up(reader, head->outside);
	return error ? error : add_up(reader, head->lost);
}

static enum data_error read_sessions(struct reader *reader)
{
	struct profile_head *head = &reader->profile->head;
	uint64_t *const to[] = { &head->session_ns, &head->sampled_ns };

	read_numbers(reader, to, ELEMENTS(to));
	return DATA_OK;
}

static enum data_error read_processes(struct reader *reader)
{
	struct profile_head *head = &reader->profile->head;
	uint64_t *const first[] = { &head->processes, &head->starts,
				    &head->failed };
	uint64_t *const last[] = { &head->yielded, &head->dropped,
				   &head->unnamed, &head->recordings };

	read_numbers(reader, first, ELEMENTS(first));
	head->error = profil_field_number(&reader->fields, 4095);
	read_numbers(reader, last, ELEMENTS(last));
	return DATA_OK;
}

static enum data_error read_memory(struct reader *reader)
{
	struct profile_head *head = &reader->profile->head;
	uint64_t *const to[] = { &head->counter_bytes, &head->memlock };

	read_numbers(reader, to, ELEMENTS(to));
	return DATA_OK;
}

static enum data_error read_orphan(struct reader *reader)
{
	reader->profile->head.is_orphan =
		profil_field_number(&reader->fields, 1);
	return DATA_OK;
}

static enum data_error read_unseen(struct reader *reader)
{
	struct profile_unseen unseen = { 0 };

	unseen.reach = profil_field_number(&reader->fields, UINT32_MAX);
	unseen.processes = profil_field_number(&reader->fields, UINT64_MAX);
	unseen.path = profil_field_string(&reader->fields);
	profil_profile_add_unseen(reader->profile, &unseen);
	return DATA_OK;
}

/* A program that is there already would change the index of later ones. */
static enum data_error read_program(struct reader *reader)
{
	struct profile *profile = reader->profile;
	uint32_t nr = profile->nr_programs;
	const char *path = profil_field_string(&reader->fields);
	uint32_t index = profil_profile_add_program(profile, path);

	return index == nr ? DATA_OK : DATA_LINE;
}

static enum data_error read_object(struct reader *reader)
{
	static const char *const kinds[] = { "file", "outside", "jit", NULL };
	static const char *const names[] = { "read", "unreadable", "replaced",
					     "skipped", NULL };
	struct fields *fields = &reader->fields;
	struct profile_object object = { 0 };

	object.kind = profil_field_word(fields, kinds);
	object.path = profil_field_string(fields);
	object.build_id_size = profil_field_hex(fields, object.build_id,
						sizeof(object.build_id));
	object.names = profil_field_word(fields, names);
	object.has_lines = profil_field_number(fields, 1);
	object.is_relocatable = profil_field_number(fields, 1);
	object.package = profil_field_string(fields);
	profil_profile_add_object(reader->profile, &object);
	return DATA_OK;
}

static enum data_error read_segment(struct reader *reader)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	struct profile_segment segment = { 0 };

	segment.object = profil_field_index(fields, profile->nr_objects);
	segment.offset = profil_field_address(fields);
	segment.address = profil_field_address(fields);
	segment.size = profil_field_number(fields, UINT64_MAX);
	profil_profile_add_segment(profile, &segment);
	return DATA_OK;
}

static enum data_error read_source(struct reader *reader)
{
	const char *path = take_string(reader);

	ARRAY_ADD(reader->sources, reader->nr_sources, path);
	return DATA_OK;
}

/* Path of a source file, by the index in the next of @fields, or "" for none */
static const char *take_source(const struct reader *reader,
			       struct fields *fields)
{
	uint32_t nr = reader->nr_sources;
	uint32_t index = profil_field_index_or_none(fields, nr);

	return index == PROFILE_NONE ? "" : reader->sources[index];
}

static enum data_error read_function(struct reader *reader)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	struct profile_function function = { 0 };
	const char *flags;

	function.object = profil_field_index(fields, profile->nr_objects);
	function.address = profil_field_address(fields);
	function.size = profil_field_number(fields, UINT64_MAX);
	flags = profil_field_string(fields);
	function.is_local = strchr(flags, 'l');
	function.is_inlined = strchr(flags, 'i');
	function.symbol = profil_field_string(fields);
	function.name = profil_field_string(fields);
	if (!*function.name)
		function.name = function.symbol;
	function.file = take_source(reader, fields);
	function.line = profil_field_number(fields, UINT32_MAX);
	profil_profile_add_function(profile, &function);
	return DATA_OK;
}

static enum data_error read_code(struct reader *reader)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	uint32_t index = profil_field_index(fields, profile->nr_functions);
	const char *text = profil_field_string(fields);
	size_t size = strlen(text) / 2;
	uint8_t *bytes;

	if (fields->is_wrong || size != profile->functions[index].size)
		return DATA_LINE;
	bytes = profil_grow(NULL, size + 1, 1);
	if (!profil_fields_hex(text, bytes, size))
		fields->is_wrong = true;
	else
		profile->functions[index].code =
			profil_profile_bytes(profile, bytes, size);
	free(bytes);
	return DATA_OK;
}

/*
 * FUNCTION:SOURCE:LINE:COLUMN:DISCRIMINATOR. Of too many frames the innermost
 * and the last, in the function of the place, are kept.
 */
static void read_frame(struct reader *reader, struct profile_place *place)
{
	struct profile *profile = reader->profile;
	struct fields parts = profil_field_parts(&reader->fields);
	struct profile_frame frame = { 0 };
	uint32_t index;

	frame.function = profil_field_index(&parts, profile->nr_functions);
	frame.file = take_source(reader, &parts);
	frame.line = profil_field_number(&parts, UINT32_MAX);
	frame.column = profil_field_number(&parts, UINT32_MAX);
	frame.discriminator = profil_field_number(&parts, UINT32_MAX);
	if (parts.is_wrong) {
		reader->fields.is_wrong = true;
		return;
	}
	if (place->nr_frames == PROFILE_FRAMES) {
		profile->frames[profile->nr_frames - 1] = frame;
		profile->dropped_frames++;
		return;
	}
	index = profil_profile_add_frame(profile, &frame);
	if (!place->nr_frames++)
		place->frames = index;
}

static enum data_error read_place(struct reader *reader)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	struct profile_place place = { 0 };
	enum data_error error;

	place.object = profil_field_index(fields, profile->nr_objects);
	place.program = profil_field_index(fields, profile->nr_programs);
	place.offset = profil_field_address(fields);
	place.address = profil_field_address(fields);
	place.function =
		profil_field_index_or_none(fields, profile->nr_functions);
	place.user = profil_field_number(fields, UINT64_MAX);
	place.kernel = profil_field_number(fields, UINT64_MAX);
	while (!profil_fields_end(fields) && !fields->is_wrong)
		read_frame(reader, &place);
	if (fields->is_wrong)
		return DATA_LINE;
	if (place.nr_frames &&
	    profile->frames[profile->nr_frames - 1].function != place.function)
		return DATA_LINE;
	profil_profile_add_place(profile, &place);
	error = add_up(reader, place.user);
	return error ? error : add_up(reader, place.kernel);
}

static enum data_error read_eof(struct reader *reader)
{
	uint64_t lines = profil_field_number(&reader->fields, UINT64_MAX);

	reader->is_ended = true;
	return lines == reader->line - 1 ? DATA_OK : DATA_LINE;
}

/**
 * struct line_kind - kind of a line
 * @word: first field
 * @is_once: a second line of the kind is malformed
 * @read: reads the other fields
 */
struct line_kind {
	const char *word;
	bool is_once;
	enum data_error (*read)(struct reader *reader);
};

static const struct line_kind kinds[] = {
	{ "place", false, read_place },
	{ "function", false, read_function },
	{ "source", false, read_source },
	{ "code", false, read_code },
	{ "object", false, read_object },
	{ "segment", false, read_segment },
	{ "program", false, read_program },
	{ "unseen", false, read_unseen },
	{ DATA_NAME, true, read_first },
	{ "command", true, read_command },
	{ "host", true, read_host },
	{ "time", true, read_time },
	{ "clock", true, read_clock },
	{ "end", true, read_end },
	{ "totals", true, read_totals },
	{ "sessions", true, read_sessions },
	{ "processes", true, read_processes },
	{ "memory", true, read_memory },
	{ "orphan", true, read_orphan },
	{ "attached", true, read_attached },
	{ "eof", true, read_eof },
};

static enum data_error read_kind(struct reader *reader, size_t kind)
{
	uint32_t bit = (uint32_t)1 << kind;

	if (kinds[kind].is_once && reader->seen & bit)
		return DATA_LINE;
	reader->seen |= bit;
	return kinds[kind].read(reader);
}

/* A later version may have more kinds of lines. */
static enum data_error read_line(struct reader *reader, char *line)
{
	enum data_error error = DATA_OK;
	const char *word;

	reader->line++;
	if (reader->is_ended)
		return DATA_LINE;
	reader->fields = profil_fields_of(line);
	word = profil_field_string(&reader->fields);
	if (reader->line == 1 && strcmp(word, DATA_NAME))
		return DATA_OTHER;
	for (size_t i = 0; i < ELEMENTS(kinds); i++)
		if (!strcmp(word, kinds[i].word)) {
			error = read_kind(reader, i);
			break;
		}
	return !error && reader->fields.is_wrong ? DATA_LINE : error;
}

/* The error of a line that is no text; a first line like that is no mark. */
static enum data_error refuse_text(struct reader *reader, enum data_error error)
{
	if (error != DATA_LINE)
		return error;
	return reader->line++ ? DATA_LINE : DATA_OTHER;
}

static enum data_error read_lines(struct reader *reader,
				  struct data_lines *lines)
{
	enum data_error error = DATA_OK;
	char *line;

	while (!error) {
		error = profil_data_lines_next(lines, &line);
		if (error)
			return refuse_text(reader, error);
		if (!line)
			break;
		error = read_line(reader, line);
	}
	if (!error && !reader->line)
		return DATA_EMPTY;
	return error || reader->is_ended ? error : DATA_CUT;
}

static void set_text(char *text, enum data_error error, uint64_t line)
{
	static const char *const sentences[] = {
		[DATA_OK] = "",
		[DATA_EMPTY] = "empty file: no recording was written to it",
		[DATA_OTHER] = "not a profil.data file",
		[DATA_OTHER_VERSION] =
			"written by a newer profil: its format is not known",
		[DATA_CUT] = "malformed profil.data: the file ends early",
		[DATA_DAMAGED] =
			"malformed profil.data: the compressed text is damaged",
		[DATA_LARGE] =
			"malformed profil.data: more than 256 MiB of text",
		[DATA_MANY] =
			"malformed profil.data: the counts are too large to add up",
	};

	if (error == DATA_LINE)
		snprintf(text, DATA_ERROR_TEXT,
			 "malformed profil.data: line %llu",
			 (unsigned long long)line);
	else if (error == DATA_UNREADABLE)
		snprintf(text, DATA_ERROR_TEXT, "cannot be read: %s",
			 strerror(errno));
	else
		snprintf(text, DATA_ERROR_TEXT, "%s", sentences[error]);
}

bool profil_data_is(const void *bytes, size_t size)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b };

	if (size >= sizeof(gzip) && !memcmp(bytes, gzip, sizeof(gzip)))
		return true;
	return size >= DATA_MARK && !memcmp(bytes, DATA_NAME "\t", DATA_MARK);
}

enum data_error profil_data_read(struct profile *profile, int fd, char *text)
{
	struct reader reader = { .profile = profile };
	struct data_lines *lines = profil_data_lines_open(fd);
	enum data_error error = read_lines(&reader, lines);

	set_text(text, error, reader.line);
	profil_data_lines_close(lines);
	free(reader.sources);
	if (error) {
		profil_profile_free(profile);
		profil_profile_init(profile);
		return error;
	}
	profil_profile_sort(profile);
	return DATA_OK;
}
