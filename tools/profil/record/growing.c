// SPDX-License-Identifier: GPL-2.0-only
/* The profile of a recording, which grows */
#include <stdlib.h>
#include <string.h>

#include "record/growing.h"
#include "util/memory.h"

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
	free(growing->codes);
	free(growing->origins);
	*growing = (struct growing){ 0 };
}

const struct known_process *profil_growing_process(struct growing *growing,
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
			  (struct known_process){ 0 });
		profil_index_map_set(&growing->known, key, index);
	}
	if (root != INDEX_NONE)
		growing->processes[index] = (struct known_process){
			.inner = inner ? inner : pid,
			.owner = profil_process_owner(pid),
			.root = root,
		};
	return &growing->processes[index];
}

uint64_t profil_clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

static struct resolve_origin origin_of(struct growing *growing,
				       const struct code *code)
{
	struct resolve_origin origin = { .identity = code->identity };
	const struct known_process *process;

	if (!code->pid)
		return origin;
	process = profil_growing_process(growing, code->pid);
	origin.pid = process ? process->inner : code->pid;
	origin.owner = process ? process->owner : 0;
	if (code->begin_ns)
		origin.begin_ns = profil_clock_now(CLOCK_REALTIME) -
				  profil_clock_now(CLOCK_BOOTTIME) +
				  code->begin_ns;
	return origin;
}

/* A process that has ended has no start: it is the last one with its ID. */
static bool is_same(const struct code *one, const struct code *other)
{
	if (one->kind == PROFILE_JIT)
		return !one->begin_ns || !other->begin_ns ||
		       one->begin_ns == other->begin_ns;
	return !memcmp(&one->identity, &other->identity, sizeof(one->identity));
}

static struct index_key key_of(struct growing *growing, const struct code *code)
{
	const char *path = profil_profile_string(&growing->profile, code->path);

	return (struct index_key){ {
		(uint64_t)code->kind << 32 | code->pid,
		(uintptr_t)path,
		profil_hash(HASH_EMPTY, &code->identity,
			    sizeof(code->identity)),
	} };
}

static uint32_t add_object(struct growing *growing, const struct code *code)
{
	const struct file_identity *identity = &code->identity;
	struct profile_object object = {
		.kind = code->kind,
		.path = code->path,
		.build_id_size = identity->build_id_size,
	};
	uint32_t nr = growing->profile.nr_objects;
	size_t more = nr;

	memcpy(object.build_id, identity->build_id, sizeof(object.build_id));
	profil_profile_add_object(&growing->profile, &object);
	ARRAY_ADD(growing->origins, more, origin_of(growing, code));
	ARRAY_ADD(growing->codes, nr, *code);
	growing->codes[nr - 1].path = NULL;
	return nr - 1;
}

uint32_t profil_growing_object(struct growing *growing, const struct code *code)
{
	struct index_key key = key_of(growing, code);
	uint32_t index;

	/* Files may be made whose identities have equal hashes. */
	for (;; key.words[2]++) {
		index = profil_index_map_find(&growing->objects, key);
		if (index == INDEX_NONE ||
		    is_same(&growing->codes[index], code))
			break;
	}
	if (index == INDEX_NONE) {
		index = add_object(growing, code);
		profil_index_map_set(&growing->objects, key, index);
	}
	if (code->root != INDEX_NONE)
		growing->codes[index].root = code->root;
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

static int by_position(const void *a, const void *b)
{
	const struct profile_place *one = a, *other = b;

	return compare_numbers(one->object, other->object)	   ?:
		       compare_numbers(one->offset, other->offset) ?:
		       compare_numbers(one->program, other->program);
}

/* Only new places move: marks have indices of the others. */
static void sort_new(struct growing *growing)
{
	struct profile *profile = &growing->profile;
	uint32_t first = growing->nr_named;

	array_sort(profile->places + first, profile->nr_places - first,
		   sizeof(*profile->places), by_position);
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
		uint32_t root = growing->codes[i].root;

		origin->roots = growing->roots.paths;
		origin->nr_roots = growing->roots.nr;
		if (root != INDEX_NONE) {
			origin->roots += root;
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
		growing->codes[i].root = INDEX_NONE;
}

void profil_growing_resolve(struct growing *growing, bool is_last)
{
	struct profile *profile = &growing->profile;

	if (growing->nr_named < profile->nr_places)
		sort_new(growing);
	set_roots(growing);
	/* Functions that were hot only for a while leave their room to others. */
	if (is_last)
		profil_code_bytes_limit(profile);
	profil_resolve(profile, &growing->names, growing->nr_named,
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

/**
 * struct extract - a part of a profile that becomes another one
 * @from: the profile
 * @names: its functions
 * @to: the other one
 * @objects: index in @to of each object, or PROFILE_NONE
 * @functions: the same for functions
 */
struct extract {
	const struct profile *from;
	const struct resolve_names *names;
	struct profile *to;
	uint32_t *objects;
	uint32_t *functions;
};

static uint32_t *new_map(uint32_t nr)
{
	uint32_t *map = profil_grow(NULL, nr + 1ULL, sizeof(*map));

	memset(map, 0xff, nr * sizeof(*map));
	return map;
}

static uint32_t object_of(struct extract *extract, uint32_t index)
{
	const struct profile *from = extract->from;
	uint32_t *mine = &extract->objects[index];

	if (*mine == PROFILE_NONE)
		*mine = profil_profile_add_object(extract->to,
						  &from->objects[index]);
	return *mine;
}

static uint32_t function_of(struct extract *extract, uint32_t index)
{
	struct profile_function function;
	uint32_t *mine;

	if (index == PROFILE_NONE)
		return PROFILE_NONE;
	index = profil_resolve_function(extract->names, extract->from, index);
	mine = &extract->functions[index];
	if (*mine != PROFILE_NONE)
		return *mine;
	function = extract->from->functions[index];
	function.object = object_of(extract, function.object);
	*mine = profil_profile_add_function(extract->to, &function);
	return *mine;
}

static void add_frames(struct extract *extract, struct profile_place *place,
		       uint32_t first)
{
	place->frames = extract->to->nr_frames;
	for (uint32_t i = 0; i < place->nr_frames; i++) {
		struct profile_frame frame = extract->from->frames[first + i];

		frame.function = function_of(extract, frame.function);
		profil_profile_add_frame(extract->to, &frame);
	}
}

/* Functions with code of their own come first, then those that were inlined. */
static void add_places(struct extract *extract, struct profile_place *places,
		       uint32_t nr)
{
	uint32_t end;

	for (uint32_t first = 0; first < nr; first = end) {
		for (end = first;
		     end < nr && places[end].object == places[first].object;
		     end++)
			places[end].function =
				function_of(extract, places[end].function);
		for (uint32_t i = first; i < end; i++) {
			struct profile_place *place = &places[i];
			const struct profile_program *program =
				&extract->from->programs[place->program];

			add_frames(extract, place, place->frames);
			place->object = object_of(extract, place->object);
			place->program = profil_profile_add_program(extract->to,
								    program);
			profil_profile_add_place(extract->to, place);
		}
	}
}

static void add_segments(struct extract *extract)
{
	for (uint32_t i = 0; i < extract->from->nr_segments; i++) {
		struct profile_segment segment = extract->from->segments[i];

		segment.object = extract->objects[segment.object];
		if (segment.object != PROFILE_NONE)
			profil_profile_add_segment(extract->to, &segment);
	}
}

/* The build ID of the first program is a label of all parts of a recording. */
static void add_first(struct extract *extract)
{
	const struct profile *from = extract->from;

	if (!from->nr_programs)
		return;
	profil_profile_add_program(extract->to, &from->programs[0]);
	for (uint32_t i = 0; i < from->nr_objects; i++)
		if (from->objects[i].kind == PROFILE_FILE &&
		    from->objects[i].path == from->programs[0].path)
			object_of(extract, i);
}

static void add_kernel(struct extract *extract, const struct mark *mark)
{
	for (uint32_t i = 0; i < extract->from->nr_kernel; i++) {
		struct profile_kernel kernel = extract->from->kernel[i];

		if (i < mark->nr_kernel)
			kernel.samples -= mark->kernel[i];
		if (kernel.samples)
			profil_profile_add_kernel(extract->to, &kernel);
	}
}

static int by_path(const void *a, const void *b, void *data)
{
	const struct profile_place *one = a, *other = b;
	const struct profile *profile = data;
	const struct profile_object *x = &profile->objects[one->object];
	const struct profile_object *y = &profile->objects[other->object];

	return (x == y ? 0 : strcmp(x->path, y->path)) ?: by_position(a, b);
}

/* Places with samples since @mark, sorted, to be freed */
static struct profile_place *places_since(const struct profile *profile,
					  const struct mark *mark, uint32_t *nr)
{
	struct profile_place *places = NULL;

	*nr = 0;
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		struct profile_place place = profile->places[i];

		if (i < mark->nr_places) {
			place.user -= mark->places[i].user;
			place.kernel -= mark->places[i].kernel;
		}
		if (profile_samples_of(&place))
			ARRAY_ADD(places, *nr, place);
	}
	if (*nr)
		qsort_r(places, *nr, sizeof(*places), by_path, (void *)profile);
	return places;
}

void profil_growing_since(const struct growing *growing,
			  const struct mark *mark, struct profile *profile)
{
	const struct profile *from = &growing->profile;
	struct extract extract = {
		.from = from,
		.names = &growing->names,
		.to = profile,
		.objects = new_map(from->nr_objects),
		.functions = new_map(from->nr_functions),
	};
	uint32_t nr;
	struct profile_place *places = places_since(from, mark, &nr);

	add_first(&extract);
	add_places(&extract, places, nr);
	add_segments(&extract);
	add_kernel(&extract, mark);
	free(places);
	free(extract.objects);
	free(extract.functions);
	profil_profile_sort(profile);
	profil_code_bytes_limit(profile);
}
