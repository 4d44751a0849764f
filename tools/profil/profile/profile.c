// SPDX-License-Identifier: GPL-2.0-only
/* Profile in memory */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "profile/strings.h"
#include "util/exit_status.h"
#include "util/memory.h"

void profil_profile_init(struct profile *profile)
{
	*profile = (struct profile){
		.strings = profil_strings_new(),
		.head.is_complete = true,
		.head.recordings = 1,
		.head.memlock = UINT64_MAX,
	};
	profile->head.host = profil_profile_string(profile, "");
	profile->head.machine = profile->head.host;
	profile->head.release = profile->head.host;
}

void profil_profile_free(struct profile *profile)
{
	free(profile->head.argv);
	free(profile->unseen);
	free(profile->programs);
	free(profile->objects);
	free(profile->segments);
	free(profile->functions);
	free(profile->frames);
	free(profile->places);
	profil_strings_free(profile->strings);
	*profile = (struct profile){ 0 };
}

const char *profil_profile_string(struct profile *profile, const char *string)
{
	return profil_strings_add(profile->strings, string);
}

const uint8_t *profil_profile_bytes(struct profile *profile,
				    const uint8_t *bytes, size_t size)
{
	return profil_strings_bytes(profile->strings, bytes, size);
}

void profil_profile_set_command(struct profile *profile, uint32_t argc,
				const char *const *argv)
{
	struct profile_head *head = &profile->head;

	head->argv = profil_grow(head->argv, argc + 1, sizeof(*head->argv));
	for (uint32_t i = 0; i < argc; i++)
		head->argv[i] = profil_profile_string(profile, argv[i]);
	head->argv[argc] = NULL;
	head->argc = argc;
}

/* Room in @array for one element more than @nr; the room is a power of two. */
static void *with_room(void *array, uint32_t nr, size_t size)
{
	if (nr == PROFILE_NONE / 2)
		errx(EXIT_PROFIL, "the profile has too many parts");
	if (nr & (nr - 1))
		return array;
	return profil_grow(array, nr ? 2 * (size_t)nr : 1, size);
}

#define APPEND(array, nr, element)                                    \
	({                                                            \
		(array) = with_room((array), (nr), sizeof(*(array))); \
		(array)[(nr)] = (element);                            \
		(nr)++;                                               \
	})

uint32_t profil_profile_add_program(struct profile *profile, const char *path)
{
	const char *string = profil_profile_string(profile, path);

	for (uint32_t i = 0; i < profile->nr_programs; i++)
		if (profile->programs[i] == string)
			return i;
	return APPEND(profile->programs, profile->nr_programs, string);
}

uint32_t profil_profile_add_unseen(struct profile *profile,
				   const struct profile_unseen *unseen)
{
	struct profile_unseen mine = *unseen;

	mine.path = profil_profile_string(profile, unseen->path);
	return APPEND(profile->unseen, profile->nr_unseen, mine);
}

uint32_t profil_profile_add_object(struct profile *profile,
				   const struct profile_object *object)
{
	struct profile_object mine = *object;

	mine.path = profil_profile_string(profile, object->path);
	mine.package = object->package ? object->package : "";
	mine.package = profil_profile_string(profile, mine.package);
	return APPEND(profile->objects, profile->nr_objects, mine);
}

uint32_t profil_profile_add_segment(struct profile *profile,
				    const struct profile_segment *segment)
{
	return APPEND(profile->segments, profile->nr_segments, *segment);
}

uint32_t profil_profile_add_function(struct profile *profile,
				     const struct profile_function *function)
{
	struct profile_function mine = *function;

	mine.symbol = profil_profile_string(profile, function->symbol);
	mine.name = profil_profile_string(profile, function->name);
	mine.file = profil_profile_string(profile, function->file);
	if (function->code)
		mine.code = profil_profile_bytes(profile, function->code,
						 function->size);
	return APPEND(profile->functions, profile->nr_functions, mine);
}

uint32_t profil_profile_add_frame(struct profile *profile,
				  const struct profile_frame *frame)
{
	struct profile_frame mine = *frame;

	mine.file = profil_profile_string(profile, frame->file);
	return APPEND(profile->frames, profile->nr_frames, mine);
}

uint32_t profil_profile_add_place(struct profile *profile,
				  const struct profile_place *place)
{
	return APPEND(profile->places, profile->nr_places, *place);
}

static int compare(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

static int by_position(const void *a, const void *b)
{
	const struct profile_place *one = a, *other = b;
	int order = compare(one->object, other->object);

	if (!order)
		order = compare(one->offset, other->offset);
	return order ? order : compare(one->program, other->program);
}

void profil_profile_sort(struct profile *profile)
{
	struct profile_place *to = profile->places;

	if (!profile->nr_places)
		return;
	qsort(to, profile->nr_places, sizeof(*to), by_position);
	for (uint32_t i = 1; i < profile->nr_places; i++) {
		const struct profile_place *from = &profile->places[i];

		if (!by_position(to, from)) {
			to->user += from->user;
			to->kernel += from->kernel;
		} else {
			*++to = *from;
		}
	}
	profile->nr_places = to - profile->places + 1;
}

uint64_t profil_profile_total(const struct profile *profile)
{
	uint64_t total = profile->head.outside + profile->head.lost;

	for (uint32_t i = 0; i < profile->nr_places; i++)
		total += profile->places[i].user + profile->places[i].kernel;
	return total;
}
