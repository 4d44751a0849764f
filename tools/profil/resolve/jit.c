// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code that a process has generated */
#include <sys/stat.h>
#include <sys/syscall.h>

#include <linux/openat2.h>

#include "elf/demangle.h"
#include "resolve/jit.h"
#include "util/clock.h"
#include "util/interrupt.h"
#include "util/text.h"

/*
 * Map of generated code, /tmp/perf-PID.map
 *
 * A just-in-time compiler writes a line START SIZE NAME for each function, with
 * numbers in hexadecimal. The directory is writable for all users, and the file
 * is read without trust.
 */

/**
 * struct perf_map_line - one function
 * @start: address
 * @size: bytes, not 0; the function does not extend beyond the last address
 * @name: its name, in the text of the map; NULL: no line
 */
struct perf_map_line {
	uint64_t start;
	uint64_t size;
	const char *name;
};

/* Upper limit of bytes of a line; a longer name is cut. */
#define MAX_LINE 1023

/* Upper limits of bytes that are read, and of places that all lines together contain */
#define MAX_BYTES (64 << 20)
#define MAX_PLACES (64 << 20)

/* The longest tick: a time of modification is that of the last tick before. */
#define TICK_NS 10000000

static bool is_trusted(int fd, uid_t owner, uint64_t begin_ns)
{
	struct stat status;

	return !fstat(fd, &status) &&
	       (status.st_uid == geteuid() || status.st_uid == owner) &&
	       profil_nanoseconds(status.st_mtim) + TICK_NS >= begin_ns;
}

/*
 * Descriptor that only names the file @path in the directory @root, out of which no link
 * leads, or here. Filters of system calls may be older than openat2(), which the own root
 * directory does not need.
 */
static int find_in_root(int root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return root < 0 ? open(path, how.flags) :
			  syscall(SYS_openat2, root, path, &how, sizeof(how));
}

/*
 * Descriptor of the map of the process @owner, which has the root directory @root. -1 if
 * there is none, if it is not a file of this user or of the process's, or if it was last
 * written before the start of the process, @begin_ns: then it is the map of an earlier
 * one. Symbolic links do not lead out of the root directory. A container may have made a
 * device of that name.
 */
static int perf_map_open(int root, const struct resolve_ancestor *owner,
			 uint64_t begin_ns)
{
	char path[64];
	int found, map = -1;

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", owner->pid);
	found = find_in_root(root, path);
	if (found < 0)
		return -1;
	if (is_trusted(found, owner->owner, begin_ns))
		map = profil_regular_file_reopen(found);
	close(found);
	return map;
}

/*
 * Maps with names of the code in a process: its own is the last, behind those of the
 * processes that have forked it, the oldest first.
 */
#define MAX_MAPS (RESOLVE_ANCESTORS + 1)

struct maps {
	int fds[MAX_MAPS];
	size_t nr;
};

/*
 * Earliest time of modification of a map. The clock may have been set since the map was
 * written: the least time that was seen counts. A process without a known start has
 * been seen since @recording_ns.
 */
static uint64_t earliest(const struct resolve_origin *origin, uint64_t begin_ns,
			 uint64_t recording_ns)
{
	int64_t ahead = profil_clock_ahead();

	if (!begin_ns)
		return recording_ns;
	if (origin->clock_ns && origin->clock_ns < ahead)
		ahead = origin->clock_ns;
	return ahead + begin_ns;
}

static void maps_open(struct maps *maps, const struct resolve_origin *origin,
		      uint64_t recording_ns)
{
	int root = origin->nr_roots ? *origin->roots : -1;
	struct resolve_ancestor owners[MAX_MAPS] = {
		{ origin->pid, origin->owner, origin->begin_ns },
	};

	memcpy(owners + 1, origin->ancestors, sizeof(origin->ancestors));
	maps->nr = 0;
	for (size_t i = MAX_MAPS; i-- > 0;) {
		uint64_t begin_ns =
			earliest(origin, owners[i].begin_ns, recording_ns);
		int map = owners[i].pid ?
				  perf_map_open(root, &owners[i], begin_ns) :
				  -1;

		if (map >= 0)
			maps->fds[maps->nr++] = map;
	}
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
	if (strlen(text) > MAX_LINE)
		text[MAX_LINE] = '\0';
	if (!read_number(&text, &line->start) ||
	    !read_number(&text, &line->size))
		return false;
	line->name = text;
	return *text && line->size && line->size <= UINT64_MAX - line->start;
}

/*
 * Names of generated code
 *
 * A compiler may use the memory of a function again: the last line of the map
 * that contains a place counts. Anyone can write a map of any lines, so those that
 * do not count leave nothing behind.
 */

/*
 * Generated code of one object whose names are looked up: its places, and for each the
 * last line of the maps that contains it. @left: places that further lines may contain
 */
struct jit {
	struct profile *profile;
	const struct resolve_places *places;
	struct perf_map_line *lines;
	size_t left;
};

static struct profile_place *place_at(const struct jit *jit, size_t index)
{
	return resolve_place_at(jit->profile, jit->places, index);
}

/* Index of the first place at or above @address */
static size_t first_at(const struct jit *jit, uint64_t address)
{
	const struct resolve_places *places = jit->places;

	return address ? ARRAY_UP_TO(places->at, places->nr, address - 1) : 0;
}

static uint32_t add(struct jit *jit, struct profile_function *function)
{
	struct index_map *functions = &jit->places->names->functions;
	struct index_key key = { {
		(uint64_t)jit->places->object | function->size << 32,
		function->address,
		(uintptr_t)profil_profile_string(jit->profile,
						 function->symbol),
	} };
	uint32_t nr = jit->profile->nr_functions;
	uint32_t index = profil_index_map_add(functions, key, nr);

	if (index < nr)
		return index;
	function->object = jit->places->object;
	function->file = "";
	return profil_profile_add_function(jit->profile, function);
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

static bool contains(const struct perf_map_line *line,
		     const struct resolve_place *place)
{
	return place->offset - line->start < line->size;
}

static void note_line(struct jit *jit, const struct perf_map_line *line)
{
	const struct resolve_places *places = jit->places;

	for (size_t i = first_at(jit, line->start);
	     i < places->nr && contains(line, &places->at[i]) && jit->left;
	     i++, jit->left--)
		jit->lines[i] = *line;
}

/* Note the lines that count. */
static void find_lines(struct jit *jit, char *text)
{
	struct perf_map_line line;

	while (text && jit->left)
		if (parse(strsep(&text, "\n"), &line))
			note_line(jit, &line);
}

/* Places of one function mostly follow each other. */
static void name_places(struct jit *jit)
{
	for (size_t i = 0; i < jit->places->nr; i++) {
		const struct perf_map_line *line = &jit->lines[i];

		if (!line->name)
			continue;
		if (i && line->name == line[-1].name)
			place_at(jit, i)->function =
				place_at(jit, i - 1)->function;
		else
			place_at(jit, i)->function = add_line(jit, line);
	}
}

static void read_lines(struct jit *jit, const struct maps *maps)
{
	char *texts[MAX_MAPS];
	size_t size;

	jit->lines = profil_zeros(jit->places->nr, sizeof(*jit->lines));
	jit->left = MAX_PLACES;
	for (size_t i = 0; i < maps->nr; i++) {
		texts[i] = profil_regular_file_text(maps->fds[i], MAX_BYTES,
						    &size);
		find_lines(jit, texts[i]);
	}
	name_places(jit);
	free(jit->lines);
	for (size_t i = 0; i < maps->nr; i++)
		free(texts[i]);
}

static uint64_t hash_state(uint64_t hash, int map)
{
	struct stat status = { 0 };
	uint64_t state[5];

	fstat(map, &status);
	state[0] = status.st_dev;
	state[1] = status.st_ino;
	state[2] = status.st_size;
	state[3] = status.st_mtim.tv_sec;
	state[4] = status.st_mtim.tv_nsec;
	return profil_hash(hash, state, sizeof(state));
}

/*
 * Maps that are as they were have no other names for the same places: an object gets
 * places, and loses none.
 */
static bool is_known(struct jit *jit, const struct maps *maps)
{
	const struct resolve_places *places = jit->places;
	struct index_map *known = &places->names->maps;
	struct index_key key = { { places->object, places->nr, HASH_EMPTY } };
	uint32_t nr = known->nr;

	for (size_t i = 0; i < maps->nr; i++)
		key.words[2] = hash_state(key.words[2], maps->fds[i]);
	return profil_index_map_add(known, key, nr) < nr;
}

static uint32_t add_nameless(struct jit *jit)
{
	char *name =
		profil_object_code(&jit->profile->objects[jit->places->object]);
	struct profile_function function = { .symbol = "", .name = name };
	uint32_t index = add(jit, &function);

	free(name);
	return index;
}

static void read_maps(struct jit *jit, const struct resolve_origin *origin)
{
	struct maps maps;

	if (profil_interrupted())
		return;
	maps_open(&maps, origin, jit->profile->head.begin_ns);
	if (maps.nr && !is_known(jit, &maps))
		read_lines(jit, &maps);
	for (size_t i = 0; i < maps.nr; i++)
		close(maps.fds[i]);
}

void profil_resolve_jit(struct profile *profile,
			const struct resolve_places *places,
			const struct resolve_origin *origin)
{
	struct jit jit = { .profile = profile, .places = places };

	for (size_t i = 0; i < places->nr; i++) {
		struct profile_place *place = place_at(&jit, i);

		place->address = place->offset;
	}
	if (origin)
		read_maps(&jit, origin);
	for (size_t i = 0; i < places->nr; i++) {
		struct profile_place *place = place_at(&jit, i);

		if (place->function == PROFILE_NONE)
			place->function = add_nameless(&jit);
	}
}
