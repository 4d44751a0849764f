// SPDX-License-Identifier: GPL-2.0-only
/* The profile of a recording, which grows */
#include "record/growing.h"
#include "record/memory.h"
#include "record/names.h"
#include "record/program.h"
#include "record/seen.h"
#include "record/sights.h"
#include "resolve/file.h"
#include "resolve/source_lines.h"

/* Root directories that are kept for later files; a descriptor prevents an unmount. */
#define MAX_ROOTS 256

void profil_growing_begin(struct growing *growing)
{
	*growing = (struct growing){ 0 };
	profil_profile_init(&growing->profile);
}

/* What is kept for names is of no use when they have been looked up. */
static void drop_files(struct growing *growing)
{
	bool is_all = growing->profile.head.table == TABLE_MACHINE ||
		      growing->roots.nr > MAX_ROOTS;

	profil_growing_forget(growing, is_all);
	profil_sights_drop(growing, false);
	growing->nr_files = 0;
	for (uint32_t i = 0; i < growing->profile.nr_objects; i++) {
		struct resolve_origin *origin = &growing->origins[i];

		if (origin->file)
			close(origin->file);
		origin->file = 0;
		if (is_all)
			origin->root = INDEX_NONE;
	}
}

void profil_growing_free(struct growing *growing)
{
	drop_files(growing);
	profil_growing_forget(growing, true);
	profil_memory_forget(growing);
	profil_sights_drop(growing, true);
	profil_profile_free(&growing->profile);
	profil_resolve_names_free(&growing->names);
	profil_index_map_free(&growing->objects);
	profil_index_set_free(&growing->samples);
	profil_started_free(growing->programs);
	free(growing->origins);
	*growing = (struct growing){ 0 };
}

static bool is_sample(const void *samples, uint32_t index, const void *sample)
{
	const struct profile_sample *known = samples, *new = sample;

	known += index;
	return known->place == new->place && known->program == new->program;
}

/* Index of the sample of this place and program; of @sample, if there is none */
static uint32_t find_sample(struct growing *growing,
			    const struct profile_sample *sample)
{
	struct profile *profile = &growing->profile;
	struct index_key key = { { sample->place, sample->program } };
	uint32_t index = profil_index_set_add(&growing->samples,
					      profil_index_hash(&key),
					      profile->nr_samples, is_sample,
					      profile->samples, sample);

	return index == profile->nr_samples ?
		       profil_profile_add_sample(profile, sample) :
		       index;
}

static uint32_t add_nameless(struct profile *profile,
			     const struct profile_place *place)
{
	struct profile_place nameless = {
		.object = place->object,
		.offset = place->offset,
		.function = PROFILE_NONE,
	};

	return profil_profile_add_place(profile, &nameless);
}

void profil_growing_add(struct growing *growing,
			const struct profile_place *place,
			const struct profile_sample *sample)
{
	struct profile *profile = &growing->profile;
	struct profile_sample mine = { .program = sample->program };
	uint32_t index;

	mine.place = add_nameless(profile, place);
	index = find_sample(growing, &mine);
	profile->samples[index].user += sample->user;
	profile->samples[index].kernel += sample->kernel;
}

uint32_t profil_growing_add_stack(struct growing *growing, uint32_t parent,
				  uint32_t end,
				  const struct profile_place *place,
				  const struct profile_sample *sample)
{
	struct profile_stack stack = {
		.parent = parent,
		.end = end,
		.place = add_nameless(&growing->profile, place),
		.program = sample->program,
		.user = sample->user,
		.kernel = sample->kernel,
	};

	return profil_profile_add_stack(&growing->profile, &stack);
}

/*
 * The file of a process that has ended may be in any root directory, and its map of
 * generated code is looked for here.
 */
static void set_roots(struct growing *growing)
{
	for (uint32_t i = 0; i < growing->profile.nr_objects; i++) {
		struct resolve_origin *origin = &growing->origins[i];

		origin->roots = growing->roots.fds;
		origin->nr_roots = growing->roots.nr;
		if (origin->root != INDEX_NONE) {
			origin->roots += origin->root;
			origin->nr_roots = 1;
		} else if (growing->profile.objects[i].kind == PROFILE_JIT) {
			origin->nr_roots = 0;
		}
	}
}

void profil_growing_resolve(struct growing *growing, bool is_last)
{
	struct profile *profile = &growing->profile;
	uint32_t first = growing->nr_named;

	set_roots(growing);
	/* Functions that were hot only for a while leave their room to others. */
	if (is_last)
		profil_code_bytes_limit(profile);
	if (is_last || first < profile->nr_places)
		profil_growing_find_names(growing);
	profil_resolve_generated(profile, &growing->names, first,
				 growing->origins);
	growing->nr_named = profile->nr_places;
	drop_files(growing);
}

void profil_mark_free(struct mark *mark)
{
	free(mark->samples);
	free(mark->stacks);
	free(mark->kernel);
	*mark = (struct mark){ 0 };
}

void profil_growing_mark(const struct growing *growing, struct mark *mark)
{
	const struct profile *profile = &growing->profile;

	profil_mark_free(mark);
	*mark = (struct mark){
		.numbers = growing->now,
		.samples = profil_grow(NULL, profile->nr_samples + 1ULL,
				       sizeof(*mark->samples)),
		.nr_samples = profile->nr_samples,
		.stacks = profil_grow(NULL, profile->nr_stacks + 1ULL,
				      sizeof(*mark->stacks)),
		.nr_stacks = profile->nr_stacks,
		.kernel = profil_grow(NULL, profile->nr_kernel + 1ULL,
				      sizeof(*mark->kernel)),
		.nr_kernel = profile->nr_kernel,
	};
	for (uint32_t i = 0; i < mark->nr_samples; i++)
		mark->samples[i] = (struct count){ profile->samples[i].user,
						   profile->samples[i].kernel };
	for (uint32_t i = 0; i < mark->nr_stacks; i++)
		mark->stacks[i] = (struct count){ profile->stacks[i].user,
						  profile->stacks[i].kernel };
	for (uint32_t i = 0; i < mark->nr_kernel; i++)
		mark->kernel[i] = profile->kernel[i].samples;
}
