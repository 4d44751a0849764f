// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a profil.data, which is not trusted
 *
 * Each line is checked when it is read: an index refers to an earlier line. The sum
 * of all counts fits, which is checked at the end.
 */
#include "profile/data_lines.h"
#include "profile/head.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

static const char is_newer[] =
	"written by a newer profil: its format is not known";

static const char too_many[] =
	"malformed profil.data: the counts are too large to add up";

static const char is_empty[] = "empty file: no recording was written to it";

static const char ends_early[] = "malformed profil.data: the file ends early";

/*
 * A file that is read, with the fields of the present line, the paths of source files,
 * the lines of places, and a bit for each kind of line that was read, and for the first
 * number of each line of the head
 */
struct data_reader {
	struct data_lines lines;
	struct profile *profile;
	struct fields fields;
	const char **sources;
	uint32_t nr_sources;
	struct profile_sample *places;
	uint32_t nr_places;
	uint32_t seen;
	uint64_t seen_head;
	bool is_ended;
};

static void read_first(struct data_reader *reader)
{
	uint64_t version = profil_field_number(&reader->fields, UINT64_MAX);

	reader->fields.is_wrong |= reader->lines.line != 1;
	if (!reader->fields.is_wrong && version > DATA_VERSION)
		profil_data_refuse(&reader->lines, is_newer);
}

static void read_command(struct data_reader *reader)
{
	struct profile *profile = reader->profile;
	const char **argv = NULL;
	uint32_t argc = 0;

	while (reader->fields.rest)
		ARRAY_ADD(argv, argc, profil_field_string(&reader->fields));
	profil_profile_set_command(profile, argc, argv);
	free(argv);
}

/* The next field, as a string of the profile */
static const char *take_string(struct data_reader *reader)
{
	const char *field = profil_field_string(&reader->fields);

	return profil_profile_string(reader->profile, field);
}

static void read_host(struct data_reader *reader)
{
	struct profile_head *head = &reader->profile->head;

	head->host = take_string(reader);
	head->machine = take_string(reader);
	head->release = take_string(reader);
}

static void read_cgroup(struct data_reader *reader)
{
	reader->profile->head.cgroup = take_string(reader);
}

static void read_program(struct data_reader *reader)
{
	uint32_t nr = reader->profile->nr_programs;
	struct fields *fields = &reader->fields;
	struct profile_program program = { 0 };

	program.path = profil_field_string(fields);
	if (fields->rest)
		program.cgroup = profil_field_string(fields);
	if (fields->rest)
		program.thread = profil_field_string(fields);
	if (fields->rest)
		program.file = profil_field_string(fields);
	fields->is_wrong |=
		profil_profile_add_program(reader->profile, &program) != nr;
}

static void read_kernel(struct data_reader *reader)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	struct profile_kernel kernel = { .program = PROFILE_NONE,
					 .stack = PROFILE_NONE };
	uint32_t programs = profile->nr_programs, nr = profile->nr_kernel;

	kernel.samples = profil_field_number(fields, UINT64_MAX);
	kernel.name = profil_field_string(fields);
	if (fields->rest)
		kernel.program = profil_field_index_or_none(fields, programs);
	if (fields->rest)
		kernel.stack = profil_field_index(fields, profile->nr_stacks);
	fields->is_wrong |= profil_profile_add_kernel(profile, &kernel) != nr;
}

static void read_object(struct data_reader *reader)
{
	static const char *const kinds[] = { "file", "outside", "jit", NULL };
	static const char *const names[] = { "read",	 "unreadable",
					     "replaced", "skipped",
					     "missing",	 "failed",
					     NULL };
	struct fields *fields = &reader->fields;
	struct profile_object object = { 0 };

	object.kind = profil_field_word(fields, kinds);
	object.path = profil_field_string(fields);
	object.build_id_size = profil_field_hex(fields, object.build_id,
						sizeof(object.build_id));
	object.names = profil_field_word(fields, names);
	object.lines = profil_field_number(fields, PROFILE_LINES_ALONE);
	object.is_relocatable = profil_field_number(fields, 1);
	/* The name of a package with symbols, which earlier versions have written */
	profil_field_string(fields);
	profil_profile_add_object(reader->profile, &object);
}

static void read_segment(struct data_reader *reader)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	struct profile_segment segment = { 0 };

	segment.object = profil_field_index(fields, profile->nr_objects);
	segment.offset = profil_field_address(fields);
	segment.address = profil_field_address(fields);
	segment.size = profil_field_number(fields, UINT64_MAX);
	profil_profile_add_segment(profile, &segment);
}

static void read_source(struct data_reader *reader)
{
	const char *path = take_string(reader);

	ARRAY_ADD(reader->sources, reader->nr_sources, path);
}

/* Path of a source file, by the index in the next of @fields, or "" for none */
static const char *take_source(const struct data_reader *reader,
			       struct fields *fields)
{
	uint32_t nr = reader->nr_sources;
	uint32_t index = profil_field_index_or_none(fields, nr);

	return index == PROFILE_NONE ? "" : reader->sources[index];
}

static void read_function(struct data_reader *reader)
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
}

static void read_code(struct data_reader *reader)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	uint32_t index = profil_field_index(fields, profile->nr_functions);
	const char *text = profil_field_string(fields);
	size_t size = strlen(text) / 2;
	uint8_t *bytes;

	if (fields->is_wrong || size != profile->functions[index].size) {
		fields->is_wrong = true;
		return;
	}
	bytes = profil_grow(NULL, size + 1, 1);
	if (!profil_fields_hex(text, bytes, size))
		fields->is_wrong = true;
	else
		profile->functions[index].code =
			profil_profile_bytes(profile, bytes, size);
	free(bytes);
}

/*
 * FUNCTION:SOURCE:LINE:COLUMN:DISCRIMINATOR. Of too many frames the innermost
 * and the last, in the function of the place, are kept.
 */
static void read_frame(struct data_reader *reader, struct profile_place *place)
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

/* Code with the program that executed it: equal code of several lines is one place. */
static void read_code_of(struct data_reader *reader,
			 struct profile_sample *sample)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	struct profile_place place = { 0 };

	place.object = profil_field_index(fields, profile->nr_objects);
	sample->program = profil_field_index(fields, profile->nr_programs);
	place.offset = profil_field_address(fields);
	place.address = profil_field_address(fields);
	place.function =
		profil_field_index_or_none(fields, profile->nr_functions);
	sample->user = profil_field_number(fields, UINT64_MAX);
	sample->kernel = profil_field_number(fields, UINT64_MAX);
	while (fields->rest && !fields->is_wrong)
		read_frame(reader, &place);
	if (place.nr_frames &&
	    profile->frames[profile->nr_frames - 1].function != place.function)
		fields->is_wrong = true;
	if (fields->is_wrong)
		return;
	sample->place = profil_profile_add_place(profile, &place);
	ARRAY_ADD(reader->places, reader->nr_places, *sample);
}

static void read_place(struct data_reader *reader)
{
	struct profile_sample sample = { 0 };

	read_code_of(reader, &sample);
	if (!reader->fields.is_wrong)
		profil_profile_add_sample(reader->profile, &sample);
}

static void read_caller(struct data_reader *reader)
{
	struct profile_sample none = { 0 };

	read_code_of(reader, &none);
	reader->fields.is_wrong |= profile_samples_of(&none) != 0;
}

/* Each stack has one line. */
static void read_stack(struct data_reader *reader)
{
	struct profile *profile = reader->profile;
	struct fields *fields = &reader->fields;
	struct profile_stack stack = { 0 };
	uint32_t nr = profile->nr_stacks, line;

	stack.parent = profil_field_index_or_none(fields, nr);
	line = profil_field_index(fields, reader->nr_places);
	stack.user = profil_field_number(fields, UINT64_MAX);
	stack.kernel = profil_field_number(fields, UINT64_MAX);
	if (fields->rest)
		stack.end = profil_field_index(fields, PROFIL_NR_WALKS);
	fields->is_wrong |= stack.end && stack.parent != PROFILE_NONE;
	if (fields->is_wrong)
		return;
	stack.place = reader->places[line].place;
	stack.program = reader->places[line].program;
	fields->is_wrong = profil_profile_add_stack(profile, &stack) != nr;
}

static void read_eof(struct data_reader *reader)
{
	uint64_t lines = profil_field_number(&reader->fields, UINT64_MAX);

	reader->is_ended = true;
	reader->fields.is_wrong |= lines != reader->lines.line - 1;
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
	void (*read)(struct data_reader *reader);
};

static const struct line_kind kinds[] = {
	{ "place", false, read_place },
	{ "stack", false, read_stack },
	{ "caller", false, read_caller },
	{ "function", false, read_function },
	{ "source", false, read_source },
	{ "code", false, read_code },
	{ "object", false, read_object },
	{ "segment", false, read_segment },
	{ "program", false, read_program },
	{ "kernel", false, read_kernel },
	{ DATA_NAME, true, read_first },
	{ "command", true, read_command },
	{ "host", true, read_host },
	{ "cgroup", true, read_cgroup },
	{ "eof", true, read_eof },
};

static void read_kind(struct data_reader *reader, size_t kind)
{
	uint32_t bit = (uint32_t)1 << kind;

	reader->fields.is_wrong |= kinds[kind].is_once && reader->seen & bit;
	reader->seen |= bit;
	kinds[kind].read(reader);
}

/* The next field of another line, or the last one */
static const struct head_field *next_line(const struct head_field *field)
{
	const char *line = field->line;

	while (field->line && !strcmp(field->line, line))
		field++;
	return field;
}

/* Numbers of the head; none if there is no such line. */
static void read_head(struct data_reader *reader, const char *word)
{
	const struct head_field *field = profil_head_fields;
	uint64_t bit = 1;

	for (; field->line && strcmp(field->line, word); bit <<= 1)
		field = next_line(field);
	reader->fields.is_wrong |= field->line && reader->seen_head & bit;
	reader->seen_head |= bit;
	for (; field->line && !strcmp(field->line, word); field++)
		*profil_head_number(&reader->profile->head, field) =
			profil_field_number(&reader->fields, field->most);
}

/* A later version may have more kinds of lines. */
static void read_line(struct data_reader *reader, char *line)
{
	const char *word;
	size_t i = 0;

	reader->fields = (struct fields){ .rest = line, .separator = '\t' };
	word = profil_field_string(&reader->fields);
	if (reader->lines.line == 1 && strcmp(word, DATA_NAME))
		profil_data_refuse_kind(&reader->lines);
	while (i < ELEMENTS(kinds) && strcmp(word, kinds[i].word))
		i++;
	if (reader->is_ended)
		reader->fields.is_wrong = true;
	else if (i < ELEMENTS(kinds))
		read_kind(reader, i);
	else
		read_head(reader, word);
	if (reader->fields.is_wrong)
		profil_data_refuse_line(&reader->lines);
}

/* Add the counts of @sample to @sum; false if they do not fit. */
static bool add_counts(uint64_t *sum, const struct profile_sample *sample)
{
	return !__builtin_add_overflow(*sum, sample->user, sum) &&
	       !__builtin_add_overflow(*sum, sample->kernel, sum);
}

/* The sum of all counts fits. */
static bool is_countable(const struct profile *profile)
{
	uint64_t sum = profile->head.outside, in_stacks = 0;
	bool fits = !__builtin_add_overflow(sum, profile->head.lost, &sum);

	for (uint32_t i = 0; i < profile->nr_samples; i++)
		fits &= add_counts(&sum, &profile->samples[i]);
	for (uint32_t i = 0; i < profile->nr_kernel; i++)
		fits &= !__builtin_add_overflow(sum, profile->kernel[i].samples,
						&sum);
	for (uint32_t i = 0; i < profile->nr_stacks; i++)
		fits &= add_counts(&in_stacks, &profile->stacks[i].sample);
	return fits;
}

static void read_lines(struct data_reader *reader)
{
	struct data_lines *lines = &reader->lines;
	char *line;

	while ((line = profil_data_lines_next(lines)))
		read_line(reader, line);
	if (!is_countable(reader->profile))
		profil_data_refuse(lines, too_many);
	if (!lines->line)
		profil_data_refuse(lines, is_empty);
	if (!reader->is_ended)
		profil_data_refuse(lines, ends_early);
}

bool profil_data_is(const void *bytes, size_t size)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b };

	if (size >= sizeof(gzip) && !memcmp(bytes, gzip, sizeof(gzip)))
		return true;
	return size >= DATA_MARK && !memcmp(bytes, DATA_NAME "\t", DATA_MARK);
}

int profil_data_read(struct profile *profile, int fd, char *text)
{
	struct data_reader reader = { .profile = profile };

	profil_data_lines_begin(&reader.lines, fd);
	if (!*reader.lines.wrong)
		read_lines(&reader);
	memcpy(text, reader.lines.wrong, sizeof(reader.lines.wrong));
	profil_data_lines_end(&reader.lines);
	free(reader.sources);
	free(reader.places);
	if (*text) {
		profil_profile_free(profile);
		profil_profile_init(profile);
		return -1;
	}
	profile->head.unused = 0;
	profil_profile_sort(profile);
	return 0;
}
