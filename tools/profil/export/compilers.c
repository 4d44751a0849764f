// SPDX-License-Identifier: GPL-2.0-only
/* Profiles for compilers */
#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/format.h"
#include "util/memory.h"

static const char no_line[] =
	"no sample has a source line: compile the program with -g, and record it again";

static const char *count(const struct profile *profile, bool is_llvm,
			 uint64_t *samples)
{
	struct source source;

	profil_source_begin(&source, profile, is_llvm);
	*samples = source.samples;
	profil_source_end(&source);
	return *samples ? NULL : no_line;
}

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

static void print_body(FILE *out, const struct source *source,
		       const struct source_range *function)
{
	struct source_range range = profil_source_inside(function);

	while (profil_source_next(source, function, &range)) {
		print_position(out, profil_source_position(source, &range),
			       range.depth);
		if (profil_source_is_line(source, &range)) {
			fprintf(out, "%" PRIu64 "\n",
				profil_source_total(source, &range));
			continue;
		}
		fprintf(out, "%s:%" PRIu64 "\n",
			profil_source_name(source, &range),
			profil_source_total(source, &range));
		print_body(out, source, &range);
	}
}

static void write_llvm(const struct profile *profile, FILE *out)
{
	struct source_range function = profil_source_inside(NULL);
	struct source source;

	profil_source_begin(&source, profile, true);
	while (profil_source_next(&source, NULL, &function)) {
		fprintf(out, "%s:%" PRIu64 ":%" PRIu64 "\n",
			profil_source_name(&source, &function),
			profil_source_total(&source, &function),
			profil_source_head(&source, &function));
		print_body(out, &source, &function);
	}
	profil_source_end(&source);
}

static const char *check_llvm(const struct profile *profile, uint64_t *samples)
{
	return count(profile, true, samples);
}

const struct export_format profil_format_llvm = {
	.file = "profil.llvm",
	.next = "clang -O2 -g -fprofile-sample-use=",
	.check = check_llvm,
	.write = write_llvm,
};

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

static void put_section(FILE *out, uint32_t tag, const char *bytes, size_t size)
{
	put_word(out, tag);
	put_word(out, size / WORD);
	fwrite(bytes, size, 1, out);
}

static void put_names(FILE *out, const struct profile_strings *names)
{
	size_t all;
	char *bytes;
	FILE *section = profil_memory_stream(&bytes, &all);

	put_word(section, names->nr);
	for (uint32_t i = 0; i < names->nr; i++) {
		size_t size = strlen(names->array[i]) + 1;

		put_word(section, size);
		fwrite(names->array[i], size, 1, section);
	}
	profil_memory_stream_end(section);
	put_section(out, TAG_NAMES, bytes, all);
	free(bytes);
}

static uint32_t count_inside(const struct source *source,
			     const struct source_range *function, bool lines)
{
	struct source_range range = profil_source_inside(function);
	uint32_t nr = 0;

	while (profil_source_next(source, function, &range))
		nr += profil_source_is_line(source, &range) == lines;
	return nr;
}

/* Index 0 of the names is "", which gives the others their indices from 1. */
static void put_call(FILE *out, struct profile_strings *names,
		     const struct source *source,
		     const struct source_range *function)
{
	struct source_range range = profil_source_inside(function);

	const char *name = profil_source_name(source, function);

	put_word(out, profil_strings_index(names, name));
	put_word(out, count_inside(source, function, true));
	put_word(out, count_inside(source, function, false));
	while (profil_source_next(source, function, &range)) {
		put_position(out, profil_source_position(source, &range));
		if (profil_source_is_line(source, &range)) {
			put_word(out, 0);
			put_samples(out, profil_source_total(source, &range));
		} else {
			put_call(out, names, source, &range);
		}
	}
}

static void put_functions(FILE *out, struct profile_strings *names,
			  const struct source *source)
{
	struct source_range function = profil_source_inside(NULL);

	put_word(out, count_inside(source, NULL, false));
	while (profil_source_next(source, NULL, &function)) {
		put_samples(out, profil_source_head(source, &function));
		put_call(out, names, source, &function);
	}
}

/* The functions have to be made before the names that they use. */
static void write_gcc(const struct profile *profile, FILE *out)
{
	static const char no_modules[WORD];
	struct profile_strings *names = profil_strings_new();
	struct source source;
	size_t size;
	char *bytes;
	FILE *functions = profil_memory_stream(&bytes, &size);

	profil_source_begin(&source, profile, false);
	put_functions(functions, names, &source);
	profil_memory_stream_end(functions);
	put_word(out, MAGIC);
	put_word(out, VERSION);
	put_word(out, 0);
	put_names(out, names);
	put_section(out, TAG_FUNCTIONS, bytes, size);
	put_section(out, TAG_MODULES, no_modules, sizeof(no_modules));
	free(bytes);
	profil_strings_free(names);
	profil_source_end(&source);
}

static const char *check_gcc(const struct profile *profile, uint64_t *samples)
{
	return count(profile, false, samples);
}

const struct export_format profil_format_gcc = {
	.file = "profil.afdo",
	.next = "gcc -O2 -g -fauto-profile=",
	.check = check_gcc,
	.write = write_gcc,
};
