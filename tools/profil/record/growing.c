// SPDX-License-Identifier: GPL-2.0-only
/* The profile of a recording, which grows */
#include "record/growing.h"

/* Root directories that are kept for later files; a descriptor prevents an unmount. */
#define MAX_ROOTS 256

void profil_growing_begin(struct growing *growing)
{
	*growing = (struct growing){ 0 };
	profil_profile_init(&growing->profile);
}

static void forget_processes(struct growing *growing)
{
	profil_roots_free(&growing->roots);
	profil_index_map_free(&growing->known);
	free(growing->processes);
	growing->processes = NULL;
	growing->nr_processes = 0;
}

void profil_growing_free(struct growing *growing)
{
	profil_profile_free(&growing->profile);
	profil_resolve_names_free(&growing->names);
	forget_processes(growing);
	profil_index_map_free(&growing->objects);
	profil_index_map_free(&growing->places);
	profil_index_map_free(&growing->kernel);
	free(growing->origins);
	*growing = (struct growing){ 0 };
}

const struct resolve_origin *profil_growing_process(struct growing *growing,
						    uint32_t pid)
{
	struct index_key key = { { pid } };
	uint32_t index = profil_index_map_find(&growing->known, key);
	uint32_t root = profil_roots_add(&growing->roots, pid);
	uint32_t inner = profil_process_status(pid, "NSpid:", 10);

	if (index == INDEX_NONE && root == INDEX_NONE)
		return NULL;
	if (index == INDEX_NONE) {
		index = growing->nr_processes;
		ARRAY_ADD(growing->processes, growing->nr_processes,
			  (struct resolve_origin){ 0 });
		profil_index_map_set(&growing->known, key, index);
	}
	if (root != INDEX_NONE)
		growing->processes[index] = (struct resolve_origin){
			.pid = inner ? inner : pid,
			.owner = profil_process_owner(pid),
			.root = root,
		};
	return &growing->processes[index];
}

/* A process that has ended has no start: it is the last one with its ID. */
static bool is_same(const struct resolve_origin *one,
		    const struct resolve_origin *other)
{
	return (!one->begin_ns || !other->begin_ns ||
		one->begin_ns == other->begin_ns) &&
	       !memcmp(&one->identity, &other->identity, sizeof(one->identity));
}

static struct index_key key_of(struct growing *growing, const struct code *code)
{
	const char *path = profil_profile_string(&growing->profile, code->path);

	return (struct index_key){ {
		(uint64_t)code->kind << 32 | code->pid,
		(uintptr_t)path,
		profil_hash(HASH_EMPTY, &code->origin.identity,
			    sizeof(code->origin.identity)),
	} };
}

static uint32_t add_object(struct growing *growing, const struct code *code)
{
	const struct file_identity *identity = &code->origin.identity;
	struct profile_object object = {
		.kind = code->kind,
		.path = code->path,
		.build_id_size = identity->build_id_size,
	};
	uint32_t nr = growing->profile.nr_objects;

	memcpy(object.build_id, identity->build_id, sizeof(object.build_id));
	ARRAY_ADD(growing->origins, nr, code->origin);
	return profil_profile_add_object(&growing->profile, &object);
}

uint32_t profil_growing_object(struct growing *growing, const struct code *code)
{
	struct index_key key = key_of(growing, code);
	uint32_t index;

	/* Files may be made whose identities have equal hashes. */
	for (;; key.words[2]++) {
		index = profil_index_map_find(&growing->objects, key);
		if (index == INDEX_NONE ||
		    is_same(&growing->origins[index], &code->origin))
			break;
	}
	if (index == INDEX_NONE) {
		index = add_object(growing, code);
		profil_index_map_set(&growing->objects, key, index);
	}
	if (code->origin.root != INDEX_NONE)
		growing->origins[index].root = code->origin.root;
	return index;
}

static struct index_key key_of_place(const struct profile_place *place)
{
	return (struct index_key){ { place->object, place->offset,
				     place->program } };
}

void profil_growing_add(struct growing *growing,
			const struct profile_place *place)
{
	struct profile *profile = &growing->profile;
	struct index_key key = key_of_place(place);
	uint32_t index = profil_index_map_find(&growing->places, key);

	if (index == INDEX_NONE) {
		index = profil_profile_add_place(profile, place);
		profile->places[index].function = PROFILE_NONE;
		profil_index_map_set(&growing->places, key, index);
		return;
	}
	profile->places[index].user += place->user;
	profile->places[index].kernel += place->kernel;
}

void profil_growing_add_kernel(struct growing *growing, const char *name,
			       uint64_t samples)
{
	struct profile *profile = &growing->profile;
	struct profile_kernel kernel = {
		.name = profil_profile_string(profile, name),
		.program = PROFILE_NONE,
		.samples = samples,
	};
	struct index_key key = { { (uintptr_t)kernel.name } };
	uint32_t index = profil_index_map_find(&growing->kernel, key);

	if (index != INDEX_NONE) {
		profile->kernel[index].samples += samples;
		return;
	}
	index = profil_profile_add_kernel(profile, &kernel);
	profil_index_map_set(&growing->kernel, key, index);
}

/* Only new places move: marks have indices of the others. */
static void sort_new(struct growing *growing)
{
	struct profile *profile = &growing->profile;
	uint32_t first = growing->nr_named;

	array_sort(profile->places + first, profile->nr_places - first,
		   sizeof(*profile->places), profil_place_order);
	for (uint32_t i = first; i < profile->nr_places; i++)
		profil_index_map_set(&growing->places,
				     key_of_place(&profile->places[i]), i);
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

static void drop_roots(struct growing *growing)
{
	if (growing->profile.head.table != TABLE_MACHINE &&
	    growing->roots.nr <= MAX_ROOTS)
		return;
	forget_processes(growing);
	for (uint32_t i = 0; i < growing->profile.nr_objects; i++)
		growing->origins[i].root = INDEX_NONE;
}

void profil_growing_resolve(struct growing *growing, bool is_last)
{
	struct profile *profile = &growing->profile;
	uint32_t first = growing->nr_named;

	if (first < profile->nr_places)
		sort_new(growing);
	set_roots(growing);
	/* Functions that were hot only for a while leave their room to others. */
	if (is_last)
		profil_code_bytes_limit(profile);
	if (is_last || first < profile->nr_places)
		profil_growing_find_names(growing);
	profil_resolve_generated(profile, &growing->names, first,
				 growing->origins);
	growing->nr_named = profile->nr_places;
	drop_roots(growing);
}

void profil_mark_free(struct mark *mark)
{
	free(mark->places);
	free(mark->kernel);
	*mark = (struct mark){ 0 };
}

void profil_growing_mark(const struct growing *growing, struct mark *mark)
{
	const struct profile *profile = &growing->profile;

	profil_mark_free(mark);
	*mark = (struct mark){
		.numbers = growing->now,
		.places = profil_grow(NULL, profile->nr_places + 1ULL,
				      sizeof(*mark->places)),
		.nr_places = profile->nr_places,
		.kernel = profil_grow(NULL, profile->nr_kernel + 1ULL,
				      sizeof(*mark->kernel)),
		.nr_kernel = profile->nr_kernel,
	};
	for (uint32_t i = 0; i < mark->nr_places; i++)
		mark->places[i] = (struct count){ profile->places[i].user,
						  profile->places[i].kernel };
	for (uint32_t i = 0; i < mark->nr_kernel; i++)
		mark->kernel[i] = profile->kernel[i].samples;
}
