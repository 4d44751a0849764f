// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of the samples of a profile
 *
 * A place has a number for each key. The places of a row are those with equal
 * numbers, which follow each other when the places are sorted by them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/profile_rows.h"
#include "util/memory.h"
#include "util/text.h"

const char *const profil_row_words[] = {
	[ROW_FUNCTION] = "function", [ROW_OBJECT] = "object",
	[ROW_LINE] = "line",	     [ROW_ADDRESS] = "address",
	[ROW_PROGRAM] = "program",   [ROW_KEYS] = NULL,
};

static const char *const nouns[] = {
	[ROW_FUNCTION] = "functions", [ROW_OBJECT] = "objects",
	[ROW_LINE] = "lines",	      [ROW_ADDRESS] = "addresses",
	[ROW_PROGRAM] = "programs",
};

/**
 * struct member - a place in a row
 * @keys: its numbers, and that of the line in the source file
 * @place: the place
 */
struct member {
	uint64_t keys[ROW_NAMES + 1];
	const struct profile_place *place;
};

/**
 * struct making - rows that are made
 * @profile: the profile
 * @choice: rows that the user asks for
 * @rows: the rows
 * @keys: keys of the rows, @rows->nr_names elements
 * @members: places that the user asks for
 * @nr: elements of @members
 */
struct making {
	const struct profile *profile;
	const struct row_choice *choice;
	struct rows *rows;
	enum row_key keys[ROW_NAMES];
	struct member *members;
	size_t nr;
};

static const struct profile_object *object_of(const struct making *making,
					      const struct profile_place *place)
{
	return &making->profile->objects[place->object];
}

static const struct profile_function *
function_of(const struct making *making, const struct profile_place *place)
{
	if (place->function == PROFILE_NONE)
		return NULL;
	return &making->profile->functions[place->function];
}

static bool has_key(const struct making *making, enum row_key key)
{
	for (int i = 0; i < making->rows->nr_names; i++)
		if (making->keys[i] == key)
			return true;
	return false;
}

static void add_key(struct making *making, enum row_key key)
{
	struct rows *rows = making->rows;

	if (has_key(making, key))
		return;
	making->keys[rows->nr_names] = key;
	rows->heads[rows->nr_names++] = profil_row_words[key];
}

/* A function is known by its object, and an address by its function. */
static void set_keys(struct making *making)
{
	static const enum row_key preset[] = { ROW_FUNCTION };
	const struct row_choice *choice = making->choice;
	const enum row_key *by = choice->nr_by ? choice->by : preset;
	int nr = choice->nr_by ? choice->nr_by : 1;

	for (int i = 0; i < nr; i++) {
		if (by[i] != ROW_PROGRAM)
			add_key(making, ROW_OBJECT);
		if (by[i] == ROW_ADDRESS)
			add_key(making, ROW_FUNCTION);
		add_key(making, by[i]);
	}
	making->rows->noun = nr > 1 ? "others" : nouns[by[0]];
}

/* Strings of a profile are unique: equal ones have one address. */
static uint64_t number_of(const char *string)
{
	return (uintptr_t)string;
}

/*
 * Code outside of files has an object for each process, and all processes of a
 * program have one row.
 */
static uint64_t object_key(const struct making *making,
			   const struct profile_place *place)
{
	const struct profile_object *object = object_of(making, place);

	if (object->kind == PROFILE_FILE)
		return place->object;
	return (uint64_t)object->kind << 62 | number_of(object->path);
}

static uint64_t function_key(const struct making *making,
			     const struct profile_place *place)
{
	const struct profile_function *function = function_of(making, place);

	if (!function)
		return 0;
	if (object_of(making, place)->kind == PROFILE_FILE)
		return 1 + (uint64_t)place->function;
	return number_of(function->name);
}

static const struct profile_frame *frame_of(const struct making *making,
					    const struct profile_place *place)
{
	const struct profile_frame *frame =
		&making->profile->frames[place->frames];

	return place->nr_frames && *frame->file && frame->line ? frame : NULL;
}

static uint64_t line_key(const struct making *making,
			 const struct profile_place *place)
{
	const struct profile_frame *frame = frame_of(making, place);

	return frame ? number_of(frame->file) : 0;
}

static uint64_t key_of(const struct making *making, enum row_key key,
		       const struct profile_place *place)
{
	switch (key) {
	case ROW_FUNCTION:
		return function_key(making, place);
	case ROW_LINE:
		return line_key(making, place);
	case ROW_ADDRESS:
		return place->address;
	case ROW_PROGRAM:
		return place->program;
	default:
		return object_key(making, place);
	}
}

char *profil_place_name(const struct profile *profile,
			const struct profile_place *place)
{
	const struct profile_object *object = &profile->objects[place->object];
	char *name = NULL;

	if (object->kind != PROFILE_JIT)
		return profil_copy_string("[outside]");
	if (asprintf(&name, "[jit: %s]", profil_text_base(object->path)) < 0)
		return profil_copy_string("[jit]");
	return name;
}

/* Copy of the name of the function at @place, not printable yet */
static char *function_name(const struct making *making,
			   const struct profile_place *place)
{
	const struct profile_function *function = function_of(making, place);

	return function ? profil_copy_string(function->name) :
			  profil_place_name(making->profile, place);
}

/* In a row without a function, the object has the name of special code. */
static char *object_name(const struct making *making,
			 const struct profile_place *place)
{
	const struct profile_object *object = object_of(making, place);

	if (object->kind != PROFILE_FILE && !has_key(making, ROW_FUNCTION))
		return profil_place_name(making->profile, place);
	return profil_copy_string(profil_text_base(object->path));
}

static char *line_name(const struct making *making,
		       const struct profile_place *place)
{
	const struct profile_frame *frame = frame_of(making, place);
	char *name = NULL;

	if (!frame || asprintf(&name, "%s:%u", profil_text_base(frame->file),
			       frame->line) < 0)
		return profil_copy_string("[no line]");
	return name;
}

static char *address_name(const struct profile_place *place)
{
	char name[24];

	snprintf(name, sizeof(name), "0x%" PRIx64, place->address);
	return profil_copy_string(name);
}

static char *program_name(const struct making *making,
			  const struct profile_place *place)
{
	const char *path = making->profile->programs[place->program];

	return profil_copy_string(profil_text_base(path));
}

static char *name_of(const struct making *making, enum row_key key,
		     const struct profile_place *place)
{
	switch (key) {
	case ROW_FUNCTION:
		return function_name(making, place);
	case ROW_LINE:
		return line_name(making, place);
	case ROW_ADDRESS:
		return address_name(place);
	case ROW_PROGRAM:
		return program_name(making, place);
	default:
		return object_name(making, place);
	}
}

static void set_names(const struct making *making, struct row *row,
		      const struct profile_place *place)
{
	for (int i = 0; i < making->rows->nr_names; i++) {
		char *name = name_of(making, making->keys[i], place);

		row->names[i] = making->choice->printable(name);
		free(name);
	}
}

static bool matches(const regex_t *regex, const char *text)
{
	return !regex || !regexec(regex, text, 0, NULL, 0);
}

static bool is_wanted(const struct making *making,
		      const struct profile_place *place)
{
	const struct row_choice *choice = making->choice;
	bool matched;
	char *name;

	if (!matches(choice->object, object_of(making, place)->path))
		return false;
	if (!choice->function)
		return true;
	name = function_name(making, place);
	matched = matches(choice->function, name);
	free(name);
	return matched;
}

static void add_member(struct making *making, const struct profile_place *place)
{
	struct member *member = &making->members[making->nr++];
	const struct profile_frame *frame = frame_of(making, place);

	*member = (struct member){ .place = place };
	for (int i = 0; i < making->rows->nr_names; i++)
		member->keys[i] = key_of(making, making->keys[i], place);
	if (frame && has_key(making, ROW_LINE))
		member->keys[ROW_NAMES] = frame->line;
}

static int by_keys(const void *a, const void *b)
{
	const struct member *one = a, *other = b;

	for (int i = 0; i < ROW_NAMES + 1; i++)
		if (one->keys[i] != other->keys[i])
			return one->keys[i] < other->keys[i] ? -1 : 1;
	return 0;
}

static uint64_t samples_of(const struct profile_place *place)
{
	return place->user + place->kernel;
}

static void choose_members(struct making *making)
{
	const struct profile *profile = making->profile;

	making->members = profil_grow(NULL, (size_t)profile->nr_places + 1,
				      sizeof(*making->members));
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];

		if (is_wanted(making, place))
			add_member(making, place);
		else
			making->rows->left_out += samples_of(place);
	}
	qsort(making->members, making->nr, sizeof(*making->members), by_keys);
}

static void add_place(struct row *row, const struct profile_place *place)
{
	row->samples += samples_of(place);
	row->kernel += place->kernel;
	if (!row->hottest || samples_of(place) > samples_of(row->hottest))
		row->hottest = place;
}

static void add_rows(struct making *making)
{
	struct row *row = NULL;

	for (size_t i = 0; i < making->nr; i++) {
		const struct member *member = &making->members[i];
		const struct profile_place *place = member->place;

		if (!i || by_keys(member - 1, member)) {
			row = profil_rows_add(making->rows);
			set_names(making, row, place);
			row->is_special = object_of(making, place)->kind !=
						  PROFILE_FILE &&
					  !function_of(making, place);
		}
		add_place(row, place);
	}
}

/* Samples that are in no place */
static void add_special(struct making *making, const char *name,
			uint64_t samples)
{
	struct rows *rows = making->rows;
	struct row *row;

	if (!samples)
		return;
	if (making->choice->object || making->choice->function) {
		rows->left_out += samples;
		return;
	}
	row = profil_rows_add(rows);
	for (int i = 0; i < rows->nr_names; i++)
		row->names[i] =
			profil_copy_string(i == rows->nr_names - 1 ? name : "");
	row->samples = samples;
	row->is_special = true;
}

void profil_profile_rows_read(struct rows *rows, const struct profile *profile,
			      const struct row_choice *choice)
{
	struct making making = {
		.profile = profile,
		.choice = choice,
		.rows = rows,
	};

	*rows = (struct rows){
		.total = profil_profile_total(profile),
		.period = profile->head.period_ns / 1e9,
	};
	set_keys(&making);
	choose_members(&making);
	add_rows(&making);
	add_special(&making, "[outside]", profile->head.outside);
	add_special(&making, "[lost]", profile->head.lost);
	profil_rows_sort(rows);
	free(making.members);
}
