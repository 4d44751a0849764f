// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machine code of hot functions
 *
 * The code is kept in the profile, so that instructions can be shown when the
 * file is gone. Its size is bounded, and the hottest functions come first.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "resolve/places.h"
#include "util/memory.h"

/* Per mille of all samples: the code of functions with less is not kept */
#define SHARE 2

/* Upper limits of bytes: of a function, and of all in a profile */
#define MAX_FUNCTION (64 << 10)
#define MAX_PROFILE (2 << 20)

/**
 * struct hot_code - a function with samples
 * @function: its index
 * @samples: its samples
 * @known: the function in an earlier snapshot, or NULL
 */
struct hot_code {
	uint32_t function;
	uint64_t samples;
	const struct profile_function *known;
};

static void add_place(struct hot_code *hot, const struct profile_place *place,
		      const struct known_object *object)
{
	const struct profile_place *known =
		profil_known_place(object, place->offset);

	hot->samples += profile_samples_of(place);
	if (known)
		hot->known = &object->profile->functions[known->function];
}

/* Functions of @places with samples, to be freed; their number in @nr */
static struct hot_code *count(const struct profile *profile,
			      const struct resolve_places *places, uint32_t *nr)
{
	struct hot_code *hot =
		profil_grow(NULL, profile->nr_functions + 1, sizeof(*hot));

	for (uint32_t i = 0; i < profile->nr_functions; i++)
		hot[i] = (struct hot_code){ .function = i };
	for (uint32_t i = places->first; i < places->last; i++)
		add_place(&hot[profile->places[i].function],
			  &profile->places[i], places->known);
	*nr = 0;
	for (uint32_t i = 0; i < profile->nr_functions; i++)
		if (hot[i].samples)
			hot[(*nr)++] = hot[i];
	return hot;
}

static int by_samples(const void *a, const void *b)
{
	const struct hot_code *one = a, *other = b;

	return compare_numbers(other->samples, one->samples) ?:
		       compare_numbers(one->function, other->function);
}

static uint64_t size_of_all(const struct profile *profile)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < profile->nr_functions; i++)
		if (profile->functions[i].code)
			size += profile->functions[i].size;
	return size;
}

/* Offset in the file of @function's code; false if the file has not all of it */
static bool find_offset(const struct profile *profile,
			const struct profile_function *function,
			uint64_t *offset)
{
	for (uint32_t i = 0; i < profile->nr_segments; i++) {
		const struct profile_segment *segment = &profile->segments[i];
		uint64_t into = function->address - segment->address;

		if (segment->object != function->object ||
		    into >= segment->size ||
		    function->size > segment->size - into)
			continue;
		*offset = segment->offset + into;
		return true;
	}
	return false;
}

const uint8_t *profil_code_bytes_read(const struct profile *profile,
				      const struct profile_function *function,
				      Elf *elf)
{
	Elf_Data *data;
	uint64_t offset;

	if (!function->size || function->size > MAX_FUNCTION ||
	    !find_offset(profile, function, &offset))
		return NULL;
	data = elf_getdata_rawchunk(elf, offset, function->size, ELF_T_BYTE);
	return data && data->d_size == function->size ? data->d_buf : NULL;
}

/* The file has code of the functions that this is true of. */
static bool may_have_code(const struct profile *profile,
			  const struct profile_function *function)
{
	uint64_t offset;

	return function->size && function->size <= MAX_FUNCTION &&
	       find_offset(profile, function, &offset);
}

/*
 * Store the code of the function @hot if it has no more than @room bytes. False
 * if the file has to be read for it.
 */
static bool add_code(struct profile *profile, const struct hot_code *hot,
		     uint64_t *room, Elf *elf)
{
	struct profile_function *function = &profile->functions[hot->function];
	const uint8_t *code = hot->known ? hot->known->code : NULL;

	if (function->code || function->size > *room ||
	    !may_have_code(profile, function))
		return true;
	if (!code && elf)
		code = profil_code_bytes_read(profile, function, elf);
	if (!code)
		return elf;
	function->code = profil_profile_bytes(profile, code, function->size);
	*room -= function->size;
	return true;
}

bool profil_code_bytes_add(struct profile *profile,
			   const struct resolve_places *places, Elf *elf)
{
	uint64_t total = profil_profile_total(profile);
	uint64_t room = MAX_PROFILE - size_of_all(profile);
	bool all = true;
	uint32_t nr;
	struct hot_code *hot = count(profile, places, &nr);

	ARRAY_SORT(hot, nr, by_samples);
	for (uint32_t i = 0; i < nr && all; i++) {
		if (hot[i].samples * 1000 < total * SHARE)
			break;
		all = add_code(profile, &hot[i], &room, elf);
	}
	free(hot);
	return all;
}
