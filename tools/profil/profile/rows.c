// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the samples of a profile: groups of samples, which have names */
#include "profile/kernel.h"
#include "profile/path_tails.h"
#include "profile/rows.h"
#include "profile/totals.h"
#include "util/text.h"

#define KEY(key, word, ...) "" #word,
const char *const profil_row_words[] = {
#include "profile/row_keys.h"
	NULL
};

/*
 * Rows that are made of the groups of samples that the user asks for, with a key for each
 * of the names and, in rows of prof(1), the calls of each function; and the samples of
 * the recording profil. @names, @files: of objects, programs and source files
 */
struct making {
	const struct profile *profile;
	const struct row_choice *choice;
	struct rows *rows;
	enum row_key keys[ROW_NAMES];
	struct groups groups;
	uint64_t *calls;
	struct group itself;
	struct path_names names;
	struct path_tails files;
};

/*
 * A sample with the code and the program that it is of. @function: NULL for code in no
 * function; @frame: NULL without a source line
 */
struct coded {
	const struct making *making;
	const struct profile_sample *sample;
	const struct profile_place *place;
	const struct profile_object *object;
	const struct profile_function *function;
	const struct profile_frame *frame;
	const struct profile_program *program;
};

static struct coded code_of(const struct making *making,
			    const struct profile_sample *sample)
{
	const struct profile *profile = making->profile;
	const struct profile_place *place = profile_place_of(profile, sample);
	const struct profile_frame *frame = profile_frames_of(profile, place);

	return (struct coded){
		.making = making,
		.sample = sample,
		.place = place,
		.object = &profile->objects[place->object],
		.function = place->function == PROFILE_NONE ?
				    NULL :
				    &profile->functions[place->function],
		.frame = frame && *frame->file && frame->line ? frame : NULL,
		.program = &profile->programs[sample->program],
	};
}

static bool has_key(const struct making *making, enum row_key key)
{
	for (int i = 0; i < making->rows->nr_names; i++)
		if (making->keys[i] == key)
			return true;
	return false;
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
static uint64_t object_number(const struct coded *it)
{
	if (it->object->kind == PROFILE_FILE)
		return it->place->object;
	return (uint64_t)it->object->kind << 62 | number_of(it->object->path);
}

static uint64_t function_number(const struct coded *it)
{
	if (!it->function)
		return 0;
	if (it->object->kind == PROFILE_FILE)
		return 1ULL + it->place->function;
	return number_of(it->function->name);
}

static uint64_t line_number(const struct coded *it)
{
	return it->frame ? number_of(it->frame->file) : 0;
}

static uint64_t address_number(const struct coded *it)
{
	return it->place->address;
}

static uint64_t program_number(const struct coded *it)
{
	return number_of(it->program->path);
}

static uint64_t cgroup_number(const struct coded *it)
{
	return number_of(it->program->cgroup);
}

static uint64_t thread_number(const struct coded *it)
{
	return number_of(it->program->thread);
}

static uint64_t comm_number(const struct coded *it)
{
	char comm[PROFILE_COMM];

	profil_program_comm(it->program, comm);
	return profil_hash(HASH_EMPTY, comm, strlen(comm));
}

static char *function_name(const struct coded *it)
{
	return it->function ? profil_copy_string(it->function->name) :
			      profil_object_code(it->object);
}

/* In a row without a function, the object has the name of special code. */
static char *object_name(const struct coded *it)
{
	const struct making *making = it->making;
	const char *name =
		profil_path_tail(&making->names.objects, it->object->path);

	if (it->object->kind == PROFILE_FILE || has_key(making, ROW_FUNCTION))
		return profil_copy_string(name);
	return it->object->kind == PROFILE_JIT ?
		       profil_format("[jit: %s]", name) :
		       profil_object_code(it->object);
}

static char *line_name(const struct coded *it)
{
	const struct path_tails *files = &it->making->files;

	if (!it->frame)
		return profil_copy_string("[no line]");
	return profil_format("%s:%u", profil_path_tail(files, it->frame->file),
			     it->frame->line);
}

static char *address_name(const struct coded *it)
{
	return profil_format("0x%" PRIx64, it->place->address);
}

static char *program_name(const struct coded *it)
{
	const struct path_tails *programs = &it->making->names.programs;
	const char *name = profil_path_tail(programs, it->program->path);

	return profil_copy_string(name);
}

static char *cgroup_name(const struct coded *it)
{
	const char *path = it->program->cgroup;

	return profil_copy_string(*path ? path : "[no cgroup]");
}

static char *thread_name(const struct coded *it)
{
	const char *name = it->program->thread;

	return profil_copy_string(*name ? name : "[no thread]");
}

static char *comm_name(const struct coded *it)
{
	char comm[PROFILE_COMM];

	profil_program_comm(it->program, comm);
	return profil_copy_string(comm);
}

/**
 * struct key_kind - what a key stands for
 * @noun: plural of a row
 * @number: equal for samples of one row
 * @name: copy of the name of a row, not printable yet
 * @of_object: the object is in front of it, by which a function is known
 * @of_function: the function is, too
 */
struct key_kind {
	const char *noun;
	uint64_t (*number)(const struct coded *it);
	char *(*name)(const struct coded *it);
	bool of_object;
	bool of_function;
};

#define KEY(key, word, plural, ...)              \
	[ROW_##key] = { .noun = #plural,         \
			.number = word##_number, \
			.name = word##_name,     \
			__VA_ARGS__ },
static const struct key_kind kinds[] = {
#include "profile/row_keys.h"
};

static void add_key(struct making *making, enum row_key key)
{
	struct rows *rows = making->rows;

	if (has_key(making, key))
		return;
	making->keys[rows->nr_names] = key;
	rows->heads[rows->nr_names++] = profil_row_words[key];
}

/* Functions; a single object need not be named. */
static void set_keys_of_prof(struct making *making)
{
	if (making->profile->nr_objects > 1)
		add_key(making, ROW_OBJECT);
	add_key(making, ROW_FUNCTION);
	making->rows->heads[making->rows->nr_names - 1] = "symbol";
	making->rows->noun = kinds[ROW_FUNCTION].noun;
}

static void set_keys(struct making *making)
{
	static const enum row_key preset[] = { ROW_FUNCTION };
	const struct row_choice *choice = making->choice;
	const enum row_key *by = choice->nr_by ? choice->by : preset;
	int nr = choice->nr_by ? choice->nr_by : 1;

	for (int i = 0; i < nr; i++) {
		if (kinds[by[i]].of_object)
			add_key(making, ROW_OBJECT);
		if (kinds[by[i]].of_function)
			add_key(making, ROW_FUNCTION);
		add_key(making, by[i]);
	}
	making->rows->noun = nr > 1 ? "others" : kinds[by[0]].noun;
}

static void set_names(const struct making *making, struct row *row,
		      const struct coded *it)
{
	for (int i = 0; i < making->rows->nr_names; i++) {
		char *name = kinds[making->keys[i]].name(it);

		row->names[i] = making->choice->printable(name);
		row->is_kernel |= !strcmp(name, PROFILE_KERNEL);
		free(name);
	}
}

static bool is_wanted(const struct coded *it)
{
	const struct row_choice *choice = it->making->choice;
	bool matched;
	char *name;

	if (!profil_text_matches(choice->object, it->object->path))
		return false;
	if (!choice->function)
		return true;
	name = function_name(it);
	matched = profil_text_matches(choice->function, name);
	free(name);
	return matched;
}

/* By its object, its function or its callers */
static bool asks_for_code(const struct making *making)
{
	return making->choice->object || making->choice->function ||
	       making->profile->is_through;
}

/* The recording profil is one row, unless the user asks for code. */
static bool is_itself(const struct coded *it)
{
	return !asks_for_code(it->making) &&
	       !strcmp(profil_text_base(it->program->path), PROFILE_ITSELF);
}

/* The index of the group of the sample, which has as many more samples */
static size_t add_part(struct making *making, const struct coded *it,
		       uint64_t samples, uint64_t kernel)
{
	struct group part = {
		.samples = samples,
		.kernel = kernel,
		.hottest = it->sample,
	};

	for (int i = 0; i < making->rows->nr_names; i++)
		part.numbers[i] = kinds[making->keys[i]].number(it);
	if (it->frame && has_key(making, ROW_LINE))
		part.numbers[ROW_NAMES] = it->frame->line;
	return profil_groups_add(&making->groups, making->profile, part);
}

/* Names of files with samples, of which some may have one base name */
static void read_names(struct making *making)
{
	const struct row_choice *choice = making->choice;
	const struct profile *all = choice->all ?: making->profile;

	if (!choice->by_base)
		profil_path_names_read(&making->names, all);
	if (has_key(making, ROW_LINE))
		profil_path_tails_read_sources(&making->files, all);
}

/* The place of each stack is in a group, without samples. */
static void add_callers(struct making *making)
{
	const struct profile *profile = making->profile;
	uint32_t nr = profile->nr_stacks;
	size_t *group_of = profil_grow(NULL, nr, sizeof(*group_of));

	for (uint32_t i = 0; i < nr; i++) {
		struct coded it = code_of(making, &profile->stacks[i].sample);

		group_of[i] = is_itself(&it) || !is_wanted(&it) ?
				      GROUP_NONE :
				      add_part(making, &it, 0, 0);
	}
	profil_totals_set(&making->groups, profile, group_of);
	/* A file may have code of the user and others. */
	if (has_key(making, ROW_FUNCTION) || has_key(making, ROW_LINE))
		profil_totals_set_callers(&making->groups, profile, group_of);
	free(group_of);
}

static void add_samples(struct making *making)
{
	const struct profile *profile = making->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		struct coded it = code_of(making, sample);

		if (is_itself(&it)) {
			making->itself.samples += profile_samples_of(sample);
			making->itself.kernel += sample->kernel;
		} else if (is_wanted(&it)) {
			add_part(making, &it, profile_samples_of(sample),
				 sample->kernel);
		} else {
			making->rows->left_out += profile_samples_of(sample);
		}
	}
	if (making->rows->has_totals)
		add_callers(making);
}

static struct row *add_row(struct rows *rows)
{
	ARRAY_ADD(rows->array, rows->nr, (struct row){ 0 });
	return &rows->array[rows->nr - 1];
}

static void add_rows(struct making *making)
{
	double unit = making->profile->unit;

	for (size_t i = 0; i < making->groups.nr; i++) {
		const struct group *group = &making->groups.array[i];
		struct coded it = code_of(making, group->hottest);
		double total = making->rows->has_totals ? group->total :
							  group->samples / unit;
		struct row *row;

		/* Of a stack that was left out */
		if (making->profile->is_through && !total)
			continue;
		row = add_row(making->rows);
		set_names(making, row, &it);
		row->samples = group->samples / unit;
		row->kernel = group->kernel / unit;
		row->total = total;
		row->is_own = group->is_own;
		row->caller = making->choice->printable(group->caller ?: "");
		row->caller_samples = group->caller_samples;
		making->rows->has_callers |= !!group->caller;
		row->hottest = group->hottest;
		if (making->calls)
			row->calls = making->calls[it.place->function];
		row->is_special = it.object->kind != PROFILE_FILE &&
				  !it.function;
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
	if (asks_for_code(making)) {
		rows->left_out += samples;
		return;
	}
	row = add_row(rows);
	for (int i = 0; i < rows->nr_names; i++)
		row->names[i] =
			profil_copy_string(i == rows->nr_names - 1 ? name : "");
	row->caller = profil_copy_string("");
	row->samples = samples / (double)making->profile->unit;
	row->total = row->samples;
	row->is_special = true;
}

static void add_itself(struct making *making)
{
	const struct group *itself = &making->itself;
	struct rows *rows = making->rows;
	struct row *row;

	if (!itself->samples)
		return;
	add_special(making, "[" PROFILE_ITSELF "]", itself->samples);
	row = &rows->array[rows->nr - 1];
	row->kernel = itself->kernel / (double)making->profile->unit;
	row->is_last = true;
}

/* Functions are the last names, and are compared first. */
static int by_names(const struct row *one, const struct row *other)
{
	int order = 0;

	for (int i = ROW_NAMES; !order && i-- > 0;)
		if (one->names[i] && other->names[i])
			order = strcmp(one->names[i], other->names[i]);
	return order;
}

static int by_samples(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	return one->is_last - other->is_last			   ?:
		       compare_reals(other->samples, one->samples) ?:
		       compare_reals(other->total, one->total)	   ?:
		       compare_numbers(other->calls, one->calls)   ?:
		       by_names(one, other);
}

static int by_total(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	return one->is_last - other->is_last		       ?:
		       compare_reals(other->total, one->total) ?:
								 by_samples(a, b);
}

static void sort_rows(struct rows *rows, array_order *order)
{
	double samples = 0;

	ARRAY_SORT(rows->array, rows->nr, order);
	for (size_t i = 0; i < rows->nr; i++) {
		struct row *row = &rows->array[i];

		samples += row->samples;
		row->seconds = row->samples * rows->period;
		row->cumulative = samples * rows->period;
	}
}

void profil_rows_read(struct rows *rows, const struct profile *profile,
		      const struct row_choice *choice)
{
	struct making making = {
		.profile = profile,
		.choice = choice,
		.rows = rows,
	};

	*rows = (struct rows){
		.is_prof = choice->is_prof,
		.total = profil_profile_total(profile) / (double)profile->unit,
		.left_out = profile->left_out,
		.is_through = profile->is_through,
		/* A file of arcs alone has no rate. */
		.period = profile->head.rate ? 1.0 / profile->head.rate :
					       profile->head.period_ns / 1e9,
	};
	if (choice->is_prof)
		set_keys_of_prof(&making);
	else
		set_keys(&making);
	/* Who runs code has called none, and rows of code have a name of its object. */
	rows->has_totals = choice->has_totals && profile->nr_stacks &&
			   has_key(&making, ROW_OBJECT);
	if (choice->is_prof)
		making.calls = profil_profile_calls(profile);
	read_names(&making);
	add_samples(&making);
	add_rows(&making);
	if (!choice->is_prof) {
		add_special(&making, "[outside]", profile->head.outside);
		add_special(&making, "[lost]", profile->head.lost);
	}
	add_itself(&making);
	rows->left_out /= profile->unit;
	sort_rows(rows, choice->by_total ? by_total : by_samples);
	profil_groups_free(&making.groups);
	profil_path_names_free(&making.names);
	profil_path_tails_free(&making.files);
	free(making.calls);
}

void profil_rows_free(struct rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++) {
		for (int j = 0; j < rows->nr_names; j++)
			free(rows->array[i].names[j]);
		free(rows->array[i].caller);
	}
	free(rows->array);
}
