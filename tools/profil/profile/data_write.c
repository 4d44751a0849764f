// SPDX-License-Identifier: GPL-2.0-only
/* Writing a profil.data */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "profile/data_file.h"
#include "profile/head.h"
#include "util/index_map.h"

/**
 * struct writer - a file that is written
 * @gz: the compressed stream
 * @failed: a write has failed
 * @lines: lines written
 * @sources: index of the line of each source file
 */
struct writer {
	gzFile gz;
	bool failed;
	uint64_t lines;
	struct index_map sources;
};

static void put(struct writer *writer, const char *bytes, size_t size)
{
	if (size && gzwrite(writer->gz, bytes, size) != (int)size)
		writer->failed = true;
}

/* A field of numbers and words, after a TAB */
__attribute__((format(printf, 2, 3))) static void
put_field(struct writer *writer, const char *format, ...)
{
	char field[128];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(field, sizeof(field), format, arguments);
	va_end(arguments);
	put(writer, "\t", 1);
	put(writer, field, strlen(field));
}

static void put_number(struct writer *writer, uint64_t number)
{
	put_field(writer, "%" PRIu64, number);
}

static void put_address(struct writer *writer, uint64_t address)
{
	put_field(writer, "0x%" PRIx64, address);
}

static void put_index(struct writer *writer, uint32_t index)
{
	if (index == PROFILE_NONE)
		put_field(writer, "-");
	else
		put_number(writer, index);
}

/* Control characters and the sign of an escape are written as %XX. */
static void put_string(struct writer *writer, const char *string)
{
	put(writer, "\t", 1);
	while (*string) {
		size_t plain = 0;
		char escape[4];

		while ((unsigned char)string[plain] >= ' ' &&
		       string[plain] != 0x7f && string[plain] != '%')
			plain++;
		put(writer, string, plain);
		string += plain;
		if (!*string)
			return;
		snprintf(escape, sizeof(escape), "%%%02x",
			 (unsigned char)*string++);
		put(writer, escape, 3);
	}
}

static void put_hex(struct writer *writer, const uint8_t *bytes, size_t size)
{
	char digits[3];

	put(writer, "\t", 1);
	if (!size)
		put(writer, "-", 1);
	for (size_t i = 0; i < size; i++) {
		snprintf(digits, sizeof(digits), "%02x", bytes[i]);
		put(writer, digits, 2);
	}
}

static void begin_line(struct writer *writer, const char *kind)
{
	put(writer, kind, strlen(kind));
}

static void end_line(struct writer *writer)
{
	put(writer, "\n", 1);
	writer->lines++;
}

static void write_number(struct writer *writer, const char *kind,
			 uint64_t number)
{
	begin_line(writer, kind);
	put_number(writer, number);
	end_line(writer);
}

static void write_names(struct writer *writer, const struct profile_head *head)
{
	begin_line(writer, "command");
	for (uint32_t i = 0; i < head->argc; i++)
		put_string(writer, head->argv[i]);
	end_line(writer);
	begin_line(writer, "host");
	put_string(writer, head->host);
	put_string(writer, head->machine);
	put_string(writer, head->release);
	end_line(writer);
	if (!*head->cgroup)
		return;
	begin_line(writer, "cgroup");
	put_string(writer, head->cgroup);
	end_line(writer);
}

/* Write the line with @field and those behind it; the first field of the next one */
static const struct head_field *write_head_line(struct writer *writer,
						const struct profile_head *head,
						const struct head_field *field)
{
	const char *line = field->line;
	bool is_left_out = field->is_optional && !profil_head_get(head, field);

	if (!is_left_out)
		begin_line(writer, line);
	for (; field->line && !strcmp(field->line, line); field++)
		if (!is_left_out)
			put_number(writer, profil_head_get(head, field));
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
	begin_line(writer, "program");
	put_string(writer, program->path);
	if (*program->cgroup || *program->thread) {
		put_string(writer, program->cgroup);
		put_string(writer, program->thread);
	}
	end_line(writer);
}

static void write_kernel(struct writer *writer,
			 const struct profile_kernel *kernel)
{
	begin_line(writer, "kernel");
	put_number(writer, kernel->samples);
	put_string(writer, kernel->name);
	end_line(writer);
}

static void write_object(struct writer *writer,
			 const struct profile_object *object)
{
	static const char *const kinds[] = { "file", "outside", "jit" };
	static const char *const names[] = { "read", "unreadable", "replaced",
					     "skipped" };

	begin_line(writer, "object");
	put_field(writer, "%s", kinds[object->kind]);
	put_string(writer, object->path);
	put_hex(writer, object->build_id, object->build_id_size);
	put_field(writer, "%s", names[object->names]);
	put_number(writer, object->has_lines);
	put_number(writer, object->is_relocatable);
	put_string(writer, object->package);
	end_line(writer);
}

static void write_segment(struct writer *writer,
			  const struct profile_segment *segment)
{
	begin_line(writer, "segment");
	put_number(writer, segment->object);
	put_address(writer, segment->offset);
	put_address(writer, segment->address);
	put_number(writer, segment->size);
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

	if (!*path ||
	    profil_index_map_find(sources, key_of(path)) != INDEX_NONE)
		return;
	profil_index_map_set(sources, key_of(path), sources->nr);
	begin_line(writer, "source");
	put_string(writer, path);
	end_line(writer);
}

static void write_sources(struct writer *writer, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_functions; i++)
		write_source(writer, profile->functions[i].file);
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];

		for (uint32_t j = 0; j < place->nr_frames; j++)
			write_source(writer,
				     profile->frames[place->frames + j].file);
	}
}

/* Index of the line of the source file @path; PROFILE_NONE, as INDEX_NONE, for "" */
static uint32_t source_of(const struct writer *writer, const char *path)
{
	return profil_index_map_find(&writer->sources, key_of(path));
}

static void put_flags(struct writer *writer,
		      const struct profile_function *function)
{
	put_field(writer, "%s%s%s", function->is_local ? "l" : "",
		  function->is_inlined ? "i" : "",
		  function->is_local || function->is_inlined ? "" : "-");
}

static void write_function(struct writer *writer,
			   const struct profile_function *function)
{
	bool is_plain = function->name == function->symbol;

	begin_line(writer, "function");
	put_number(writer, function->object);
	put_address(writer, function->address);
	put_number(writer, function->size);
	put_flags(writer, function);
	put_string(writer, function->symbol);
	put_string(writer, is_plain ? "" : function->name);
	put_index(writer, source_of(writer, function->file));
	put_number(writer, function->line);
	end_line(writer);
}

static void write_code(struct writer *writer, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		const struct profile_function *function =
			&profile->functions[i];

		if (!function->code)
			continue;
		begin_line(writer, "code");
		put_number(writer, i);
		put_hex(writer, function->code, function->size);
		end_line(writer);
	}
}

static void put_frame(struct writer *writer, const struct profile_frame *frame)
{
	uint32_t source = source_of(writer, frame->file);
	char text[64];

	if (source == PROFILE_NONE)
		snprintf(text, sizeof(text), "%u:-", frame->function);
	else
		snprintf(text, sizeof(text), "%u:%u", frame->function, source);
	put_field(writer, "%s:%u:%u:%u", text, frame->line, frame->column,
		  frame->discriminator);
}

static void write_place(struct writer *writer, const struct profile *profile,
			const struct profile_place *place)
{
	begin_line(writer, "place");
	put_number(writer, place->object);
	put_number(writer, place->program);
	put_address(writer, place->offset);
	put_address(writer, place->address);
	put_index(writer, place->function);
	put_number(writer, place->user);
	put_number(writer, place->kernel);
	for (uint32_t i = 0; i < place->nr_frames; i++)
		put_frame(writer, &profile->frames[place->frames + i]);
	end_line(writer);
}

static void write_tables(struct writer *writer, const struct profile *profile)
{
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
	for (uint32_t i = 0; i < profile->nr_places; i++)
		write_place(writer, profile, &profile->places[i]);
	for (uint32_t i = 0; i < profile->nr_kernel; i++)
		write_kernel(writer, &profile->kernel[i]);
	profil_index_map_free(&writer->sources);
}

static int error_of(int result)
{
	if (result == Z_OK)
		return 0;
	return result == Z_ERRNO && errno ? -errno : -EIO;
}

int profil_data_write(const struct profile *profile, int fd)
{
	struct writer writer = { 0 };
	int copy = dup(fd), error;

	if (copy < 0)
		return -errno;
	writer.gz = gzdopen(copy, "wb9");
	if (!writer.gz) {
		close(copy);
		return -ENOMEM;
	}
	write_head(&writer, &profile->head);
	write_tables(&writer, profile);
	write_number(&writer, "eof", writer.lines);
	errno = 0;
	error = error_of(gzclose(writer.gz));
	return error || !writer.failed ? error : -EIO;
}
