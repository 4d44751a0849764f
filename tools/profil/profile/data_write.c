// SPDX-License-Identifier: GPL-2.0-only
/* Writing a profil.data */
#include <zlib.h>

#include "profile/data_file.h"
#include "profile/head.h"

/*
 * A file that is written, and the indices of its lines of source files, and, for stacks, of
 * those of places; equal places may have several lines
 * @text: @size bytes that are not written yet
 */
struct writer {
	gzFile gz;
	bool failed;
	char text[4096];
	size_t size;
	uint64_t lines;
	struct index_map sources;
	struct index_map places;
	uint32_t place_lines;
};

static void flush(struct writer *writer)
{
	if (writer->size && gzwrite(writer->gz, writer->text, writer->size) !=
				    (int)writer->size)
		writer->failed = true;
	writer->size = 0;
}

static void put_char(struct writer *writer, char byte)
{
	if (writer->size == sizeof(writer->text))
		flush(writer);
	writer->text[writer->size++] = byte;
}

static void put(struct writer *writer, const char *word)
{
	while (*word)
		put_char(writer, *word++);
}

/* A number behind @separator, with digits to the base of 10, or of 16 behind 0x */
static void put_digits(struct writer *writer, char separator, uint64_t number,
		       unsigned int base)
{
	char digits[20];
	size_t nr = 0;

	do {
		digits[nr++] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	put_char(writer, separator);
	if (base == 16)
		put(writer, "0x");
	while (nr)
		put_char(writer, digits[--nr]);
}

static void put_number(struct writer *writer, char separator, uint64_t number)
{
	put_digits(writer, separator, number, 10);
}

static void put_address(struct writer *writer, uint64_t address)
{
	put_digits(writer, '\t', address, 16);
}

static void put_index(struct writer *writer, char separator, uint32_t index)
{
	if (index != PROFILE_NONE) {
		put_number(writer, separator, index);
		return;
	}
	put_char(writer, separator);
	put_char(writer, '-');
}

static void put_byte(struct writer *writer, uint8_t byte)
{
	put_char(writer, "0123456789abcdef"[byte >> 4]);
	put_char(writer, "0123456789abcdef"[byte & 15]);
}

/* Control characters and the sign of an escape are written as %XX. */
static void put_string(struct writer *writer, const char *string)
{
	put_char(writer, '\t');
	for (; *string; string++) {
		unsigned char byte = *string;

		if (byte >= ' ' && byte != 0x7f && byte != '%') {
			put_char(writer, byte);
			continue;
		}
		put_char(writer, '%');
		put_byte(writer, byte);
	}
}

static void put_hex(struct writer *writer, const uint8_t *bytes, size_t size)
{
	put(writer, size ? "\t" : "\t-");
	for (size_t i = 0; i < size; i++)
		put_byte(writer, bytes[i]);
}

static void end_line(struct writer *writer)
{
	put_char(writer, '\n');
	writer->lines++;
}

static void write_number(struct writer *writer, const char *kind,
			 uint64_t number)
{
	put(writer, kind);
	put_number(writer, '\t', number);
	end_line(writer);
}

static void write_names(struct writer *writer, const struct profile_head *head)
{
	put(writer, "command");
	for (uint32_t i = 0; i < head->argc; i++)
		put_string(writer, head->argv[i]);
	end_line(writer);
	put(writer, "host");
	put_string(writer, head->host);
	put_string(writer, head->machine);
	put_string(writer, head->release);
	end_line(writer);
	if (!*head->cgroup)
		return;
	put(writer, "cgroup");
	put_string(writer, head->cgroup);
	end_line(writer);
}

/* All numbers of the line that begins with @field are 0. */
static bool is_empty(const struct profile_head *head,
		     const struct head_field *field)
{
	const char *line = field->line;

	for (; field->line && !strcmp(field->line, line); field++)
		if (*profil_head_number(head, field))
			return false;
	return true;
}

/* Write the line with @field and those behind it; the first field of the next one */
static const struct head_field *write_head_line(struct writer *writer,
						const struct profile_head *head,
						const struct head_field *field)
{
	const char *line = field->line;
	bool is_left_out = field->is_optional && is_empty(head, field);

	if (!is_left_out)
		put(writer, line);
	for (; field->line && !strcmp(field->line, line); field++)
		if (!is_left_out)
			put_number(writer, '\t',
				   *profil_head_number(head, field));
	if (!is_left_out)
		end_line(writer);
	return field;
}

static void write_head(struct writer *writer, const struct profile_head *head)
{
	const struct head_field *field, *next;

	write_number(writer, DATA_NAME, DATA_VERSION);
	write_names(writer, head);
	for (field = profil_head_fields; field->line; field = next)
		next = write_head_line(writer, head, field);
}

static void write_program(struct writer *writer,
			  const struct profile_program *program)
{
	put(writer, "program");
	put_string(writer, program->path);
	if (*program->cgroup || *program->thread || *program->file) {
		put_string(writer, program->cgroup);
		put_string(writer, program->thread);
	}
	if (*program->file)
		put_string(writer, program->file);
	end_line(writer);
}

static void write_object(struct writer *writer,
			 const struct profile_object *object)
{
	static const char *const kinds[] = { "file", "outside", "jit" };
	static const char *const names[] = { "read",	 "unreadable",
					     "replaced", "skipped",
					     "missing",	 "failed" };

	put(writer, "object\t");
	put(writer, kinds[object->kind]);
	put_string(writer, object->path);
	put_hex(writer, object->build_id, object->build_id_size);
	put_char(writer, '\t');
	put(writer, names[object->names]);
	put_number(writer, '\t', object->lines);
	put_number(writer, '\t', object->is_relocatable);
	put_char(writer, '\t');
	end_line(writer);
}

static void write_segment(struct writer *writer,
			  const struct profile_segment *segment)
{
	put(writer, "segment");
	put_number(writer, '\t', segment->object);
	put_address(writer, segment->offset);
	put_address(writer, segment->address);
	put_number(writer, '\t', segment->size);
	end_line(writer);
}

/* Strings of a profile are unique, so an address stands for a text. */
static struct index_key key_of(const char *path)
{
	return (struct index_key){ { (uintptr_t)path } };
}

/* Write a line for the source file @path, unless it has one. */
static void write_source(struct writer *writer, const char *path)
{
	struct index_map *sources = &writer->sources;

	uint32_t next = sources->nr;

	if (!*path || profil_index_map_add(sources, key_of(path), next) != next)
		return;
	put(writer, "source");
	put_string(writer, path);
	end_line(writer);
}

static void write_sources_of(struct writer *writer,
			     const struct profile *profile, uint32_t index)
{
	const struct profile_place *place = &profile->places[index];

	for (uint32_t i = 0; i < place->nr_frames; i++)
		write_source(writer, profile->frames[place->frames + i].file);
}

static void write_sources(struct writer *writer, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_functions; i++)
		write_source(writer, profile->functions[i].file);
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		write_sources_of(writer, profile, profile->samples[i].place);
	for (uint32_t i = 0; i < profile->nr_stacks; i++)
		write_sources_of(writer, profile, profile->stacks[i].place);
}

/* Index of the line of the source file @path; PROFILE_NONE, as INDEX_NONE, for "" */
static uint32_t source_of(const struct writer *writer, const char *path)
{
	return profil_index_map_find(&writer->sources, key_of(path));
}

static void write_function(struct writer *writer,
			   const struct profile_function *function)
{
	bool is_plain = function->name == function->symbol;

	put(writer, "function");
	put_number(writer, '\t', function->object);
	put_address(writer, function->address);
	put_number(writer, '\t', function->size);
	put(writer, function->is_local ? "\tl" : "\t");
	put(writer, function->is_inlined ? "i" : function->is_local ? "" : "-");
	put_string(writer, function->symbol);
	put_string(writer, is_plain ? "" : function->name);
	put_index(writer, '\t', source_of(writer, function->file));
	put_number(writer, '\t', function->line);
	end_line(writer);
}

static void write_code(struct writer *writer, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		const struct profile_function *function =
			&profile->functions[i];

		if (!function->code)
			continue;
		put(writer, "code");
		put_number(writer, '\t', i);
		put_hex(writer, function->code, function->size);
		end_line(writer);
	}
}

/* A line of the kind @word for code without samples, or with those of @sample */
static void write_place(struct writer *writer, const struct profile *profile,
			const char *word, const struct profile_sample *sample)
{
	const struct profile_place *place = profile_place_of(profile, sample);
	const struct profile_frame *frame = profile_frames_of(profile, place);

	put(writer, word);
	put_number(writer, '\t', place->object);
	put_number(writer, '\t', sample->program);
	put_address(writer, place->offset);
	put_address(writer, place->address);
	put_index(writer, '\t', place->function);
	put_number(writer, '\t', sample->user);
	put_number(writer, '\t', sample->kernel);
	for (uint32_t i = 0; i < place->nr_frames; i++, frame++) {
		put_number(writer, '\t', frame->function);
		put_index(writer, ':', source_of(writer, frame->file));
		put_number(writer, ':', frame->line);
		put_number(writer, ':', frame->column);
		put_number(writer, ':', frame->discriminator);
	}
	end_line(writer);
}

/* Index of the line for this code and program; INDEX_NONE: there is none. */
static uint32_t place_line(const struct writer *writer, uint32_t place,
			   uint32_t program)
{
	struct index_key key = { { place, program } };

	return profil_index_map_find(&writer->places, key);
}

static void add_place_line(struct writer *writer, uint32_t place,
			   uint32_t program)
{
	struct index_key key = { { place, program } };

	profil_index_map_set(&writer->places, key, writer->place_lines++);
}

/*
 * Callers that have no samples of their own have lines that are no places. Near code has
 * near lines, of which gzip makes two thirds of the bytes.
 */
static void write_callers(struct writer *writer, const struct profile *profile)
{
	struct profile_sample *callers = NULL;
	uint32_t nr = 0;

	for (uint32_t i = 0; profile->nr_stacks && i < profile->nr_samples; i++)
		add_place_line(writer, profile->samples[i].place,
			       profile->samples[i].program);
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		struct profile_sample caller = { stack->place, stack->program };

		if (place_line(writer, stack->place, stack->program) !=
		    INDEX_NONE)
			continue;
		add_place_line(writer, stack->place, stack->program);
		ARRAY_ADD(callers, nr, caller);
	}
	profil_samples_sort(profile, callers, nr);
	writer->place_lines -= nr;
	for (uint32_t i = 0; i < nr; i++) {
		add_place_line(writer, callers[i].place, callers[i].program);
		write_place(writer, profile, "caller", &callers[i]);
	}
	free(callers);
}

/*
 * A stack in the order of lines
 * @place: line of its place
 * @called: the first of the stacks that it has called, or PROFILE_NONE
 * @next: the next stack with the same caller, by the line of its place; or PROFILE_NONE
 * @line: its own line
 */
struct stack_line {
	uint32_t place;
	uint32_t called;
	uint32_t next;
	uint32_t line;
};

struct numbered_stack {
	uint64_t place;
	uint32_t stack;
};

/* The lines of all stacks, to be freed, without their own numbers; the first outermost one */
static struct stack_line *order_stacks(const struct writer *writer,
				       const struct profile *profile,
				       uint32_t *first)
{
	uint32_t nr = profile->nr_stacks;
	struct numbered_stack *sorted =
		profil_grow(NULL, nr + 1ULL, sizeof(*sorted));
	struct stack_line *lines = profil_grow(NULL, nr + 1ULL, sizeof(*lines));

	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		uint32_t place =
			place_line(writer, stack->place, stack->program);

		sorted[i] = (struct numbered_stack){ place, i };
		lines[i] = (struct stack_line){ place, PROFILE_NONE,
						PROFILE_NONE, 0 };
	}
	ARRAY_SORT_NUMBERS(sorted, nr);
	*first = PROFILE_NONE;
	while (nr--) {
		uint32_t i = sorted[nr].stack;
		uint32_t caller = profile->stacks[i].parent;
		uint32_t *head = caller == PROFILE_NONE ? first :
							  &lines[caller].called;

		lines[i].next = *head;
		*head = i;
	}
	free(sorted);
	return lines;
}

static void write_stack(struct writer *writer, const struct stack_line *lines,
			const struct profile_stack *stack,
			const struct stack_line *line)
{
	uint32_t caller = stack->parent;

	put(writer, "stack");
	put_index(writer, '\t',
		  caller == PROFILE_NONE ? caller : lines[caller].line);
	put_number(writer, '\t', line->place);
	put_number(writer, '\t', stack->user);
	put_number(writer, '\t', stack->kernel);
	if (stack->end)
		put_number(writer, '\t', stack->end);
	end_line(writer);
}

/*
 * A stack is followed by those that it has called, so that the lines of both have near
 * numbers, and equal profiles have equal lines whatever they met first. The lines of the
 * stacks, to be freed
 */
static struct stack_line *write_stacks(struct writer *writer,
				       const struct profile *profile)
{
	uint32_t i, nr = 0;
	struct stack_line *lines = order_stacks(writer, profile, &i);

	while (i != PROFILE_NONE) {
		lines[i].line = nr++;
		write_stack(writer, lines, &profile->stacks[i], &lines[i]);
		if (lines[i].called != PROFILE_NONE) {
			i = lines[i].called;
			continue;
		}
		while (i != PROFILE_NONE && lines[i].next == PROFILE_NONE)
			i = profile->stacks[i].parent;
		if (i != PROFILE_NONE)
			i = lines[i].next;
	}
	return lines;
}

static void write_kernel(struct writer *writer, const struct stack_line *lines,
			 const struct profile_kernel *kernel)
{
	put(writer, "kernel");
	put_number(writer, '\t', kernel->samples);
	put_string(writer, kernel->name);
	if (kernel->program != PROFILE_NONE || kernel->stack != PROFILE_NONE)
		put_index(writer, '\t', kernel->program);
	if (kernel->stack != PROFILE_NONE)
		put_number(writer, '\t', lines[kernel->stack].line);
	end_line(writer);
}

static void write_tables(struct writer *writer, const struct profile *profile)
{
	struct stack_line *lines;

	for (uint32_t i = 0; i < profile->nr_programs; i++)
		write_program(writer, &profile->programs[i]);
	for (uint32_t i = 0; i < profile->nr_objects; i++)
		write_object(writer, &profile->objects[i]);
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		write_segment(writer, &profile->segments[i]);
	write_sources(writer, profile);
	for (uint32_t i = 0; i < profile->nr_functions; i++)
		write_function(writer, &profile->functions[i]);
	write_code(writer, profile);
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		write_place(writer, profile, "place", &profile->samples[i]);
	write_callers(writer, profile);
	lines = write_stacks(writer, profile);
	for (uint32_t i = 0; i < profile->nr_kernel; i++)
		write_kernel(writer, lines, &profile->kernel[i]);
	free(lines);
	profil_index_map_free(&writer->sources);
	profil_index_map_free(&writer->places);
}

static int error_of(int result)
{
	if (result == Z_OK)
		return 0;
	return result == Z_ERRNO && errno ? -errno : -EIO;
}

int profil_data_write(const struct profile *profile, int fd, const char *mode)
{
	struct writer writer = { 0 };
	int copy = dup(fd), error;

	if (copy < 0)
		return -errno;
	writer.gz = gzdopen(copy, mode);
	if (!writer.gz) {
		close(copy);
		return -ENOMEM;
	}
	write_head(&writer, &profile->head);
	write_tables(&writer, profile);
	write_number(&writer, "eof", writer.lines);
	flush(&writer);
	errno = 0;
	error = error_of(gzclose(writer.gz));
	return error || !writer.failed ? error : -EIO;
}
