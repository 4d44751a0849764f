// SPDX-License-Identifier: GPL-2.0-only
/* Function that is annotated, and its samples by instruction and source line */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/subject.h"
#include "profile/group.h"
#include "util/array.h"
#include "util/memory.h"

/**
 * struct tally - samples of all functions
 * @own: samples in the code of each function
 * @all: the same with code of the function that was inlined elsewhere
 */
struct tally {
	uint64_t *own;
	uint64_t *all;
};

static uint64_t *zeroes(uint32_t nr)
{
	uint64_t *array = profil_grow(NULL, nr + 1, sizeof(*array));

	memset(array, 0, nr * sizeof(*array));
	return array;
}

/* The outermost frame of @function in @place, or PROFILE_NONE */
static uint32_t frame_of(const struct profile *profile,
			 const struct profile_place *place, uint32_t function)
{
	for (uint32_t i = place->nr_frames; i; i--)
		if (profile->frames[place->frames + i - 1].function == function)
			return i - 1;
	return PROFILE_NONE;
}

static uint64_t samples_of(const struct profile_place *place)
{
	return place->user + place->kernel;
}

/* A function that was inlined into itself counts once. */
static void count_inlined(const struct profile *profile,
			  const struct profile_place *place, uint64_t *all)
{
	for (uint32_t i = 0; i < place->nr_frames; i++) {
		uint32_t function = profile->frames[place->frames + i].function;

		if (function != place->function &&
		    frame_of(profile, place, function) == i)
			all[function] += samples_of(place);
	}
}

static void count(const struct profile *profile, struct tally *tally)
{
	tally->own = zeroes(profile->nr_functions);
	tally->all = zeroes(profile->nr_functions);
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];

		if (place->function == PROFILE_NONE)
			continue;
		count_inlined(profile, place, tally->all);
		tally->own[place->function] += samples_of(place);
		tally->all[place->function] += samples_of(place);
	}
}

/* How well a function has the name that was asked for */
enum likeness { LIKE_NONE, LIKE_PART, LIKE_WHOLE };

static enum likeness likeness_of(const struct profile_function *function,
				 const char *name)
{
	if (!name || !strcmp(function->name, name) ||
	    !strcmp(function->symbol, name))
		return LIKE_WHOLE;
	if (strstr(function->name, name) || strstr(function->symbol, name))
		return LIKE_PART;
	return LIKE_NONE;
}

static bool is_in(const struct profile *profile,
		  const struct profile_function *function,
		  const regex_t *object)
{
	return !object ||
	       !regexec(object, profile->objects[function->object].path, 0,
			NULL, 0);
}

/* Functions of one likeness with samples, the hottest first */
static uint32_t collect(const struct profile *profile, const uint64_t *samples,
			const char *name, const regex_t *object,
			enum likeness likeness, uint32_t *found)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		const struct profile_function *function =
			&profile->functions[i];

		if (samples[i] && likeness_of(function, name) == likeness &&
		    is_in(profile, function, object))
			found[nr++] = i;
	}
	return nr;
}

static int by_samples(const void *a, const void *b, void *data)
{
	const uint64_t *samples = data;
	const uint32_t *one = a, *other = b;

	return compare_numbers(samples[*other], samples[*one]) ?:
		       compare_numbers(*one, *other);
}

static int compare_places(const struct profile_place *one,
			  const struct profile_place *other)
{
	return compare_numbers(one->address, other->address) ?:
		       compare_numbers(one->function, other->function);
}

static int by_address(const void *a, const void *b)
{
	const struct hit *one = a, *other = b;

	return compare_places(one->place, other->place);
}

/* Several programs may have executed the same instruction. */
static void join(struct subject *subject)
{
	size_t last = 0;

	qsort(subject->hits, subject->nr_hits, sizeof(*subject->hits),
	      by_address);
	for (size_t i = 1; i < subject->nr_hits; i++) {
		const struct hit *hit = &subject->hits[i];

		if (by_address(hit, &subject->hits[last]))
			subject->hits[++last] = *hit;
		else
			subject->hits[last].samples += hit->samples;
	}
	if (subject->nr_hits)
		subject->nr_hits = last + 1;
}

static void find_hits(struct subject *subject)
{
	const struct profile *profile = subject->profile;

	subject->hits = profil_grow(NULL, (size_t)profile->nr_places + 1,
				    sizeof(*subject->hits));
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];
		struct hit hit = {
			.place = place,
			.frame = frame_of(profile, place, subject->function),
			.samples = samples_of(place),
		};

		if (place->function == PROFILE_NONE ||
		    (place->function != subject->function &&
		     hit.frame == PROFILE_NONE))
			continue;
		if (place->function != subject->function)
			subject->inlined += hit.samples;
		subject->hits[subject->nr_hits++] = hit;
		subject->samples += hit.samples;
	}
	join(subject);
}

bool profil_subject_find(struct subject *subject, const struct profile *profile,
			 const char *name, const regex_t *object)
{
	uint32_t *found =
		profil_grow(NULL, profile->nr_functions + 1, sizeof(*found));
	struct tally tally;
	uint64_t *samples;
	uint32_t nr;

	count(profile, &tally);
	samples = name ? tally.all : tally.own;
	nr = collect(profile, samples, name, object, LIKE_WHOLE, found);
	if (!nr)
		nr = collect(profile, samples, name, object, LIKE_PART, found);
	qsort_r(found, nr, sizeof(*found), by_samples, samples);
	free(tally.own);
	free(tally.all);
	if (!nr) {
		free(found);
		*subject = (struct subject){ .profile = profile };
		return false;
	}
	profil_subject_make(subject, profile, found[0]);
	subject->others = found;
	subject->nr_others = name ? nr - 1 : 0;
	memmove(found, found + 1, (nr - 1) * sizeof(*found));
	return true;
}

void profil_subject_make(struct subject *subject, const struct profile *profile,
			 uint32_t function)
{
	*subject = (struct subject){
		.profile = profile,
		.function = function,
	};
	find_hits(subject);
}

void profil_subject_drop_inlined(struct subject *subject)
{
	size_t nr = 0;

	for (size_t i = 0; i < subject->nr_hits; i++)
		if (subject->hits[i].place->function == subject->function)
			subject->hits[nr++] = subject->hits[i];
	subject->nr_hits = nr;
	subject->samples -= subject->inlined;
	subject->inlined = 0;
}

void profil_subject_free(struct subject *subject)
{
	free(subject->hits);
	free(subject->others);
}

double profil_subject_percent(const struct subject *subject, uint64_t samples)
{
	return subject->samples ? 100.0 * samples / subject->samples : 0;
}

double profil_subject_error(const struct subject *subject, uint64_t samples)
{
	double share = profil_subject_percent(subject, samples) / 100;

	return 100 * sqrt(share * (1 - share) / subject->samples);
}

const struct profile_frame *profil_subject_inner(const struct subject *subject,
						 const struct hit *hit)
{
	return profile_frames_of(subject->profile, hit->place);
}

const struct profile_frame *profil_subject_frame(const struct subject *subject,
						 const struct hit *hit)
{
	return hit->frame == PROFILE_NONE ?
		       NULL :
		       &subject->profile
				->frames[hit->place->frames + hit->frame];
}

/* The frame of the function in a place of a hit that has a line */
static const struct profile_frame *outer_of(const struct subject *subject,
					    const struct profile_place *place)
{
	uint32_t frame = frame_of(subject->profile, place, subject->function);

	return &subject->profile->frames[place->frames + frame];
}

/* Strings of a profile are unique: equal ones have one address. */
static void add_hit(struct groups *groups, const struct subject *subject,
		    const struct hit *hit)
{
	const struct profile_frame *outer = profil_subject_frame(subject, hit);
	const struct profile_frame *inner = profil_subject_inner(subject, hit);
	struct group *group;

	if (!outer || !*outer->file)
		return;
	group = profil_groups_add(groups, hit->place, hit->samples);
	group->numbers[0] = (uintptr_t)outer->file;
	group->numbers[1] = outer->line;
	group->numbers[2] = inner->function;
	group->numbers[3] = (uintptr_t)inner->file;
	group->numbers[4] = inner->line;
}

/* By file and line; the hottest first, and then that with the lowest address */
static int by_source(const void *a, const void *b, void *subject)
{
	const struct group *one = a, *other = b;
	int order = strcmp(outer_of(subject, one->hottest)->file,
			   outer_of(subject, other->hottest)->file);

	if (!order)
		order = compare_numbers(one->numbers[1], other->numbers[1]);
	if (!order)
		order = compare_numbers(other->samples, one->samples);
	return order ? order : compare_places(one->hottest, other->hottest);
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
				  const struct profile_frame *frame)
{
	struct line_hits *line = &source->lines[source->nr_lines++];

	*line = (struct line_hits){
		.number = frame->line,
		.inner = &source->inner[source->nr_inner],
	};
	file->nr_lines++;
	return line;
}

static void add_inner(struct source_hits *source, struct line_hits *line,
		      const struct subject *subject, const struct group *group)
{
	const struct profile_place *place = group->hottest;
	struct inner_hits *inner = &source->inner[source->nr_inner++];

	*inner = (struct inner_hits){
		.frame = profile_frames_of(subject->profile, place),
		.is_inlined = frame_of(subject->profile, place,
				       subject->function) > 0,
		.samples = group->samples,
		.hottest = place,
	};
	line->has_inlined |= inner->is_inlined;
	line->nr_inner++;
}

static void add_groups(struct source_hits *source,
		       const struct subject *subject,
		       const struct groups *groups)
{
	struct file_hits *file = NULL;
	struct line_hits *line = NULL;

	for (size_t i = 0; i < groups->nr; i++) {
		const struct group *group = &groups->array[i];
		const struct profile_frame *frame =
			outer_of(subject, group->hottest);
		bool is_new_file = !file || file->file != frame->file;

		if (is_new_file)
			file = add_file(source, frame);
		if (is_new_file || line->number != frame->line)
			line = add_line(source, file, frame);
		add_inner(source, line, subject, group);
		line->samples += group->samples;
		file->samples += group->samples;
		source->samples += group->samples;
	}
}

static int hottest_first(const void *a, const void *b)
{
	const struct file_hits *one = a, *other = b;

	if (one->samples != other->samples)
		return compare_numbers(other->samples, one->samples);
	return strcmp(one->file, other->file);
}

void profil_source_hits_read(struct source_hits *source,
			     const struct subject *subject)
{
	struct groups groups;

	profil_groups_begin(&groups, subject->nr_hits);
	for (size_t i = 0; i < subject->nr_hits; i++)
		add_hit(&groups, subject, &subject->hits[i]);
	profil_groups_join(&groups);
	qsort_r(groups.array, groups.nr, sizeof(*groups.array), by_source,
		(void *)subject);
	*source = (struct source_hits){
		.files = profil_grow(NULL, groups.nr + 1,
				     sizeof(*source->files)),
		.lines = profil_grow(NULL, groups.nr + 1,
				     sizeof(*source->lines)),
		.inner = profil_grow(NULL, groups.nr + 1,
				     sizeof(*source->inner)),
	};
	add_groups(source, subject, &groups);
	profil_groups_free(&groups);
	qsort(source->files, source->nr_files, sizeof(*source->files),
	      hottest_first);
}

void profil_source_hits_free(struct source_hits *source)
{
	free(source->files);
	free(source->lines);
	free(source->inner);
}
