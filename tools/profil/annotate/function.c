// SPDX-License-Identifier: GPL-2.0-only
/* Function that is annotated, and its samples by instruction and source line */
#include "annotate/function.h"
#include "print/find.h"
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
	return samples;
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

		if (place->function == PROFILE_NONE ||
		    (place->function != annotated->function &&
		     (!with_inlined ||
		      frame_of(profile, place, annotated->function) ==
			      PROFILE_NONE)))
			continue;
		profil_groups_add(&annotated->hits, profile, hit);
		annotated->samples += hit.samples;
		if (place->function != annotated->function)
			annotated->inlined += hit.samples;
	}
	profil_groups_sort(&annotated->hits);
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

double profil_annotated_percent(const struct annotated_function *annotated,
				uint64_t samples)
{
	return annotated->samples ? 100.0 * samples / annotated->samples : 0;
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

/* Strings of a profile are unique: equal ones have one address. */
static void add_hit(struct groups *groups,
		    const struct annotated_function *annotated,
		    const struct group *hit)
{
	const struct profile *profile = annotated->profile;
	const struct profile_frame *outer = outer_of(annotated, hit->hottest);
	const struct profile_place *place =
		profile_place_of(profile, hit->hottest);
	const struct profile_frame *inner = profile_frames_of(profile, place);

	if (outer && *outer->file)
		profil_groups_add(groups, profile,
				  (struct group){
					  .numbers = { (uintptr_t)outer->file,
						       outer->line,
						       inner->function,
						       (uintptr_t)inner->file,
						       inner->line },
					  .samples = hit->samples,
					  .hottest = hit->hottest,
				  });
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
				  struct file_hits *file,
				  const struct profile_frame *frame,
				  const struct group *inner)
{
	struct line_hits *line = &source->lines[source->nr_lines++];

	*line = (struct line_hits){ .number = frame->line, .inner = inner };
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
			line = add_line(source, file, frame, group);
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
	struct groups *inner = &source->inner;

	*source = (struct source_hits){ 0 };
	for (size_t i = 0; i < annotated->hits.nr; i++)
		add_hit(inner, annotated, &annotated->hits.array[i]);
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
}
