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

/* Samples of each function, to be freed */
static struct hot_code *count(const struct profile *profile)
{
	struct hot_code *hot =
		profil_grow(NULL, profile->nr_functions + 1ULL, sizeof(*hot));

	for (uint32_t i = 0; i < profile->nr_functions; i++)
		hot[i] = (struct hot_code){
			.object = profile->functions[i].object,
			.function = i,
		};
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (profile->places[i].function != PROFILE_NONE)
			hot[profile->places[i].function].samples +=
				profile_samples_of(&profile->places[i]);
	return hot;
}

static int by_object(const void *a, const void *b)
{
	const struct hot_code *one = a, *other = b;

	return compare_numbers(one->object, other->object)	     ?:
		       compare_numbers(other->samples, one->samples) ?:
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

static bool is_hot(const struct hot_code *hot, uint64_t total)
{
	return hot->samples && hot->samples * 1000 >= total * SHARE;
}

void profil_code_bytes_limit(struct profile *profile)
{
	uint64_t total = profil_profile_total(profile);
	struct hot_code *hot = count(profile);

	for (uint32_t i = 0; i < profile->nr_functions; i++)
		if (!is_hot(&hot[i], total))
			profile->functions[i].code = NULL;
	free(hot);
}

struct hot_code *profil_code_bytes_missing(const struct profile *profile,
					   uint32_t *nr)
{
	uint64_t total = profil_profile_total(profile);
	struct hot_code *hot = count(profile);

	*nr = 0;
	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		const struct profile_function *function =
			&profile->functions[i];

		if (is_hot(&hot[i], total) && !function->code &&
		    may_have_code(profile, function))
			hot[(*nr)++] = hot[i];
	}
	ARRAY_SORT(hot, *nr, by_object);
	return hot;
}

void profil_code_bytes_add(struct profile *profile, const struct hot_code *hot,
			   uint32_t nr, Elf *elf)
{
	uint64_t used = size_of_all(profile);

	for (uint32_t i = 0; i < nr && hot[i].object == hot->object; i++) {
		struct profile_function *function =
			&profile->functions[hot[i].function];
		const uint8_t *code =
			profil_code_bytes_read(profile, function, elf);

		if (!code || function->size > MAX_PROFILE - used)
			continue;
		function->code =
			profil_profile_bytes(profile, code, function->size);
		used += function->size;
	}
}
