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
	profil_index_map_free(&growing->places);
	profil_index_map_free(&growing->kernel);
	profil_started_free(growing->programs);
	free(growing->origins);
	*growing = (struct growing){ 0 };
}

/* A process that has ended has no start, nor an image: it is the last one with its ID. */
static bool is_same(const struct resolve_origin *one,
		    const struct resolve_origin *other)
{
	return (!one->begin_ns || !other->begin_ns ||
		one->begin_ns == other->begin_ns) &&
	       (!one->image || !other->image || one->image == other->image) &&
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

/* Index of the object @code, or INDEX_NONE with the @key of a new one */
static uint32_t find_object(struct growing *growing, const struct code *code,
			    struct index_key *key)
{
	uint32_t index;

	*key = key_of(growing, code);
	/* Files may be made whose identities have equal hashes. */
	for (;; key->words[2]++) {
		index = profil_index_map_find(&growing->objects, *key);
		if (index == INDEX_NONE ||
		    is_same(&growing->origins[index], &code->origin))
			return index;
	}
}

/* An object keeps one descriptor of its file. */
static void set_file(struct growing *growing, uint32_t index, int file)
{
	struct resolve_origin *origin = &growing->origins[index];

	if (!file || origin->file == file)
		return;
	if (origin->file)
		close(origin->file);
	else
		growing->nr_files++;
	origin->file = file;
}

uint32_t profil_growing_object(struct growing *growing, const struct code *code)
{
	struct index_key key;
	uint32_t index = find_object(growing, code, &key);

	if (index == INDEX_NONE) {
		index = add_object(growing, code);
		profil_index_map_set(&growing->objects, key, index);
		growing->nr_files += !!code->origin.file;
	}
	set_file(growing, index, code->origin.file);
	if (code->origin.root != INDEX_NONE)
		growing->origins[index].root = code->origin.root;
	return index;
}

bool profil_growing_is_memory(struct growing *growing, const struct code *code,
			      uint32_t pid)
{
	const struct file_identity *identity = &code->origin.identity;
	struct index_key file = { { identity->device, identity->inode } };
	struct index_key key;

	if (identity->build_id_size)
		return false;
	if (profil_index_map_find(&growing->memory_files, file) != INDEX_NONE)
		return true;
	if (find_object(growing, code, &key) != INDEX_NONE ||
	    !profil_mapped_file_is_memory(pid, code))
		return false;
	profil_index_map_set(&growing->memory_files, file, 0);
	return true;
}

/* Descriptor that names the file of @code, by the process @pid unless that is 0; or 0 */
static int find_file(const struct growing *growing, const struct code *code,
		     uint32_t pid)
{
	const struct file_identity *identity = &code->origin.identity;
	int file;

	if (growing->nr_files >= profil_sights_most())
		return 0;
	file = profil_sights_find(growing, identity);
	if (!file && pid)
		file = profil_mapped_file_open(pid, code->path, identity);
	return file;
}

uint32_t profil_growing_file(struct growing *growing, struct code *code,
			     uint32_t pid, uint64_t begin_ns)
{
	const struct resolve_origin *process = NULL;
	struct index_key key, seen = { { 0 } };
	uint32_t index = find_object(growing, code, &key);

	seen.words[0] = index;
	if (index != INDEX_NONE &&
	    profil_index_map_find(&growing->seen, seen) != INDEX_NONE)
		return index;
	if (pid)
		process = profil_growing_process(growing, pid, begin_ns);
	if (process)
		code->origin.root = process->root;
	code->origin.file = find_file(growing, code, process ? pid : 0);
	index = seen.words[0] = profil_growing_object(growing, code);
	if (process)
		profil_index_map_set(&growing->seen, seen, index);
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
	drop_files(growing);
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
