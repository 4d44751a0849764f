// SPDX-License-Identifier: GPL-2.0-only
/* Files of a recording, and memory with generated code: the objects of its profile */
#include "process/mapped_file.h"
#include "record/objects.h"
#include "record/seen.h"
#include "record/sights.h"

/* A process that has ended has no start, nor an image: it is the last one with its ID. */
static bool is_same_origin(const struct resolve_origin *one,
			   const struct resolve_origin *other)
{
	return (!one->begin_ns || !other->begin_ns ||
		one->begin_ns == other->begin_ns) &&
	       (!one->image || !other->image || one->image == other->image) &&
	       !memcmp(&one->identity, &other->identity, sizeof(one->identity));
}

static struct index_key code_key(struct growing *growing,
				 const struct code *code)
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

	*key = code_key(growing, code);
	/* Files may be made whose identities have equal hashes. */
	for (;; key->words[2]++) {
		index = profil_index_map_find(&growing->objects, *key);
		if (index == INDEX_NONE ||
		    is_same_origin(&growing->origins[index], &code->origin))
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
	    !profil_mapped_file_is_memory(pid, code->path,
					  &code->origin.identity))
		return false;
	profil_index_map_set(&growing->memory_files, file, 0);
	return true;
}

/* Descriptor that names the file of @code, by the process @pid if that is not 0; 0: none */
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
	index = profil_growing_object(growing, code);
	seen.words[0] = index;
	if (process)
		profil_index_map_set(&growing->seen, seen, index);
	return index;
}
