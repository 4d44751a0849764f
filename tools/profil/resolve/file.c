// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code in a file */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdwelf.h>

#include "elf/same_file.h"
#include "elf/symbols.h"
#include "resolve/code_bytes.h"
#include "resolve/file.h"
#include "resolve/file_functions.h"
#include "resolve/source_lines.h"
#include "util/interrupt.h"
#include "util/memory.h"

static bool has_segments(const struct profile *profile, uint32_t object)
{
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		if (profile->segments[i].object == object)
			return true;
	return false;
}

static void set_functions(struct profile *profile,
			  const struct resolve_places *places,
			  const struct symbols *symbols)
{
	struct file_functions functions = {
		.profile = profile,
		.object = places->object,
		.symbols = symbols,
		.known = places->known,
		.has_addresses = has_segments(profile, places->object),
	};

	for (uint32_t i = places->first; i < places->last; i++)
		profil_file_functions_set(&functions, &profile->places[i]);
	profil_file_functions_free(&functions);
}

static void set_build_id(struct profile_object *object, Elf *elf)
{
	const void *id;
	ssize_t size;

	if (object->build_id_size)
		return;
	size = dwelf_elf_gnu_build_id(elf, &id);
	if (size <= 0)
		return;
	if (size > PROFILE_BUILD_ID)
		size = PROFILE_BUILD_ID;
	memcpy(object->build_id, id, size);
	object->build_id_size = size;
}

static void add_segments(struct profile *profile, uint32_t object,
			 const struct boundaries *boundaries)
{
	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *load = &boundaries->loads[i];
		struct profile_segment segment = {
			.object = object,
			.offset = load->p_offset,
			.address = load->p_vaddr,
			.size = load->p_filesz,
		};

		if (load->p_flags & PF_X)
			profil_profile_add_segment(profile, &segment);
	}
}

static void read_attributes(struct profile *profile, uint32_t index,
			    const struct symbols *symbols)
{
	struct profile_object *object = &profile->objects[index];
	Elf *elf = profil_symbols_elf(symbols);
	GElf_Ehdr header;

	if (gelf_getehdr(elf, &header))
		object->is_relocatable = header.e_type == ET_DYN;
	set_build_id(object, elf);
	if (!has_segments(profile, index))
		add_segments(profile, index,
			     profil_symbols_boundaries(symbols));
}

static void copy_attributes(struct profile *profile, uint32_t index,
			    const struct known_object *known)
{
	struct profile_object *object = &profile->objects[index];

	object->is_relocatable = known->object->is_relocatable;
	object->build_id_size = known->object->build_id_size;
	memcpy(object->build_id, known->object->build_id,
	       sizeof(object->build_id));
	for (uint32_t i = 0; i < known->profile->nr_segments; i++) {
		struct profile_segment segment = known->profile->segments[i];

		if (segment.object != known->places->object)
			continue;
		segment.object = index;
		profil_profile_add_segment(profile, &segment);
	}
}

static void set_attributes(struct profile *profile,
			   const struct resolve_places *places,
			   const struct symbols *symbols)
{
	if (symbols && profil_symbols_elf(symbols))
		read_attributes(profile, places->object, symbols);
	else if (places->known)
		copy_attributes(profile, places->object, places->known);
}

static bool are_known(const struct profile *profile,
		      const struct resolve_places *places)
{
	for (uint32_t i = places->first; i < places->last; i++)
		if (!profil_known_place(places->known,
					profile->places[i].offset))
			return false;
	return true;
}

static enum profile_names names_of(const struct profile *profile,
				   const struct resolve_places *places,
				   const struct symbols *symbols)
{
	if (!symbols)
		return are_known(profile, places) ? PROFILE_NAMES_READ :
						    PROFILE_NAMES_SKIPPED;
	switch (profil_symbols_status(symbols)) {
	case SYMBOLS_READ:
		return PROFILE_NAMES_READ;
	case SYMBOLS_REPLACED:
		return PROFILE_NAMES_REPLACED;
	case SYMBOLS_UNREADABLE:
		break;
	}
	return PROFILE_NAMES_UNREADABLE;
}

void profil_resolve_symbols(struct profile *profile,
			    const struct resolve_places *places,
			    struct symbols *symbols)
{
	struct profile_object *object = &profile->objects[places->object];

	object->names = names_of(profile, places, symbols);
	set_functions(profile, places, symbols);
	set_attributes(profile, places, symbols);
	if (!profil_source_lines_add(profile, places, symbols))
		object->names = PROFILE_NAMES_SKIPPED;
}

typedef struct symbols *(*open_fn)(const char *path,
				   const struct run_identity *then);

/* Path of the file in the root directory of its process */
static char *path_inside(const char *path, const struct resolve_root *root)
{
	size_t length = strlen(root->outer);
	char *inside;

	if (!strncmp(path, root->outer, length) && path[length] == '/')
		path += length;
	if (asprintf(&inside, "%s%s", root->path, path) < 0)
		profil_memory_exhausted();
	return inside;
}

/*
 * The file in the root directory, or NULL. If @is_placed, it is only opened if it is
 * the inode that was profiled.
 */
static struct symbols *open_inside(const char *path,
				   const struct resolve_root *root,
				   const struct run_identity *then,
				   open_fn open, bool is_placed)
{
	struct symbols *symbols = NULL;
	char *inside;

	if (!*root->path || *path != '/')
		return NULL;
	inside = path_inside(path, root);
	if (!is_placed || profil_same_place(then, inside))
		symbols = open(inside, then);
	free(inside);
	if (!symbols || profil_symbols_status(symbols) == SYMBOLS_READ)
		return symbols;
	profil_symbols_close(symbols);
	return NULL;
}

static struct symbols *search_roots(const char *path,
				    const struct resolve_origin *origin,
				    open_fn open, bool is_placed)
{
	struct symbols *symbols = NULL;

	for (size_t i = 0; !symbols && i < origin->nr_roots; i++)
		symbols = open_inside(path, &origin->roots[i],
				      &origin->identity, open, is_placed);
	return symbols;
}

/*
 * The file in the root directory where its inode is the one that was profiled. Other
 * programs may have a file of the same path and build ID, which is taken if the
 * inode is nowhere; or else one with this path.
 */
static struct symbols *
open_file(const char *path, const struct resolve_origin *origin, open_fn open)
{
	struct symbols *symbols;

	if (!origin)
		return open(path, NULL);
	symbols = search_roots(path, origin, open, true);
	if (!symbols && !profil_same_place(&origin->identity, path))
		symbols = search_roots(path, origin, open, false);
	return symbols ? symbols : open(path, &origin->identity);
}

/* A known function may have become hot: its code is read then. */
static void add_code(struct profile *profile,
		     const struct resolve_places *places,
		     const struct resolve_origin *origin)
{
	const char *path = profile->objects[places->object].path;
	struct symbols *symbols;

	if (profil_code_bytes_add(profile, places, NULL) ||
	    profil_interrupted())
		return;
	symbols = open_file(path, origin, profil_symbols_open_plain);
	if (profil_symbols_elf(symbols))
		profil_code_bytes_add(profile, places,
				      profil_symbols_elf(symbols));
	profil_symbols_close(symbols);
}

static void read_file(struct profile *profile,
		      const struct resolve_places *places,
		      const struct resolve_origin *origin)
{
	const char *path = profile->objects[places->object].path;
	struct symbols *symbols = open_file(path, origin, profil_symbols_open);

	profil_resolve_symbols(profile, places, symbols);
	profil_code_bytes_add(profile, places, profil_symbols_elf(symbols));
	profil_symbols_close(symbols);
}

void profil_resolve_file(struct profile *profile,
			 const struct resolve_places *places,
			 const struct resolve_origin *origin)
{
	if (are_known(profile, places) || profil_interrupted()) {
		profil_resolve_symbols(profile, places, NULL);
		add_code(profile, places, origin);
	} else {
		read_file(profile, places, origin);
	}
}
