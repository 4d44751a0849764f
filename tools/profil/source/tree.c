// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples by function, line and inlined call
 *
 * The places are sorted by their frames, outermost first. The places of a
 * function, of an inlined call and of a line are then neighbours.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "source/tree.h"
#include "util/array.h"
#include "util/memory.h"

/*
 * Discriminators of LLVM
 *
 * A discriminator has three numbers, the lowest bits first: the base
 * discriminator, the number of copies of the code, and an identifier. A number
 * is 1 bit for 0, 7 bits for 1 to 31, and 14 bits up to 4095.
 */

/* Number in the lowest bits */
static inline uint32_t discriminator_base(uint32_t discriminator)
{
	uint32_t number = discriminator >> 1;

	if (discriminator & 1)
		return 0;
	return number & 0x20 ? (number >> 1 & 0xfe0) | (number & 0x1f) :
			       number & 0x1f;
}

/* Number of copies of the code, at least 1 */
static inline uint32_t discriminator_copies(uint32_t discriminator)
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

/**
 * struct source - what a tree is made of
 * @profile: the profile
 * @discriminators: meaning of its discriminators
 * @names: names of its functions
 * @places: indices of the places in the tree, sorted
 */
struct source {
	const struct profile *profile;
	enum discriminators discriminators;
	char **names;
	uint32_t *places;
};

/**
 * struct place_range - neighbours in the sorted places
 * @begin: index of the first
 * @end: index after the last
 */
struct place_range {
	uint32_t begin;
	uint32_t end;
};

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

	if (source->discriminators == DISCRIMINATORS_LLVM)
		position.discriminator =
			discriminator_base(frame->discriminator);
	return position;
}

static bool is_innermost(const struct profile_place *place, uint32_t depth)
{
	return depth + 1 == place->nr_frames;
}

static int compare_positions(struct source_position one,
			     struct source_position other)
{
	return compare_numbers(one.line, other.line) ?:
		       compare_numbers(one.discriminator, other.discriminator);
}

/* Lines are before calls, and calls are by the name of the inlined function. */
static int compare_at(const struct source *source,
		      const struct profile_place *one,
		      const struct profile_place *other, uint32_t depth)
{
	int order = compare_numbers(!is_innermost(one, depth),
				    !is_innermost(other, depth));

	if (!order)
		order = compare_positions(position_of(source, one, depth),
					  position_of(source, other, depth));
	if (order || is_innermost(one, depth))
		return order;
	return strcmp(name_of(source, one, depth + 1),
		      name_of(source, other, depth + 1));
}

/* Instructions of a line are by their function, then by their address. */
static int compare_code(const struct profile_place *one,
			const struct profile_place *other)
{
	return compare_numbers(one->function, other->function) ?:
		       compare_numbers(one->address, other->address);
}

static int by_frames(const void *a, const void *b, void *data)
{
	const struct source *source = data;
	const struct profile_place *one =
		&source->profile->places[*(const uint32_t *)a];
	const struct profile_place *other =
		&source->profile->places[*(const uint32_t *)b];
	int order = strcmp(name_of(source, one, 0), name_of(source, other, 0));

	for (uint32_t depth = 0; !order; depth++) {
		order = compare_at(source, one, other, depth);
		if (!order && is_innermost(one, depth))
			return compare_code(one, other);
	}
	return order;
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

static void sort_places(struct source *source, struct place_range *all)
{
	const struct profile *profile = source->profile;

	source->places = profil_grow(NULL, profile->nr_places + 1ULL,
				     sizeof(*source->places));
	*all = (struct place_range){ 0, 0 };
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (is_counted(source, &profile->places[i]))
			source->places[all->end++] = i;
	qsort_r(source->places, all->end, sizeof(*source->places), by_frames,
		source);
}

/* Samples of an instruction, as if the code had not been copied */
static uint64_t samples_of(const struct source *source,
			   const struct profile_place *place)
{
	const struct profile_frame *frame =
		&source->profile->frames[place->frames];

	if (source->discriminators != DISCRIMINATORS_LLVM)
		return place->user;
	return place->user * discriminator_copies(frame->discriminator);
}

/*
 * Samples of a line: of the instruction that has most. The samples of a line are
 * to be proportional to the number of its executions, and their sum would be
 * larger for a line of many instructions. Samples of several programs add up,
 * and so do those of several functions of one name.
 */
static uint64_t samples_of_line(const struct source *source,
				const struct place_range *line)
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

static void add_line(struct source_function *to, const struct source *source,
		     const struct place_range *range, uint32_t depth)
{
	struct source_line *line = &to->lines[to->nr_lines++];

	line->position =
		position_of(source, place_of(source, range->begin), depth);
	line->samples = samples_of_line(source, range);
	to->total += line->samples;
}

static void fill(struct source_function *to, const struct source *source,
		 const struct place_range *range, uint32_t depth);

static void add_call(struct source_function *to, const struct source *source,
		     const struct place_range *range, uint32_t depth)
{
	struct source_function *call = &to->calls[to->nr_calls++];

	fill(call, source, range, depth + 1);
	call->position =
		position_of(source, place_of(source, range->begin), depth);
	to->total += call->total;
}

/* The neighbours from @begin on that are in the same line or call */
static struct place_range group_at(const struct source *source, uint32_t begin,
				   uint32_t end, uint32_t depth)
{
	const struct profile_place *first = place_of(source, begin);
	struct place_range group = { begin, begin + 1 };

	while (group.end < end &&
	       !compare_at(source, first, place_of(source, group.end), depth))
		group.end++;
	return group;
}

static void count_groups(struct source_function *to,
			 const struct source *source,
			 const struct place_range *range, uint32_t depth)
{
	struct place_range group = { 0, range->begin };

	while (group.end < range->end) {
		group = group_at(source, group.end, range->end, depth);
		if (is_innermost(place_of(source, group.begin), depth))
			to->nr_lines++;
		else
			to->nr_calls++;
	}
	to->lines = profil_grow(NULL, to->nr_lines + 1ULL, sizeof(*to->lines));
	to->calls = profil_grow(NULL, to->nr_calls + 1ULL, sizeof(*to->calls));
	to->nr_lines = 0;
	to->nr_calls = 0;
}

/* The recursion ends at the innermost frame. */
static void fill(struct source_function *to, const struct source *source,
		 const struct place_range *range, uint32_t depth)
{
	struct place_range group = { 0, range->begin };

	*to = (struct source_function){
		.name = name_of(source, place_of(source, range->begin), depth),
	};
	count_groups(to, source, range, depth);
	while (group.end < range->end) {
		group = group_at(source, group.end, range->end, depth);
		if (is_innermost(place_of(source, group.begin), depth))
			add_line(to, source, &group, depth);
		else
			add_call(to, source, &group, depth);
	}
}

/* Samples of the first instruction: the function is entered there. */
static uint64_t head_of(const struct source *source,
			const struct place_range *range)
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

static struct place_range function_at(const struct source *source,
				      uint32_t begin, uint32_t end)
{
	const char *name = name_of(source, place_of(source, begin), 0);
	struct place_range range = { begin, begin + 1 };

	while (range.end < end &&
	       !strcmp(name, name_of(source, place_of(source, range.end), 0)))
		range.end++;
	return range;
}

static void add_functions(struct source_tree *tree, const struct source *source,
			  const struct place_range *all)
{
	struct place_range range = { 0, all->begin };
	struct source_function *function;

	tree->functions =
		profil_grow(NULL, all->end + 1ULL, sizeof(*tree->functions));
	while (range.end < all->end) {
		range = function_at(source, range.end, all->end);
		function = &tree->functions[tree->nr_functions++];
		fill(function, source, &range, 0);
		function->head = head_of(source, &range);
	}
}

static void make_names(struct source_tree *tree, const struct profile *profile)
{
	tree->nr_names = profile->nr_functions;
	tree->names =
		profil_grow(NULL, tree->nr_names + 1ULL, sizeof(*tree->names));
	for (uint32_t i = 0; i < tree->nr_names; i++)
		tree->names[i] = source_name(profile->functions[i].symbol);
}

void profil_source_tree_make(struct source_tree *tree,
			     const struct profile *profile,
			     enum discriminators discriminators)
{
	struct source source = { .profile = profile,
				 .discriminators = discriminators };
	struct place_range all;

	*tree = (struct source_tree){ 0 };
	make_names(tree, profile);
	source.names = tree->names;
	sort_places(&source, &all);
	for (uint32_t i = 0; i < all.end; i++)
		tree->samples += place_of(&source, i)->user;
	add_functions(tree, &source, &all);
	free(source.places);
}

static void free_function(struct source_function *function)
{
	for (uint32_t i = 0; i < function->nr_calls; i++)
		free_function(&function->calls[i]);
	free(function->calls);
	free(function->lines);
}

void profil_source_tree_free(struct source_tree *tree)
{
	for (uint32_t i = 0; i < tree->nr_functions; i++)
		free_function(&tree->functions[i]);
	free(tree->functions);
	for (uint32_t i = 0; i < tree->nr_names; i++)
		free(tree->names[i]);
	free(tree->names);
	*tree = (struct source_tree){ 0 };
}

uint64_t profil_source_tree_samples(const struct profile *profile,
				    enum discriminators discriminators)
{
	struct source_tree tree;
	uint64_t samples;

	profil_source_tree_make(&tree, profile, discriminators);
	samples = tree.samples;
	profil_source_tree_free(&tree);
	return samples;
}
