// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code in a file, and the machine code of hot functions */
#include "elf/confined.h"
#include "elf/demangle.h"
#include "resolve/file.h"
#include "resolve/source_lines.h"
#include "util/interrupt.h"

/*
 * Functions of a file, by its symbols
 *
 * Code without a symbol belongs to the function that the unwind table has for
 * it. In a file that cannot be read each offset is a function.
 */

uint32_t profil_resolve_add(struct profile *profile, const char *path,
			    struct profile_function *function)
{
	char *name = profil_function_name(path, function);
	uint32_t index;

	function->name = name;
	function->file = "";
	index = profil_profile_add_function(profile, function);
	free(name);
	return index;
}

/* Index of the function at @address, which is added for the first of its places */
static uint32_t find_function(struct profile *profile,
			      const struct resolve_places *places,
			      const struct symbols *symbols, uint64_t address)
{
	const char *path = profile->objects[places->object].path;
	struct profile_function function =
		profil_symbols_function(symbols, address);
	struct index_map *found = &places->names->functions;
	struct index_key key = { { places->object, function.address,
				   function.size } };
	uint32_t nr = profile->nr_functions;
	uint32_t index = profil_index_map_add(found, key, nr);

	if (index < nr)
		return index;
	function.object = places->object;
	return profil_resolve_add(profile, path, &function);
}

/* @has_addresses: the places have link-time addresses, which are kept. */
static void set_functions(struct profile *profile,
			  const struct resolve_places *places,
			  const struct symbols *symbols, bool has_addresses)
{
	const struct boundaries *all = &symbols->boundaries;

	for (size_t i = 0; i < places->nr; i++) {
		struct profile_place *place =
			resolve_place_at(profile, places, i);
		uint64_t address = place->address;

		if (!has_addresses)
			address = profil_boundaries_link_address(all,
								 place->offset);
		place->address = address;
		place->function =
			find_function(profile, places, symbols, address);
	}
}

bool profil_resolve_has_segments(const struct profile *profile, uint32_t object)
{
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		if (profile->segments[i].object == object)
			return true;
	return false;
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

static void set_attributes(struct profile *profile, uint32_t index,
			   const struct symbols *symbols)
{
	struct profile_object *object = &profile->objects[index];
	GElf_Ehdr header;

	if (!symbols->elf)
		return;
	if (gelf_getehdr(symbols->elf, &header))
		object->is_relocatable = header.e_type == ET_DYN;
	if (!object->build_id_size)
		object->build_id_size =
			profil_build_id(symbols->elf, object->build_id);
	if (!profil_resolve_has_segments(profile, index))
		add_segments(profile, index, &symbols->boundaries);
}

void profil_resolve_lines(struct profile *profile,
			  const struct resolve_places *places,
			  struct symbols *symbols)
{
	set_attributes(profile, places->object, symbols);
	if (!profil_source_lines_add(profile, places, symbols) && symbols->elf)
		profile->objects[places->object].names = PROFILE_NAMES_SKIPPED;
}

void profil_resolve_symbols(struct profile *profile,
			    const struct resolve_places *places,
			    struct symbols *symbols, bool has_addresses)
{
	profile->objects[places->object].names = symbols->names;
	profil_symbols_read(symbols);
	set_functions(profile, places, symbols, has_addresses);
	profil_resolve_lines(profile, places, symbols);
}

/*
 * Machine code of hot functions
 *
 * The code is kept in the profile, so that instructions can be shown when the
 * file is gone. Its size is bounded, and the hottest functions come first.
 */

/* Per mille of all samples: the code of functions with less is not kept */
#define SHARE 5

/* Upper limits of bytes: of a function, and of all in a profile */
#define MAX_FUNCTION (64 << 10)
#define MAX_PROFILE (2 << 20)

/* A function, by its index, with a considerable share of the samples, and its object */
struct hot_code {
	uint32_t object;
	uint32_t function;
	uint64_t samples;
};

/* All functions with their samples, to be freed */
static struct hot_code *count(const struct profile *profile)
{
	struct hot_code *hot =
		profil_grow(NULL, profile->nr_functions + 1ULL, sizeof(*hot));
	uint64_t *samples = profil_profile_samples(profile);

	for (uint32_t i = 0; i < profile->nr_functions; i++)
		hot[i] = (struct hot_code){ profile->functions[i].object, i,
					    samples[i] };
	free(samples);
	return hot;
}

static int by_object(const void *a, const void *b)
{
	const struct hot_code *one = a, *other = b;

	return compare_numbers(one->object, other->object)	     ?:
		       compare_numbers(other->samples, one->samples) ?:
		       compare_numbers(one->function, other->function);
}

static uint64_t size_of_all(const struct profile *profile)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < profile->nr_functions; i++)
		if (profile->functions[i].code)
			size += profile->functions[i].size;
	return size;
}

/* Offset in the file of @function's code; false if the code is not kept or not all there */
static bool find_offset(const struct profile *profile,
			const struct profile_function *function,
			uint64_t *offset)
{
	if (!function->size || function->size > MAX_FUNCTION)
		return false;
	for (uint32_t i = 0; i < profile->nr_segments; i++) {
		const struct profile_segment *segment = &profile->segments[i];
		uint64_t into = function->address - segment->address;

		if (segment->object != function->object ||
		    into >= segment->size ||
		    function->size > segment->size - into)
			continue;
		*offset = segment->offset + into;
		return true;
	}
	return false;
}

const uint8_t *profil_code_bytes_read(const struct profile *profile,
				      const struct profile_function *function,
				      Elf *elf)
{
	Elf_Data *data;
	uint64_t offset;

	if (!find_offset(profile, function, &offset))
		return NULL;
	data = elf_getdata_rawchunk(elf, offset, function->size, ELF_T_BYTE);
	return data && data->d_size == function->size ? data->d_buf : NULL;
}

static bool is_hot(const struct hot_code *hot, uint64_t total)
{
	return hot->samples && hot->samples * 1000 >= total * SHARE;
}

void profil_code_bytes_limit(struct profile *profile)
{
	uint64_t total = profil_profile_total(profile);
	struct hot_code *hot = count(profile);

	for (uint32_t i = 0; i < profile->nr_functions; i++)
		if (!is_hot(&hot[i], total))
			profile->functions[i].code = NULL;
	free(hot);
}

/*
 * Functions whose machine code the file has and @profile lacks, to be freed; their
 * number in @nr. They are sorted by object, the hottest first.
 */
static struct hot_code *find_missing(const struct profile *profile,
				     uint32_t *nr)
{
	uint64_t total = profil_profile_total(profile);
	struct hot_code *hot = count(profile);

	*nr = 0;
	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		const struct profile_function *function =
			&profile->functions[i];
		uint64_t offset;

		if (is_hot(&hot[i], total) && !function->code &&
		    find_offset(profile, function, &offset))
			hot[(*nr)++] = hot[i];
	}
	ARRAY_SORT(hot, *nr, by_object);
	return hot;
}

/* Store the code of the first of @nr functions that are in one object: its file is @elf. */
static void add_code(struct profile *profile, const struct hot_code *hot,
		     uint32_t nr, Elf *elf)
{
	uint64_t used = size_of_all(profile);

	for (uint32_t i = 0; i < nr && hot[i].object == hot->object; i++) {
		struct profile_function *function =
			&profile->functions[hot[i].function];
		const uint8_t *code =
			profil_code_bytes_read(profile, function, elf);

		if (!code || function->size > MAX_PROFILE - used)
			continue;
		function->code =
			profil_profile_bytes(profile, code, function->size);
		used += function->size;
	}
}

/*
 * The file in the root directory, or NULL. If @is_placed, it is only opened if it is
 * the inode that was profiled.
 */
static struct symbols *open_inside(const char *path, int root,
				   const struct file_identity *then,
				   bool is_placed)
{
	struct symbols *symbols = NULL;
	char *inside;

	if (root < 0 || *path != '/')
		return NULL;
	inside = profil_format("/proc/self/fd/%d%s", root, path);
	if (!is_placed || profil_same_place(then, inside))
		symbols = profil_symbols_open(inside, then);
	free(inside);
	if (!symbols || symbols->names == PROFILE_NAMES_READ)
		return symbols;
	profil_symbols_close(symbols);
	return NULL;
}

static struct symbols *search_roots(const char *path,
				    const struct resolve_origin *origin,
				    bool is_placed)
{
	struct symbols *symbols = NULL;

	for (size_t i = 0; !symbols && i < origin->nr_roots; i++)
		symbols = open_inside(path, origin->roots[i], &origin->identity,
				      is_placed);
	return symbols;
}

/* The file that a process had mapped, whatever has its path now, or NULL */
static struct symbols *open_held(const char *path,
				 const struct resolve_origin *origin)
{
	int fd = origin->file ? profil_regular_file_reopen(origin->file) : -1;

	if (fd < 0)
		return NULL;
	if (profil_is_elf(fd) && profil_same_file(&origin->identity, fd))
		return profil_symbols_open_fd(path, fd);
	close(fd);
	return NULL;
}

/*
 * The file at the path or, where that is none or another one, the one that a process had
 * mapped
 */
static struct symbols *open_here(const char *path,
				 const struct resolve_origin *origin)
{
	struct symbols *symbols = profil_symbols_open(path, &origin->identity);
	struct symbols *held = NULL;

	if (symbols->names != PROFILE_NAMES_READ)
		held = open_held(path, origin);
	if (held)
		profil_symbols_close(symbols);
	return held ? held : symbols;
}

/*
 * The file in the root directory where its inode is the one that was profiled. Other
 * programs may have a file of the same path and build ID, which is taken if the
 * inode is nowhere; or else one with this path.
 */
static struct symbols *open_file(const char *path,
				 const struct resolve_origin *origin)
{
	struct symbols *symbols;

	if (!origin)
		return profil_symbols_open(path, NULL);
	symbols = search_roots(path, origin, true);
	if (!symbols && !profil_same_place(&origin->identity, path))
		symbols = search_roots(path, origin, false);
	return symbols ? symbols : open_here(path, origin);
}

void profil_resolve_file(struct profile *profile,
			 const struct resolve_places *places,
			 const struct resolve_origin *origin)
{
	const char *path = profile->objects[places->object].path;
	bool is_left_out = origin && origin->left_out;
	struct symbols *symbols;

	if (is_left_out || profil_interrupted()) {
		symbols = profil_symbols_open_fd(path, -1);
		symbols->names = is_left_out ? PROFILE_NAMES_FAILED :
					       PROFILE_NAMES_SKIPPED;
	} else {
		symbols = open_file(path, origin);
	}
	profil_resolve_symbols(profile, places, symbols, false);
	profil_symbols_close(symbols);
}

/* The file was read without its symbols: it may be another one by now. */
void profil_resolve_code(struct profile *profile,
			 const struct resolve_origin *origins)
{
	uint32_t nr, last = INDEX_NONE;
	struct hot_code *hot = find_missing(profile, &nr);

	for (uint32_t i = 0; i < nr && !profil_interrupted(); i++) {
		uint32_t object = hot[i].object;
		struct symbols *symbols;

		if (object == last || (origins && origins[object].left_out))
			continue;
		last = object;
		profil_confined_note(object);
		symbols = open_file(profile->objects[object].path,
				    origins ? &origins[object] : NULL);
		if (symbols->elf)
			add_code(profile, hot + i, nr - i, symbols->elf);
		profil_symbols_close(symbols);
	}
	free(hot);
}
