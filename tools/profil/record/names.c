// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of new places
 *
 * A confined child looks them up in its copy of the profile, and answers with a profile
 * of the new places, their functions, and all objects.
 */
#include <sys/stat.h>

#include "elf/confined.h"
#include "profile/data_file.h"
#include "record/extract.h"
#include "record/names.h"
#include "resolve/source_lines.h"

/* Bytes of names in a recording: of any place, and more for each place */
#define NAMES (8 << 20)

/* Seconds after which the child is ended */
#define DEADLINE_S 600

/* Exit status of a child whose answer exceeds the limit of the caller on files */
#define EXIT_LIMITED (EXIT_PROFIL - 2)

/* Look up names in the child, and drop the code that its parent has already. */
static void resolve_in_child(struct growing *growing)
{
	struct profile *profile = &growing->profile;
	uint32_t nr = profile->nr_functions;
	bool *has_code = profil_grow(NULL, nr + 1ULL, sizeof(*has_code));

	for (uint32_t i = 0; i < nr; i++)
		has_code[i] = profile->functions[i].code;
	profil_resolve(profile, &growing->names, growing->nr_named,
		       growing->origins);
	for (uint32_t i = 0; i < nr; i++)
		if (has_code[i])
			profile->functions[i].code = NULL;
	free(has_code);
}

/* Bytes that names may have beyond those that were looked up before */
static uint64_t room_for_names(const struct growing *growing)
{
	uint64_t all = NAMES + (uint64_t)NAMES_OF_EACH * growing->nr_named;
	uint64_t used = growing->profile.strings->size;

	return used < all ? all - used : 0;
}

static void __attribute__((noreturn)) answer(struct growing *growing, int fd)
{
	struct profile names, *from = &growing->profile;
	uint64_t room = room_for_names(growing);
	uint32_t segment = from->nr_segments, left_out;
	int error;

	resolve_in_child(growing);
	profil_profile_init(&names);
	left_out = profil_growing_places(growing, room, &names);
	for (; segment < from->nr_segments; segment++)
		profil_profile_add_segment(&names, &from->segments[segment]);
	if (left_out)
		warnx("names are too long: %u of them are left out", left_out);
	error = profil_data_write(&names, fd, DATA_TEXT);
	_exit(error == -EFBIG ? EXIT_LIMITED : error ? EXIT_PROFIL : 0);
}

static void take_objects(struct profile *profile, const struct profile *names)
{
	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		struct profile_object *object = &profile->objects[i];
		const struct profile_object *its = &names->objects[i];

		object->names = its->names;
		object->lines = its->lines;
		object->is_relocatable = its->is_relocatable;
		object->build_id_size = its->build_id_size;
		memcpy(object->build_id, its->build_id,
		       sizeof(object->build_id));
	}
	for (uint32_t i = 0; i < names->nr_segments; i++)
		profil_profile_add_segment(profile, &names->segments[i]);
}

static void take_place(struct profile *profile, struct profile_place *place,
		       const struct profile *names,
		       const struct profile_place *its,
		       const uint32_t *functions)
{
	const struct profile_frame *frame = profile_frames_of(names, its);

	place->address = its->address;
	if (its->function != PROFILE_NONE)
		place->function = functions[its->function];
	place->frames = profile->nr_frames;
	place->nr_frames = its->nr_frames;
	for (uint32_t i = 0; i < its->nr_frames; i++) {
		struct profile_frame mine = frame[i];

		mine.function = functions[mine.function];
		profil_profile_add_frame(profile, &mine);
	}
}

/*
 * An answer is text, without compression, of no more than so many bytes: names with
 * escapes, machine code, and the numbers of frames
 */
#define MAX_BYTES (4 * NAMES)
#define MAX_BYTES_OF_EACH (20 << 10)

static bool is_readable(const struct growing *growing, int fd)
{
	const struct profile *profile = &growing->profile;
	uint64_t nr = (uint64_t)profile->nr_places + profile->nr_objects;
	char mark[DATA_MARK];
	struct stat status;

	return !fstat(fd, &status) &&
	       (uint64_t)status.st_size <= MAX_BYTES + MAX_BYTES_OF_EACH * nr &&
	       pread(fd, mark, DATA_MARK, 0) == DATA_MARK &&
	       !memcmp(mark, DATA_NAME "\t", DATA_MARK);
}

/* The answer is about the places that were asked for. */
static bool is_answer(const struct growing *growing,
		      const struct profile *names)
{
	const struct profile *profile = &growing->profile;
	const struct profile_place *place = profile->places + growing->nr_named;

	if (names->nr_objects != profile->nr_objects ||
	    names->nr_places != profile->nr_places - growing->nr_named ||
	    names->nr_functions >
		    profile->nr_functions + names->nr_places * PROFILE_FRAMES)
		return false;
	for (uint32_t i = 0; i < names->nr_places; i++)
		if (names->places[i].object != place[i].object ||
		    names->places[i].offset != place[i].offset)
			return false;
	return true;
}

static void take_names(struct growing *growing, const struct profile *names)
{
	struct profile *profile = &growing->profile;
	uint32_t *functions = profil_indices(names->nr_functions);

	take_objects(profile, names);
	for (uint32_t i = 0; i < names->nr_functions; i++)
		functions[i] = profil_resolve_adopt(profile, &growing->names,
						    &names->functions[i]);
	for (uint32_t i = 0; i < names->nr_places; i++)
		take_place(profile, &profile->places[growing->nr_named + i],
			   names, &names->places[i], functions);
	free(functions);
}

static bool read_answer(struct growing *growing, const struct confined *child)
{
	char text[DATA_ERROR_TEXT];
	struct profile names;
	bool is_good;

	profil_profile_init(&names);
	lseek(child->fd, 0, SEEK_SET);
	is_good = !child->status && is_readable(growing, child->fd) &&
		  !profil_data_read(&names, child->fd, text) &&
		  is_answer(growing, &names);
	if (is_good)
		take_names(growing, &names);
	profil_profile_free(&names);
	close(child->fd);
	return is_good;
}

/* Leave out the file at which a child has failed; false if it was at none. */
static bool leave_out(struct growing *growing, uint32_t object)
{
	const struct profile *profile = &growing->profile;

	if (object >= profile->nr_objects || growing->origins[object].left_out)
		return false;
	warnx("the process that reads %s has failed: its functions have offsets in place of names",
	      profile->objects[object].path);
	growing->origins[object].left_out = FILE_LEFT_OUT;
	return true;
}

/* Without an answer, no file is read this time. */
static void do_without(struct growing *growing, bool is_limited)
{
	uint32_t nr = growing->profile.nr_objects;
	static bool is_warned;

	if (is_limited && !is_warned)
		warnx("no names are looked up, as ulimit -f is too low: raise it");
	is_warned |= is_limited;

	for (uint32_t i = 0; i < nr; i++)
		growing->origins[i].left_out |= FILE_NOT_NOW;
	profil_resolve(&growing->profile, &growing->names, growing->nr_named,
		       growing->origins);
	for (uint32_t i = 0; i < nr; i++)
		growing->origins[i].left_out &= ~FILE_NOT_NOW;
}

void profil_growing_find_names(struct growing *growing)
{
	struct confined child;

	do {
		if (profil_confine(&child, NULL, DEADLINE_S))
			answer(growing, child.fd);
		if (read_answer(growing, &child))
			return;
	} while (leave_out(growing, child.noted));
	do_without(growing, child.status == EXIT_LIMITED);
}
