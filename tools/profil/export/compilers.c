// SPDX-License-Identifier: GPL-2.0-only
/* Profiles for compilers and for BOLT */
#include <endian.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "elf/function_name.h"
#include "export/format.h"
#include "export/name.h"
#include "profile/profile.h"
#include "source/tree.h"
#include "util/memory.h"

/*
 * Sample profile of LLVM as text
 *
 *	FUNCTION:TOTAL:HEAD
 *	 LINE.DISCRIMINATOR: SAMPLES
 *	 LINE.DISCRIMINATOR: INLINED_FUNCTION:TOTAL
 *	  LINE: SAMPLES
 *
 * LINE counts from the declaration of the function. The lines of an inlined
 * function follow its call, and have one space more before them.
 */

static void print_position(FILE *out, struct source_position position,
			   int depth)
{
	fprintf(out, "%*s%" PRIu32, depth, "", position.line);
	if (position.discriminator)
		fprintf(out, ".%" PRIu32, position.discriminator);
	fputs(": ", out);
}

static void print_body(FILE *out, const struct source_function *function,
		       int depth)
{
	for (uint32_t i = 0; i < function->nr_lines; i++) {
		print_position(out, function->lines[i].position, depth);
		fprintf(out, "%" PRIu64 "\n", function->lines[i].samples);
	}
	for (uint32_t i = 0; i < function->nr_calls; i++) {
		const struct source_function *call = &function->calls[i];

		print_position(out, call->position, depth);
		fprintf(out, "%s:%" PRIu64 "\n", call->name, call->total);
		print_body(out, call, depth + 1);
	}
}

enum export_error profil_export_llvm(const struct profile *profile, FILE *out)
{
	struct source_tree tree;

	profil_source_tree_make(&tree, profile, DISCRIMINATORS_LLVM);
	for (uint32_t i = 0; i < tree.nr_functions; i++) {
		const struct source_function *function = &tree.functions[i];

		fprintf(out, "%s:%" PRIu64 ":%" PRIu64 "\n", function->name,
			function->total, function->head);
		print_body(out, function, 1);
	}
	profil_source_tree_free(&tree);
	return EXPORT_OK;
}

uint64_t profil_export_llvm_samples(const struct profile *profile)
{
	return profil_source_tree_samples(profile, DISCRIMINATORS_LLVM);
}

enum export_error profil_export_llvm_check(const struct profile *profile)
{
	return profil_export_llvm_samples(profile) ? EXPORT_OK :
						     EXPORT_NO_LINES;
}

/*
 * Profile of AutoFDO, version 2, as GCC 12 reads it
 *
 *	head:	    magic number, version, 0
 *	section:    tag, number of words, content
 *	names:	    number of names; for each its bytes with the 0, and the bytes
 *	functions:  number of functions; for each the samples of its head, then as
 *		    a call without a position
 *	call:	    position, name, number of lines, number of calls; lines; calls
 *	line:	    position, 0, samples
 *	modules:    0
 *
 * All numbers are words of 32 bits, but samples, which are two. A position is a
 * line in the upper half of a word; GCC 12 uses no discriminators.
 */

#define MAGIC 0x67636461 /* "gcda" */
#define VERSION 2
#define TAG_NAMES 0xaa000000
#define TAG_FUNCTIONS 0xac000000
#define TAG_MODULES 0xae000000

#define WORD 4

/**
 * struct afdo_section - content of a section that is being made
 * @out: stream into @bytes
 * @bytes: the content, valid after closing @out
 * @size: bytes of @bytes
 */
struct afdo_section {
	FILE *out;
	char *bytes;
	size_t size;
};

static void put_word(FILE *out, uint32_t word)
{
	uint32_t bytes = htole32(word);

	fwrite(&bytes, sizeof(bytes), 1, out);
}

static void put_samples(FILE *out, uint64_t samples)
{
	put_word(out, samples);
	put_word(out, samples >> 32);
}

static void put_position(FILE *out, struct source_position position)
{
	put_word(out, position.line << 16);
}

static void begin_section(struct afdo_section *section)
{
	section->out = profil_memory_stream(&section->bytes, &section->size);
}

static void end_section(FILE *out, uint32_t tag, struct afdo_section *section)
{
	fclose(section->out);
	put_word(out, tag);
	put_word(out, section->size / WORD);
	fwrite(section->bytes, section->size, 1, out);
	free(section->bytes);
}

/* Index 0 of the table is "", which gives the names their indices from 1. */
static void add_names(struct string_table *names,
		      const struct source_function *function)
{
	profil_string_table_add(names, function->name);
	for (uint32_t i = 0; i < function->nr_calls; i++)
		add_names(names, &function->calls[i]);
}

static void put_names(FILE *out, const struct string_table *names)
{
	struct afdo_section section;

	begin_section(&section);
	put_word(section.out, names->nr);
	for (uint32_t i = 0; i < names->nr; i++) {
		size_t size = strlen(names->strings[i]) + 1;

		put_word(section.out, size);
		fwrite(names->strings[i], size, 1, section.out);
	}
	end_section(out, TAG_NAMES, &section);
}

static void put_call(FILE *out, struct string_table *names,
		     const struct source_function *function)
{
	put_word(out, profil_string_table_add(names, function->name));
	put_word(out, function->nr_lines);
	put_word(out, function->nr_calls);
	for (uint32_t i = 0; i < function->nr_lines; i++) {
		put_position(out, function->lines[i].position);
		put_word(out, 0);
		put_samples(out, function->lines[i].samples);
	}
	for (uint32_t i = 0; i < function->nr_calls; i++) {
		put_position(out, function->calls[i].position);
		put_call(out, names, &function->calls[i]);
	}
}

static void put_functions(FILE *out, struct string_table *names,
			  const struct source_tree *tree)
{
	struct afdo_section section;

	begin_section(&section);
	put_word(section.out, tree->nr_functions);
	for (uint32_t i = 0; i < tree->nr_functions; i++) {
		put_samples(section.out, tree->functions[i].head);
		put_call(section.out, names, &tree->functions[i]);
	}
	end_section(out, TAG_FUNCTIONS, &section);
}

static void put_modules(FILE *out)
{
	struct afdo_section section;

	begin_section(&section);
	put_word(section.out, 0);
	end_section(out, TAG_MODULES, &section);
}

static void put_tree(FILE *out, const struct source_tree *tree)
{
	struct string_table names;

	profil_string_table_init(&names);
	for (uint32_t i = 0; i < tree->nr_functions; i++)
		add_names(&names, &tree->functions[i]);
	put_word(out, MAGIC);
	put_word(out, VERSION);
	put_word(out, 0);
	put_names(out, &names);
	put_functions(out, &names, tree);
	put_modules(out);
	profil_string_table_free(&names);
}

enum export_error profil_export_gcc(const struct profile *profile, FILE *out)
{
	struct source_tree tree;

	profil_source_tree_make(&tree, profile, DISCRIMINATORS_IGNORED);
	put_tree(out, &tree);
	profil_source_tree_free(&tree);
	return EXPORT_OK;
}

uint64_t profil_export_gcc_samples(const struct profile *profile)
{
	return profil_source_tree_samples(profile, DISCRIMINATORS_IGNORED);
}

enum export_error profil_export_gcc_check(const struct profile *profile)
{
	return profil_export_gcc_samples(profile) ? EXPORT_OK : EXPORT_NO_LINES;
}

/*
 * Samples for BOLT, as text
 *
 *	no_lbr cycles
 *	1 SYMBOL OFFSET SAMPLES
 *
 * The number 1 stands for a symbol with an offset, which is hexadecimal. BOLT
 * divides the samples of a block by its instructions if the event is "cycles".
 */

/* A space ends a field, and a backslash makes the next byte part of it. */
static void put_symbol(FILE *out, const char *symbol)
{
	for (; *symbol; symbol++) {
		if (*symbol == ' ' || *symbol == '\\')
			fputc('\\', out);
		fputc(*symbol, out);
	}
}

/* A symbol with a control character cannot be written. */
static bool is_writable(const char *symbol)
{
	if (!*symbol)
		return false;
	for (; *symbol; symbol++)
		if ((unsigned char)*symbol < ' ')
			return false;
	return true;
}

static bool is_counted(const struct profile *profile,
		       const struct profile_place *place, uint32_t object)
{
	const struct profile_function *function;

	if (place->object != object || place->function == PROFILE_NONE)
		return false;
	function = &profile->functions[place->function];
	return place->user && place->address >= function->address &&
	       is_writable(function->symbol);
}

/**
 * struct bolt_writer - a file that is written
 * @out: the file
 * @profile: the profile
 * @numbers: numbers of the object's local symbols
 * @function: function with the number @number, or PROFILE_NONE
 * @number: number of a local symbol, which is searched once
 */
struct bolt_writer {
	FILE *out;
	const struct profile *profile;
	struct local_numbers numbers;
	uint32_t function;
	uint32_t number;
};

static uint32_t number_of(struct bolt_writer *writer, uint32_t index)
{
	const struct profile_function *function =
		&writer->profile->functions[index];
	const struct local_numbers *numbers = &writer->numbers;

	if (index != writer->function)
		writer->number = profil_local_number(numbers, function->symbol,
						     function->address);
	writer->function = index;
	return writer->number;
}

static void put_place(struct bolt_writer *writer,
		      const struct profile_place *place)
{
	const struct profile_function *function =
		&writer->profile->functions[place->function];

	fputs("1 ", writer->out);
	put_symbol(writer->out, function->symbol);
	if (function->is_local)
		fprintf(writer->out, "/%" PRIu32,
			number_of(writer, place->function));
	fprintf(writer->out, " %" PRIx64 " %" PRIu64 "\n",
		place->address - function->address, place->user);
}

enum export_error profil_export_bolt(const struct profile *profile, FILE *out)
{
	struct bolt_writer writer = { out, profile, .function = PROFILE_NONE };
	const struct profile_object *object;
	struct main_object one;
	enum export_error error =
		export_error_of(profil_main_object(profile, &one));

	if (error)
		return error;
	object = &profile->objects[one.object];
	profil_local_numbers_open(&writer.numbers, object->path,
				  object->build_id, object->build_id_size);
	fputs("no_lbr cycles\n", out);
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (is_counted(profile, &profile->places[i], one.object))
			put_place(&writer, &profile->places[i]);
	profil_local_numbers_close(&writer.numbers);
	return EXPORT_OK;
}

uint64_t profil_export_bolt_samples(const struct profile *profile)
{
	struct main_object one;
	uint64_t samples = 0;

	if (profil_main_object(profile, &one) != 1)
		return 0;
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (is_counted(profile, &profile->places[i], one.object))
			samples += profile->places[i].user;
	return samples;
}

enum export_error profil_export_bolt_check(const struct profile *profile)
{
	struct main_object one;
	enum export_error error =
		export_error_of(profil_main_object(profile, &one));

	if (error)
		return error;
	return profil_export_bolt_samples(profile) ? EXPORT_OK :
						     EXPORT_NO_SYMBOLS;
}
