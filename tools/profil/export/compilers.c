// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles for compilers: samples by function, line and inlined call
 *
 * The places are sorted by their frames, outermost first. The places of a
 * function, of an inlined call and of a line are then neighbours.
 */
#include <endian.h>

#include "export/format.h"

/*
 * Discriminators of LLVM
 *
 * A discriminator has three numbers, the lowest bits first: the base
 * discriminator, the number of copies of the code, and an identifier. A number
 * is 1 bit for 0, 7 bits for 1 to 31, and 14 bits up to 4095.
 */

/* Number in the lowest bits */
static uint32_t discriminator_base(uint32_t discriminator)
{
	uint32_t number = discriminator >> 1;

	if (discriminator & 1)
		return 0;
	return number & 0x20 ? (number >> 1 & 0xfe0) | (number & 0x1f) :
			       number & 0x1f;
}

/* Number of copies of the code, at least 1 */
static uint32_t discriminator_copies(uint32_t discriminator)
{
	unsigned int behind = discriminator & 1	   ? 1 :
			      discriminator & 0x40 ? 14 :
						     7;
	uint32_t copies = discriminator_base(discriminator >> behind);

	return copies ? copies : 1;
}

/* Names by which compilers look up the samples of a function */

#define UNIQUE ".__uniq."

/* A name may begin with a point. */
static size_t plain_length(const char *symbol)
{
	const char *unique = strstr(symbol, UNIQUE);
	size_t first = *symbol == '.';

	if (unique)
		return unique - symbol + strlen(UNIQUE) +
		       strspn(unique + strlen(UNIQUE), "0123456789");
	return first + strcspn(symbol + first, ".");
}

/*
 * Copy of @symbol, to be freed, without the suffixes of optimizations, such as
 * .llvm.123, .part.0, .cold and .constprop.0. The suffix .__uniq.123 is of the
 * source, by -funique-internal-linkage-names, and stays.
 */
static char *source_name(const char *symbol)
{
	char *name = profil_copy_string(symbol);

	name[plain_length(symbol)] = '\0';
	return name;
}

/* @symbol is a split part of a function, which does not begin there. */
static bool is_part(const char *symbol)
{
	return strstr(symbol, ".part.") || strstr(symbol, ".cold");
}

/* @name can be written in a line of text. */
static bool is_plain(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if ((unsigned char)*name <= ' ' || *name == 0x7f)
			return false;
	return true;
}

/*
 * Samples in user mode that have a function and a line
 * @is_llvm: discriminators are as encoded by LLVM; otherwise all code of a line
 *	counts as one
 * @names: names of the functions of the profile
 * @hits: indices of these samples of the profile, sorted by their code
 * @samples: their counts
 * @sums: samples of all lines that begin before each of @hits, and of all lines
 *
 * Time in the kernel says nothing about how often a line is executed.
 */
struct source {
	const struct profile *profile;
	bool is_llvm;
	char **names;
	uint32_t *hits;
	uint32_t nr;
	uint64_t samples;
	uint64_t *sums;
};

/**
 * struct source_range - hits of a function, an inlined call, or a line
 * @depth: frames around it
 * @begin: index of the first of the hits
 * @end: index after the last
 * @is_line: it is a line
 * @name: otherwise, the name by which compilers look up its samples
 * @position: position in the function around it, of position_of()
 * @samples: its samples
 */
struct source_range {
	uint32_t depth;
	uint32_t begin;
	uint32_t end;
	bool is_line;
	const char *name;
	uint64_t position;
	uint64_t samples;
};

static const struct profile_sample *hit_of(const struct source *source,
					   uint32_t index)
{
	return &source->profile->samples[source->hits[index]];
}

static const struct profile_place *place_of(const struct source *source,
					    uint32_t index)
{
	return profile_place_of(source->profile, hit_of(source, index));
}

/* Frame at a depth; the outermost has depth 0 */
static const struct profile_frame *frame_of(const struct source *source,
					    const struct profile_place *place,
					    uint32_t depth)
{
	return &source->profile
			->frames[place->frames + place->nr_frames - 1 - depth];
}

static const char *name_of(const struct source *source,
			   const struct profile_place *place, uint32_t depth)
{
	return source->names[frame_of(source, place, depth)->function];
}

/*
 * Position in the function of the frame at @depth: the line from that of the
 * declaration on, modulo 65536, in the upper half, and the number of a block of the line
 */
static uint64_t position_of(const struct source *source,
			    const struct profile_place *place, uint32_t depth)
{
	const struct profile_frame *frame = frame_of(source, place, depth);
	uint32_t first = source->profile->functions[frame->function].line;
	uint64_t line = (uint16_t)(frame->line - first);

	return line << 32 |
	       (source->is_llvm ? discriminator_base(frame->discriminator) : 0);
}

/*
 * Compare what is in @depth frames. Lines are before calls, and calls are by the
 * position and the name of the inlined function; a function is in none.
 */
static int compare_at(const struct source *source,
		      const struct profile_place *one,
		      const struct profile_place *other, uint32_t depth)
{
	int order = compare_numbers(one->nr_frames > depth,
				    other->nr_frames > depth);

	if (!order && depth)
		order = compare_numbers(position_of(source, one, depth - 1),
					position_of(source, other, depth - 1));
	if (order || one->nr_frames == depth)
		return order;
	return strcmp(name_of(source, one, depth),
		      name_of(source, other, depth));
}

/* Instructions of a line are by their function, then by their address. */
static int compare_code(const struct profile_place *one,
			const struct profile_place *other)
{
	return compare_numbers(one->function, other->function) ?:
		       compare_numbers(one->address, other->address);
}

static int compare_frames(const struct source *source,
			  const struct profile_place *one,
			  const struct profile_place *other)
{
	int order = 0;

	for (uint32_t depth = 0; !order && depth <= one->nr_frames; depth++)
		order = compare_at(source, one, other, depth);
	return order;
}

static int by_frames(const void *a, const void *b, void *data)
{
	const struct source *source = data;
	const struct profile *profile = source->profile;
	const struct profile_sample *samples = profile->samples;
	const struct profile_place *one, *other;

	one = profile_place_of(profile, &samples[*(const uint32_t *)a]);
	other = profile_place_of(profile, &samples[*(const uint32_t *)b]);

	return compare_frames(source, one, other) ?: compare_code(one, other);
}

/* The sample is in user mode, and each frame of its place has a line and a name. */
static bool is_counted(const struct source *source,
		       const struct profile_sample *sample)
{
	const struct profile_place *place =
		profile_place_of(source->profile, sample);

	for (uint32_t depth = 0; depth < place->nr_frames; depth++)
		if (!frame_of(source, place, depth)->line ||
		    !is_plain(name_of(source, place, depth)))
			return false;
	return sample->user && place->nr_frames;
}

static void sort_hits(struct source *source)
{
	const struct profile *profile = source->profile;

	source->hits = profil_grow(NULL, profile->nr_samples + 1ULL,
				   sizeof(*source->hits));
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		if (is_counted(source, &profile->samples[i])) {
			source->hits[source->nr++] = i;
			source->samples += profile->samples[i].user;
		}
	qsort_r(source->hits, source->nr, sizeof(*source->hits), by_frames,
		source);
}

/* Samples of an instruction, as if the code had not been copied */
static uint64_t samples_of(const struct source *source,
			   const struct profile_sample *hit)
{
	const struct profile_place *place =
		profile_place_of(source->profile, hit);
	const struct profile_frame *frame =
		&source->profile->frames[place->frames];

	return hit->user * (source->is_llvm ?
				    discriminator_copies(frame->discriminator) :
				    1);
}

/*
 * Samples of a line: of the instruction that has most. The samples of a line are
 * to be proportional to the number of its executions, and their sum would be
 * larger for a line of many instructions. Samples of several programs add up,
 * and so do those of several functions of one name.
 */
static uint64_t samples_of_line(const struct source *source,
				const struct source_range *line)
{
	uint64_t sum = 0, most = 0, here = 0;

	for (uint32_t i = line->begin; i < line->end; i++) {
		const struct profile_place *place = place_of(source, i);
		const struct profile_place *last =
			i > line->begin ? place_of(source, i - 1) : place;

		if (last->function != place->function) {
			sum += most;
			most = 0;
		}
		if (compare_code(last, place))
			here = 0;
		here += samples_of(source, hit_of(source, i));
		most = here > most ? here : most;
	}
	return sum + most;
}

/* Sum up the lines: hits with equal frames. */
static void sum_lines(struct source *source)
{
	struct source_range line = { 0 };

	source->sums =
		profil_grow(NULL, source->nr + 1ULL, sizeof(*source->sums));
	source->sums[0] = 0;
	for (; line.begin < source->nr; line.begin = line.end) {
		const struct profile_place *first =
			place_of(source, line.begin);
		uint64_t sum = source->sums[line.begin];

		line.end = line.begin;
		do
			source->sums[++line.end] = sum;
		while (line.end < source->nr &&
		       !compare_frames(source, first,
				       place_of(source, line.end)));
		sum += samples_of_line(source, &line);
		for (uint32_t i = line.begin; i < line.end; i++)
			source->sums[i + 1] = sum;
	}
}

static void begin(struct source *source, const struct profile *profile,
		  bool is_llvm)
{
	*source = (struct source){
		.profile = profile,
		.is_llvm = is_llvm,
		.names = profil_grow(NULL, profile->nr_functions + 1ULL,
				     sizeof(*source->names)),
	};
	for (uint32_t i = 0; i < profile->nr_functions; i++)
		source->names[i] = source_name(profile->functions[i].symbol);
	sort_hits(source);
	sum_lines(source);
}

static void end(struct source *source)
{
	for (uint32_t i = 0; i < source->profile->nr_functions; i++)
		free(source->names[i]);
	free(source->names);
	free(source->hits);
	free(source->sums);
}

/*
 * Begin with the lines and calls of @parent, which is a function or a call; without
 * a parent, NULL, with the functions.
 */
static struct source_range inside(const struct source_range *parent)
{
	return (struct source_range){
		.depth = parent ? parent->depth + 1 : 0,
		.end = parent ? parent->begin : 0,
	};
}

/* Go to the next one, and false after the last; lines are before calls. */
static bool next(const struct source *source, const struct source_range *parent,
		 struct source_range *range)
{
	uint32_t end = parent ? parent->end : source->nr, depth = range->depth;
	const struct profile_place *first;

	range->begin = range->end;
	if (range->begin == end)
		return false;
	first = place_of(source, range->begin);
	do
		range->end++;
	while (range->end < end &&
	       !compare_at(source, first, place_of(source, range->end), depth));
	range->is_line = first->nr_frames == depth;
	if (!range->is_line)
		range->name = name_of(source, first, depth);
	if (depth)
		range->position = position_of(source, first, depth - 1);
	range->samples = source->sums[range->end] - source->sums[range->begin];
	return true;
}

/* Samples of the first instruction of a function, which is entered there */
static uint64_t head_of(const struct source *source,
			const struct source_range *range)
{
	uint64_t head = 0;

	for (uint32_t i = range->begin; i < range->end; i++) {
		const struct profile_place *place = place_of(source, i);
		const struct profile_function *function =
			&source->profile->functions[place->function];

		if (place->address == function->address &&
		    !is_part(function->symbol))
			head += hit_of(source, i)->user;
	}
	return head;
}

/* Both formats have the same samples. */
static const char *check(const struct profile *profile, uint64_t *samples)
{
	static const char no_line[] =
		"no sample has a source line: compile the program with -g, and record it again";
	struct source source;

	begin(&source, profile, false);
	*samples = source.samples;
	end(&source);
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

static void print_body(FILE *out, const struct source *source,
		       const struct source_range *function)
{
	struct source_range range = inside(function);

	while (next(source, function, &range)) {
		fprintf(out, "%*s%" PRIu64, range.depth, "",
			range.position >> 32);
		if ((uint32_t)range.position)
			fprintf(out, ".%" PRIu32, (uint32_t)range.position);
		fputs(": ", out);
		if (range.is_line) {
			fprintf(out, "%" PRIu64 "\n", range.samples);
			continue;
		}
		fprintf(out, "%s:%" PRIu64 "\n", range.name, range.samples);
		print_body(out, source, &range);
	}
}

static void write_llvm(const struct profile *profile, FILE *out)
{
	struct source_range function = inside(NULL);
	struct source source;

	begin(&source, profile, true);
	while (next(&source, NULL, &function)) {
		fprintf(out, "%s:%" PRIu64 ":%" PRIu64 "\n", function.name,
			function.samples, head_of(&source, &function));
		print_body(out, &source, &function);
	}
	end(&source);
}

const struct export_format profil_format_llvm = {
	.file = "profil.llvm",
	.next = "clang -O2 -g -fprofile-sample-use=",
	.check = check,
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

static void put_section(FILE *out, uint32_t tag, const char *bytes, size_t size)
{
	put_word(out, tag);
	put_word(out, size / sizeof(uint32_t));
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
	struct source_range range = inside(function);
	uint32_t nr = 0;

	while (next(source, function, &range))
		nr += range.is_line == lines;
	return nr;
}

/* Index 0 of the names is "", which gives the others their indices from 1. */
static void put_call(FILE *out, struct profile_strings *names,
		     const struct source *source,
		     const struct source_range *function)
{
	struct source_range range = inside(function);

	put_word(out, profil_strings_index(names, function->name));
	put_word(out, count_inside(source, function, true));
	put_word(out, count_inside(source, function, false));
	while (next(source, function, &range)) {
		put_word(out, range.position >> 32 << 16);
		if (range.is_line) {
			put_word(out, 0);
			put_samples(out, range.samples);
		} else {
			put_call(out, names, source, &range);
		}
	}
}

static void put_functions(FILE *out, struct profile_strings *names,
			  const struct source *source)
{
	struct source_range function = inside(NULL);

	put_word(out, count_inside(source, NULL, false));
	while (next(source, NULL, &function)) {
		put_samples(out, head_of(source, &function));
		put_call(out, names, source, &function);
	}
}

/* The functions have to be made before the names that they use. */
static void write_gcc(const struct profile *profile, FILE *out)
{
	static const char no_modules[sizeof(uint32_t)];
	struct profile_strings *names = profil_strings_new();
	struct source source;
	size_t size;
	char *bytes;
	FILE *functions = profil_memory_stream(&bytes, &size);

	begin(&source, profile, false);
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
	end(&source);
}

const struct export_format profil_format_gcc = {
	.file = "profil.afdo",
	.next = "gcc -O2 -g -fauto-profile=",
	.check = check,
	.write = write_gcc,
};
