// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples by function, line and inlined call, as compilers need them
 *
 * The places are sorted by their frames, outermost first. The places of a
 * function, of an inlined call and of a line are then neighbours.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "export/format.h"
#include "util/memory.h"

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
	uint32_t copies;

	if (discriminator & 1)
		copies = discriminator_base(discriminator >> 1);
	else
		copies = discriminator_base(discriminator >>
					    (discriminator & 0x40 ? 14 : 7));
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
static bool source_name_is_part(const char *symbol)
{
	return strstr(symbol, ".part.") || strstr(symbol, ".cold");
}

/* @name can be written in a line of text. */
static bool source_name_is_plain(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if ((unsigned char)*name <= ' ' || *name == 0x7f)
			return false;
	return true;
}

/* A place with more frames is malformed. */
#define MAX_FRAMES 1000

#define LINE_MASK 0xffff

static const struct profile_place *place_of(const struct source *source,
					    uint32_t index)
{
	return &source->profile->places[source->places[index]];
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

static struct source_position position_of(const struct source *source,
					  const struct profile_place *place,
					  uint32_t depth)
{
	const struct profile_frame *frame = frame_of(source, place, depth);
	uint32_t first = source->profile->functions[frame->function].line;
	struct source_position position = {
		.line = (frame->line - first) & LINE_MASK,
	};

	if (source->is_llvm)
		position.discriminator =
			discriminator_base(frame->discriminator);
	return position;
}

static int compare_positions(struct source_position one,
			     struct source_position other)
{
	return compare_numbers(one.line, other.line) ?:
		       compare_numbers(one.discriminator, other.discriminator);
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
		order = compare_positions(position_of(source, one, depth - 1),
					  position_of(source, other,
						      depth - 1));
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
	const struct profile_place *one =
		&source->profile->places[*(const uint32_t *)a];
	const struct profile_place *other =
		&source->profile->places[*(const uint32_t *)b];

	return compare_frames(source, one, other) ?: compare_code(one, other);
}

static bool has_lines(const struct source *source,
		      const struct profile_place *place)
{
	for (uint32_t depth = 0; depth < place->nr_frames; depth++)
		if (!frame_of(source, place, depth)->line ||
		    !source_name_is_plain(name_of(source, place, depth)))
			return false;
	return place->nr_frames;
}

static bool is_counted(const struct source *source,
		       const struct profile_place *place)
{
	return place->user && place->function != PROFILE_NONE &&
	       place->nr_frames <= MAX_FRAMES && has_lines(source, place);
}

static void sort_places(struct source *source)
{
	const struct profile *profile = source->profile;

	source->places = profil_grow(NULL, profile->nr_places + 1ULL,
				     sizeof(*source->places));
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (is_counted(source, &profile->places[i]))
			source->places[source->nr++] = i;
	for (uint32_t i = 0; i < source->nr; i++)
		source->samples += place_of(source, i)->user;
	qsort_r(source->places, source->nr, sizeof(*source->places), by_frames,
		source);
}

/* Samples of an instruction, as if the code had not been copied */
static uint64_t samples_of(const struct source *source,
			   const struct profile_place *place)
{
	const struct profile_frame *frame =
		&source->profile->frames[place->frames];

	return place->user *
	       (source->is_llvm ? discriminator_copies(frame->discriminator) :
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
		here += samples_of(source, place);
		most = here > most ? here : most;
	}
	return sum + most;
}

/* Sum up the lines: places with equal frames. */
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

uint64_t profil_source_total(const struct source *source,
			     const struct source_range *range)
{
	return source->sums[range->end] - source->sums[range->begin];
}

void profil_source_begin(struct source *source, const struct profile *profile,
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
	sort_places(source);
	sum_lines(source);
}

void profil_source_end(struct source *source)
{
	for (uint32_t i = 0; i < source->profile->nr_functions; i++)
		free(source->names[i]);
	free(source->names);
	free(source->places);
	free(source->sums);
}

struct source_range profil_source_inside(const struct source_range *parent)
{
	return (struct source_range){
		.depth = parent ? parent->depth + 1 : 0,
		.end = parent ? parent->begin : 0,
	};
}

bool profil_source_next(const struct source *source,
			const struct source_range *parent,
			struct source_range *range)
{
	uint32_t end = parent ? parent->end : source->nr;
	const struct profile_place *first;

	range->begin = range->end;
	if (range->begin == end)
		return false;
	first = place_of(source, range->begin);
	do
		range->end++;
	while (range->end < end &&
	       !compare_at(source, first, place_of(source, range->end),
			   range->depth));
	return true;
}

bool profil_source_is_line(const struct source *source,
			   const struct source_range *range)
{
	return place_of(source, range->begin)->nr_frames == range->depth;
}

const char *profil_source_name(const struct source *source,
			       const struct source_range *range)
{
	return name_of(source, place_of(source, range->begin), range->depth);
}

struct source_position profil_source_position(const struct source *source,
					      const struct source_range *range)
{
	return position_of(source, place_of(source, range->begin),
			   range->depth - 1);
}

uint64_t profil_source_head(const struct source *source,
			    const struct source_range *range)
{
	uint64_t head = 0;

	for (uint32_t i = range->begin; i < range->end; i++) {
		const struct profile_place *place = place_of(source, i);
		const struct profile_function *function =
			&source->profile->functions[place->function];

		if (place->address == function->address &&
		    !source_name_is_part(function->symbol))
			head += place->user;
	}
	return head;
}
