// SPDX-License-Identifier: GPL-2.0-only
/* Function that is annotated, and its samples */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/subject.h"
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

	if (samples[*one] != samples[*other])
		return samples[*one] < samples[*other] ? 1 : -1;
	return (*one > *other) - (*one < *other);
}

static int by_address(const void *a, const void *b)
{
	const struct hit *one = a, *other = b;
	const struct profile_place *x = one->place, *y = other->place;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->function > y->function) - (x->function < y->function);
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
	return hit->place->nr_frames ?
		       &subject->profile->frames[hit->place->frames] :
		       NULL;
}

const struct profile_frame *profil_subject_frame(const struct subject *subject,
						 const struct hit *hit)
{
	return hit->frame == PROFILE_NONE ?
		       NULL :
		       &subject->profile
				->frames[hit->place->frames + hit->frame];
}
