// SPDX-License-Identifier: GPL-2.0-only
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
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "export/gcc.h"
#include "export/string_table.h"
#include "source/tree.h"
#include "util/memory.h"

#define MAGIC 0x67636461 /* "gcda" */
#define VERSION 2
#define TAG_NAMES 0xaa000000
#define TAG_FUNCTIONS 0xac000000
#define TAG_MODULES 0xae000000

#define WORD 4

/**
 * struct section - content of a section that is being made
 * @out: stream into @bytes
 * @bytes: the content, valid after closing @out
 * @size: bytes of @bytes
 */
struct section {
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

static void begin_section(struct section *section)
{
	section->out = profil_memory_stream(&section->bytes, &section->size);
}

static void end_section(FILE *out, uint32_t tag, struct section *section)
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
	struct section section;

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
	struct section section;

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
	struct section section;

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
