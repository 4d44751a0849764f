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
 * @places: places of the code
 * @added: indices of functions by name, address and size
 */
struct jit {
	struct profile *profile;
	const struct resolve_places *places;
	struct index_map added;
};

/* Index of the first place at or above @address */
static uint32_t first_at(const struct jit *jit, uint64_t address)
{
	uint32_t low = jit->places->first, high = jit->places->last;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (jit->profile->places[middle].offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t add(struct jit *jit, const struct perf_map_line *line)
{
	const char *symbol = profil_profile_string(jit->profile, line->name);
	struct index_key key = { { (uintptr_t)symbol, line->start,
				   line->size } };
	uint32_t index = profil_index_map_find(&jit->added, key);
	struct profile_function function = {
		.object = jit->places->object,
		.symbol = symbol,
		.address = line->start,
		.size = line->size,
		.file = "",
	};
	char *name;

	if (index != INDEX_NONE)
		return index;
	name = profil_demangle(line->name);
	function.name = name;
	index = profil_profile_add_function(jit->profile, &function);
	profil_index_map_set(&jit->added, key, index);
	free(name);
	return index;
}

static void use_line(void *data, const struct perf_map_line *line)
{
	struct jit *jit = data;
	uint32_t at = first_at(jit, line->start);

	for (; at < jit->places->last; at++) {
		struct profile_place *place = &jit->profile->places[at];

		if (place->offset - line->start >= line->size)
			break;
		place->function = add(jit, line);
	}
}

static uint32_t add_nameless(struct jit *jit)
{
	const struct profile_object *object =
		&jit->profile->objects[jit->places->object];
	char *program = profil_text_printable(profil_text_base(object->path));
	char name[NAME];
	struct profile_function function = {
		.object = jit->places->object,
		.symbol = "",
		.name = name,
		.file = "",
	};

	snprintf(name, sizeof(name), "[jit: %s]", program);
	free(program);
	return profil_profile_add_function(jit->profile, &function);
}

/* Without a mount namespace of its own, a root directory has a path here. */
static const char *root_of(const struct resolve_origin *origin)
{
	const struct resolve_root *root = origin->roots;

	if (!origin->nr_roots)
		return "/";
	if (*root->path)
		return root->path;
	return *root->outer ? root->outer : "/";
}

static FILE *open_map(const struct jit *jit,
		      const struct resolve_origin *origin)
{
	struct perf_map_origin map;

	if (!origin || !origin->pid)
		return NULL;
	map = (struct perf_map_origin){
		.pid = origin->pid,
		.root = root_of(origin),
		.owner = origin->owner,
		.begin_ns = origin->begin_ns ? origin->begin_ns :
					       jit->profile->head.begin_ns,
	};
	return perf_map_open(&map);
}

static void read_map(struct jit *jit, const struct resolve_origin *origin)
{
	FILE *map = open_map(jit, origin);

	if (!map)
		return;
	perf_map_read(map, use_line, jit);
	fclose(map);
}

void profil_resolve_jit(struct profile *profile,
			const struct resolve_places *places,
			const struct resolve_origin *origin)
{
	struct jit jit = { .profile = profile, .places = places };
	uint32_t nameless = PROFILE_NONE;

	for (uint32_t i = places->first; i < places->last; i++) {
		profile->places[i].address = profile->places[i].offset;
		profile->places[i].function = PROFILE_NONE;
	}
	read_map(&jit, origin);
	for (uint32_t i = places->first; i < places->last; i++) {
		if (profile->places[i].function != PROFILE_NONE)
			continue;
		if (nameless == PROFILE_NONE)
			nameless = add_nameless(&jit);
		profile->places[i].function = nameless;
	}
	profil_index_map_free(&jit.added);
}
