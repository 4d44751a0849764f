// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code that a process has generated */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <linux/openat2.h>

#include "elf/function_name.h"
#include "resolve/places.h"
#include "util/index_map.h"
#include "util/interrupt.h"
#include "util/memory.h"
#include "util/regular_file.h"
#include "util/text.h"

/*
 * Map of generated code, /tmp/perf-PID.map
 *
 * A just-in-time compiler writes a line START SIZE NAME for each function, with
 * numbers in hexadecimal. The directory is writable for all users, and the file
 * is read without trust.
 */

/* Bytes of a line; a longer name is cut. */
#define PERF_MAP_LINE 1024

/**
 * struct perf_map_line - one function
 * @start: address
 * @size: bytes, not 0; the function does not extend beyond the last address
 * @name: its name; valid until the next line is read
 */
struct perf_map_line {
	uint64_t start;
	uint64_t size;
	const char *name;
};

/**
 * struct perf_map_origin - whose map it is
 * @pid: process, in its own PID namespace
 * @root: path of its root directory
 * @owner: its user
 * @begin_ns: its start, in nanoseconds since 1970
 */
struct perf_map_origin {
	uint32_t pid;
	const char *root;
	uid_t owner;
	uint64_t begin_ns;
};

/* Upper limit of bytes that are read */
#define MAX_BYTES 0x40000000

static bool is_trusted(int fd, const struct perf_map_origin *origin)
{
	struct stat status;
	uint64_t written_ns;

	if (fstat(fd, &status) ||
	    (status.st_uid != geteuid() && status.st_uid != origin->owner))
		return false;
	written_ns =
		status.st_mtim.tv_sec * 1000000000ULL + status.st_mtim.tv_nsec;
	return written_ns >= origin->begin_ns;
}

/* No link of the other root directory leads out of it. */
static int open_in_root(int directory, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return syscall(SYS_openat2, directory, path, &how, sizeof(how));
}

/*
 * Descriptor that only names the file. Filters of system calls may be older than
 * openat2(), which the own root directory does not need.
 */
static int find_below(const char *root, const char *path)
{
	int flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
	int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (directory < 0)
		return -1;
	fd = strcmp(root, "/") ? open_in_root(directory, path, flags) :
				 openat(directory, path, flags);
	close(directory);
	return fd;
}

static FILE *open_found(int found)
{
	int fd = profil_regular_file_reopen(found);
	FILE *map;

	if (fd < 0)
		return NULL;
	map = fdopen(fd, "r");
	if (!map)
		close(fd);
	return map;
}

/*
 * Open the map of a process. NULL if there is none, if it is not a file of this
 * user or of the process's, or if it was last written before the start of the
 * process: then it is the map of an earlier one. Symbolic links do not lead out of
 * the root directory. A container may have made a device of that name.
 */
static FILE *perf_map_open(const struct perf_map_origin *origin)
{
	FILE *map = NULL;
	char path[64];
	int found;

	snprintf(path, sizeof(path), "tmp/perf-%u.map", origin->pid);
	found = find_below(origin->root, path);
	if (found < 0)
		return NULL;
	if (is_trusted(found, origin))
		map = open_found(found);
	close(found);
	return map;
}

/* Number in hexadecimal at *@text, which is moved behind the number */
static bool read_number(char **text, uint64_t *number)
{
	char *end;

	if (!strspn(*text, "0123456789abcdefABCDEF"))
		return false;
	errno = 0;
	*number = strtoull(*text, &end, 16);
	if (errno || *end != ' ')
		return false;
	*text = end + 1;
	return true;
}

static bool parse(char *text, struct perf_map_line *line)
{
	text[strcspn(text, "\n")] = '\0';
	if (!read_number(&text, &line->start) ||
	    !read_number(&text, &line->size))
		return false;
	line->name = text;
	return *text && line->size && line->size <= UINT64_MAX - line->start;
}

/* Skip the rest of a line that did not fit in @text; bytes that were read */
static size_t finish_line(FILE *map, const char *text)
{
	size_t skipped = 0;

	if (strchr(text, '\n'))
		return 0;
	for (int byte = getc(map); byte != EOF && byte != '\n';
	     byte = getc(map))
		skipped++;
	return skipped;
}

/*
 * Call @use for each valid line of @map, in the order of the file. Lines after
 * the first gigabyte are not read.
 */
static void perf_map_read(FILE *map,
			  void (*use)(void *data,
				      const struct perf_map_line *line),
			  void *data)
{
	char text[PERF_MAP_LINE];
	size_t bytes = 0;

	while (bytes < MAX_BYTES && !profil_interrupted() &&
	       fgets(text, sizeof(text), map)) {
		struct perf_map_line line;

		bytes += strlen(text) + finish_line(map, text);
		if (parse(text, &line))
			use(data, &line);
	}
}

/*
 * Names of generated code
 *
 * A compiler may use the memory of a function again: the last line of the map
 * that contains a place counts.
 */

/* Bytes of a name in brackets */
#define NAME 256

/**
 * struct jit - generated code whose names are looked up
 * @profile: the profile
 * @names: functions that have been found
 * @object: index of the object
 * @at: indices of the places, ascending by offset
 * @nr: elements of @at
 */
struct jit {
	struct profile *profile;
	struct resolve_names *names;
	uint32_t object;
	const uint32_t *at;
	size_t nr;
};

static struct profile_place *place_at(const struct jit *jit, size_t index)
{
	return &jit->profile->places[jit->at[index]];
}

/* Index of the first place at or above @address */
static size_t first_at(const struct jit *jit, uint64_t address)
{
	size_t low = 0, high = jit->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (place_at(jit, middle)->offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t add(struct jit *jit, struct profile_function *function)
{
	struct index_map *functions = &jit->names->functions;
	struct index_key key = { {
		(uint64_t)jit->object | function->size << 32,
		function->address,
		(uintptr_t)profil_profile_string(jit->profile,
						 function->symbol),
	} };
	uint32_t index = profil_index_map_find(functions, key);

	if (index != INDEX_NONE)
		return index;
	function->object = jit->object;
	function->file = "";
	index = profil_profile_add_function(jit->profile, function);
	profil_index_map_set(functions, key, index);
	return index;
}

static uint32_t add_line(struct jit *jit, const struct perf_map_line *line)
{
	char *name = profil_demangle(line->name);
	struct profile_function function = {
		.symbol = line->name,
		.name = name,
		.address = line->start,
		.size = line->size,
	};
	uint32_t index = add(jit, &function);

	free(name);
	return index;
}

static void use_line(void *data, const struct perf_map_line *line)
{
	struct jit *jit = data;

	for (size_t i = first_at(jit, line->start); i < jit->nr; i++) {
		struct profile_place *place = place_at(jit, i);

		if (place->offset - line->start >= line->size)
			break;
		place->function = add_line(jit, line);
	}
}

static uint32_t add_nameless(struct jit *jit)
{
	const char *path = jit->profile->objects[jit->object].path;
	char *program = profil_text_printable(profil_text_base(path));
	char name[NAME];
	struct profile_function function = { .symbol = "", .name = name };

	snprintf(name, sizeof(name), "[jit: %s]", program);
	free(program);
	return add(jit, &function);
}

static const char *root_of(const struct resolve_origin *origin)
{
	return origin->nr_roots && *origin->roots->path ? origin->roots->path :
							  "/";
}

static void read_map(struct jit *jit, const struct resolve_origin *origin)
{
	struct perf_map_origin it = {
		.pid = origin->pid,
		.root = root_of(origin),
		.owner = origin->owner,
		.begin_ns = origin->begin_ns ? origin->begin_ns :
					       jit->profile->head.begin_ns,
	};
	FILE *map = origin->pid ? perf_map_open(&it) : NULL;

	if (!map)
		return;
	perf_map_read(map, use_line, jit);
	fclose(map);
}

void profil_resolve_jit(struct profile *profile, struct resolve_names *names,
			uint32_t object, const struct resolve_origin *origin,
			const uint32_t *at, size_t nr)
{
	struct jit jit = { profile, names, object, at, nr };

	for (size_t i = 0; i < nr; i++) {
		struct profile_place *place = place_at(&jit, i);

		place->address = place->offset;
	}
	if (origin)
		read_map(&jit, origin);
	for (size_t i = 0; i < nr; i++) {
		struct profile_place *place = place_at(&jit, i);

		if (place->function == PROFILE_NONE)
			place->function = add_nameless(&jit);
	}
}
