// SPDX-License-Identifier: GPL-2.0-only
/* Function that is annotated, and its samples by instruction and source line */
#include "annotate/function.h"
#include "print/find.h"
#include "profile/totals.h"
#include "profile/tree.h"
#include "util/short_names.h"
#include "util/text.h"

/* The outermost frame of @function in @place, or PROFILE_NONE */
static uint32_t frame_of(const struct profile *profile,
			 const struct profile_place *place, uint32_t function)
{
	for (uint32_t i = place->nr_frames; i; i--)
		if (profile->frames[place->frames + i - 1].function == function)
			return i - 1;
	return PROFILE_NONE;
}

/* A function that was inlined into itself counts once. */
static void count_inlined(const struct profile *profile,
			  const struct profile_place *place, uint64_t samples,
			  double *all)
{
	for (uint32_t i = 0; i < place->nr_frames; i++) {
		uint32_t function = profile->frames[place->frames + i].function;

		if (function != place->function &&
		    frame_of(profile, place, function) == i)
			all[function] += samples;
	}
}

/* Weight of a sample in what a function has called: all are less than one in itself */
#define OF_CALLS (1 / 1e15)

/* Functions that have called others; those without samples of their own by these alone */
static void count_callers(const struct profile *profile, double *all)
{
	struct stack_sum *sums = profil_stack_sums(profile);

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_place *place =
			&profile->places[profile->stacks[i].place];
		const struct profile_frame *frames =
			profile_frames_of(profile, place);

		if (place->function != PROFILE_NONE)
			all[place->function] += OF_CALLS * sums[i].samples;
		for (uint32_t j = 1; j < place->nr_frames; j++)
			all[frames[j - 1].function] +=
				OF_CALLS * sums[i].samples;
	}
	free(sums);
}

/* Samples in the code of each function, to be freed, and where it was inlined */
static double *count(const struct profile *profile, bool with_inlined)
{
	double *samples =
		profil_zeros(profile->nr_functions + 1ULL, sizeof(*samples));

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		const struct profile_place *place =
			profile_place_of(profile, sample);
		uint64_t here = profile_samples_of(sample);

		if (place->function == PROFILE_NONE)
			continue;
		if (with_inlined)
			count_inlined(profile, place, here, samples);
		samples[place->function] += here;
	}
	if (with_inlined)
		count_callers(profile, samples);
	return samples;
}

/* @place is in the function or, if it is wanted, where the function was inlined. */
static bool is_in(const struct annotated_function *annotated,
		  const struct profile_place *place, bool with_inlined)
{
	if (place->function == PROFILE_NONE)
		return false;
	return place->function == annotated->function ||
	       (with_inlined && frame_of(annotated->profile, place,
					 annotated->function) != PROFILE_NONE);
}

/* Several programs may have executed the same instruction. */
static void find_hits(struct annotated_function *annotated, bool with_inlined)
{
	const struct profile *profile = annotated->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		const struct profile_place *place =
			profile_place_of(profile, sample);
		struct group hit = {
			.numbers = { place->address, place->function },
			.samples = profile_samples_of(sample),
			.hottest = sample,
		};

		if (!is_in(annotated, place, with_inlined))
			continue;
		profil_groups_add(&annotated->hits, profile, hit);
		annotated->samples += hit.samples;
		if (place->function != annotated->function)
			annotated->inlined += hit.samples;
	}
	profil_groups_sort(&annotated->hits);
}

/* The function is one group of places of stacks. */
static void find_total(struct annotated_function *annotated)
{
	const struct profile *profile = annotated->profile;
	uint32_t nr = profile->nr_stacks;
	size_t *group_of = profil_grow(NULL, nr + 1ULL, sizeof(*group_of));
	struct groups all = { 0 };

	annotated->has_callers = true;
	profil_groups_add(&all, profile,
			  (struct group){ .samples = annotated->samples,
					  .hottest =
						  &profile->stacks->sample });
	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_stack *stack = &profile->stacks[i];

		group_of[i] =
			is_in(annotated, &profile->places[stack->place], true) ?
				0 :
				GROUP_NONE;
	}
	profil_totals_set(&all, profile, group_of);
	annotated->total = all.array->total;
	profil_groups_free(&all);
	free(group_of);
}

bool profil_annotated_find(struct annotated_function *annotated,
			   const struct profile *profile, const char *name,
			   const regex_t *object)
{
	double *samples = count(profile, name);
	uint32_t nr;
	uint32_t *found =
		profil_functions_find(profile, samples, name, object, &nr);

	free(samples);
	if (!nr) {
		free(found);
		*annotated = (struct annotated_function){ .profile = profile };
		return false;
	}
	profil_annotated_make(annotated, profile, found[0], true);
	annotated->others = found;
	annotated->nr_others = name ? nr - 1 : 0;
	memmove(found, found + 1, (nr - 1) * sizeof(*found));
	return true;
}

void profil_annotated_make(struct annotated_function *annotated,
			   const struct profile *profile, uint32_t function,
			   bool with_inlined)
{
	*annotated = (struct annotated_function){
		.profile = profile,
		.function = function,
	};
	find_hits(annotated, with_inlined);
	if (with_inlined && profile->nr_stacks)
		find_total(annotated);
}

void profil_annotated_free(struct annotated_function *annotated)
{
	profil_groups_free(&annotated->hits);
	free(annotated->others);
}

char *profil_annotated_name(const struct profile *profile, uint32_t function,
			    size_t width)
{
	const char *name = profile->functions[function].name;
	char *printable = profil_text_printable(name);
	char *shorter = profil_short_name(printable, width);

	free(printable);
	return shorter;
}

uint64_t profil_annotated_all(const struct annotated_function *annotated)
{
	return annotated->has_callers ? annotated->total : annotated->samples;
}

double profil_annotated_percent(const struct annotated_function *annotated,
				uint64_t samples)
{
	uint64_t all = profil_annotated_all(annotated);

	return all ? 100.0 * samples / all : 0;
}

/* The frame of the function at the place of @sample, or NULL */
static const struct profile_frame *
outer_of(const struct annotated_function *annotated,
	 const struct profile_sample *sample)
{
	const struct profile_place *place =
		profile_place_of(annotated->profile, sample);
	uint32_t frame =
		frame_of(annotated->profile, place, annotated->function);

	return frame == PROFILE_NONE ?
		       NULL :
		       &annotated->profile->frames[place->frames + frame];
}

/*
 * Add the samples at the place of @sample to a place of the source, and to a line: the
 * index of that, or GROUP_NONE. Strings of a profile are unique: equal ones have one address.
 */
static size_t add_hit(struct source_hits *source,
		      const struct annotated_function *annotated,
		      const struct profile_sample *sample, uint64_t samples)
{
	const struct profile *profile = annotated->profile;
	const struct profile_frame *outer = outer_of(annotated, sample);
	const struct profile_place *place = profile_place_of(profile, sample);
	const struct profile_frame *inner = profile_frames_of(profile, place);
	struct group part = { .samples = samples, .hottest = sample };

	if (!outer || !*outer->file)
		return GROUP_NONE;
	part.numbers[0] = (uintptr_t)outer->file;
	part.numbers[1] = outer->line;
	profil_groups_add(&source->inner, profile,
			  (struct group){
				  .numbers = { part.numbers[0], outer->line,
					       inner->function,
					       (uintptr_t)inner->file,
					       inner->line },
				  .samples = samples,
				  .hottest = sample,
			  });
	return profil_groups_add(&source->totals, profile, part);
}

/* The lines that have called, without samples of their own, and the totals of lines */
static void add_callers(struct source_hits *source,
			const struct annotated_function *annotated)
{
	uint32_t nr = annotated->profile->nr_stacks;
	size_t *group_of = profil_grow(NULL, nr, sizeof(*group_of));

	for (uint32_t i = 0; i < nr; i++)
		group_of[i] = add_hit(source, annotated,
				      &annotated->profile->stacks[i].sample, 0);
	profil_totals_set(&source->totals, annotated->profile, group_of);
	free(group_of);
}

/* The line of @part has a group, which is found; no samples are added. */
static uint64_t total_of(struct source_hits *source,
			 const struct profile *profile,
			 const struct group *part)
{
	struct group line = {
		.numbers = { part->numbers[0], part->numbers[1] },
		.hottest = part->hottest,
	};
	size_t index = profil_groups_add(&source->totals, profile, line);

	return source->totals.array[index].total;
}

/* By file and line; the hottest first, and then that with the lowest address */
static int by_source(const void *a, const void *b, void *data)
{
	const struct annotated_function *annotated = data;
	const struct group *one = a, *other = b;
	const struct profile_place *x =
		profile_place_of(annotated->profile, one->hottest);
	const struct profile_place *y =
		profile_place_of(annotated->profile, other->hottest);

	return strcmp(outer_of(annotated, one->hottest)->file,
		      outer_of(annotated, other->hottest)->file) ?:
		       compare_numbers(one->numbers[1], other->numbers[1]) ?:
		       compare_numbers(other->samples, one->samples)	   ?:
		       compare_numbers(x->address, y->address)		   ?:
		       compare_numbers(x->function, y->function);
}

static struct file_hits *add_file(struct source_hits *source,
				  const struct profile_frame *frame)
{
	struct file_hits *file = &source->files[source->nr_files++];

	*file = (struct file_hits){
		.file = frame->file,
		.lines = &source->lines[source->nr_lines],
	};
	return file;
}

static struct line_hits *add_line(struct source_hits *source,
				  const struct profile *profile,
				  struct file_hits *file,
				  const struct group *inner)
{
	struct line_hits *line = &source->lines[source->nr_lines++];

	*line = (struct line_hits){
		.number = inner->numbers[1],
		.total = total_of(source, profile, inner),
		.inner = inner,
	};
	file->nr_lines++;
	return line;
}

static void add_groups(struct source_hits *source,
		       const struct annotated_function *annotated)
{
	struct file_hits *file = NULL;
	struct line_hits *line = NULL;

	for (size_t i = 0; i < source->inner.nr; i++) {
		struct group *group = &source->inner.array[i];
		const struct profile_frame *frame =
			outer_of(annotated, group->hottest);
		const struct profile_place *place =
			profile_place_of(annotated->profile, group->hottest);
		bool is_new_file = !file || file->file != frame->file;

		if (is_new_file)
			file = add_file(source, frame);
		if (is_new_file || line->number != frame->line)
			line = add_line(source, annotated->profile, file,
					group);
		if (!group->samples)
			continue;
		group->numbers[INNER_IS_INLINED] =
			frame != profile_frames_of(annotated->profile, place);
		line->has_inlined |= group->numbers[INNER_IS_INLINED];
		line->nr_inner++;
		line->samples += group->samples;
		file->samples += group->samples;
		source->samples += group->samples;
	}
}

static int hottest_first(const void *a, const void *b)
{
	const struct file_hits *one = a, *other = b;

	return compare_numbers(other->samples, one->samples) ?:
		       strcmp(one->file, other->file);
}

void profil_source_hits_read(struct source_hits *source,
			     const struct annotated_function *annotated)
{
	const struct group *hits = annotated->hits.array;
	struct groups *inner = &source->inner;

	*source = (struct source_hits){ 0 };
	for (size_t i = 0; i < annotated->hits.nr; i++)
		add_hit(source, annotated, hits[i].hottest, hits[i].samples);
	if (annotated->has_callers)
		add_callers(source, annotated);
	if (inner->nr)
		qsort_r(inner->array, inner->nr, sizeof(*inner->array),
			by_source, (void *)annotated);
	source->files =
		profil_grow(NULL, inner->nr + 1, sizeof(*source->files));
	source->lines =
		profil_grow(NULL, inner->nr + 1, sizeof(*source->lines));
	add_groups(source, annotated);
	ARRAY_SORT(source->files, source->nr_files, hottest_first);
}

void profil_source_hits_free(struct source_hits *source)
{
	free(source->files);
	free(source->lines);
	profil_groups_free(&source->inner);
	profil_groups_free(&source->totals);
}
