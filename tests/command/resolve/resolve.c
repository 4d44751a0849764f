// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve [NAME=VALUE]...: look up the code of the profil.data on stdin, and write the
 * profile to stdout. The names are
 *
 *	pid		process that has generated code, as a number above those of
 *			processes; its map is /tmp/perf-PID.map.
 *	parent		process that has forked that one, or before it the one of the last
 *			"parent", by a number as of pid
 *	begin		start of these processes: seconds before now, by the clock that
 *			stands still where no one sets it
 *	step		seconds by which CLOCK_REALTIME was set forward since then
 *	file		path of a file that the process had mapped as the first object
 *	identity	path of the file that was recorded, for the first object
 *	other		member of the identity that is another one; "inodes": all but
 *			the build ID, which no other keeps
 *	root		root directory where the first object may be; may be repeated
 *	interrupt	SIGINT has come.
 *	damage		file that is made the map of the process with each byte
 *			changed: each place has to have a name. Nothing is written.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "resolve/source_lines.h"
#include "util/clock.h"
#include "util/interrupt.h"
#include "util/regular_file.h"

#define MAX_OBJECTS 512

static struct resolve_origin origins[MAX_OBJECTS];
static int roots[2];
static const char *damaged;

static void read_identity(const char *path, struct file_identity *identity)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	*identity = profil_file_identity(path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	identity->build_id_size = profil_build_id(elf, identity->build_id);
	elf_end(elf);
	close(fd);
}

static void change(struct file_identity *identity, const char *member)
{
	identity->inode += !strcmp(member, "inode") ||
			   !strcmp(member, "inodes");
	identity->device += !strcmp(member, "device");
	identity->size += !strcmp(member, "size");
	identity->mtime_ns += !strcmp(member, "mtime");
	identity->build_id[0] += !strcmp(member, "build_id");
	if (strcmp(member, "inodes") && strcmp(member, "build_id"))
		identity->build_id_size = 0;
}

static void set_parent(struct resolve_origin *origin, uint32_t pid)
{
	static int last;

	origin->ancestors[last++ % RESOLVE_ANCESTORS] =
		(struct resolve_ancestor){
			.pid = pid,
			.owner = geteuid(),
			.begin_ns = origin->begin_ns,
		};
}

static void set(const char *name, char *value)
{
	struct resolve_origin *first = origins;

	if (!strcmp(name, "pid")) {
		for (int i = 0; i < MAX_OBJECTS; i++)
			origins[i].pid = atoi(value);
	} else if (!strcmp(name, "parent")) {
		set_parent(first, atoi(value));
	} else if (!strcmp(name, "begin")) {
		first->begin_ns = profil_clock_now(CLOCK_BOOTTIME) -
				  strtod(value, NULL) * SECOND;
	} else if (!strcmp(name, "step")) {
		first->clock_ns = profil_clock_ahead() -
				  (int64_t)(strtod(value, NULL) * SECOND);
	} else if (!strcmp(name, "file")) {
		first->file = open(value, O_PATH | O_CLOEXEC);
	} else if (!strcmp(name, "identity")) {
		read_identity(value, &first->identity);
	} else if (!strcmp(name, "other")) {
		change(&first->identity, value);
	} else if (!strcmp(name, "root")) {
		roots[first->nr_roots++] = open(value, O_PATH | O_CLOEXEC);
		first->roots = roots;
	} else if (!strcmp(name, "interrupt")) {
		profil_interrupt_begin();
		raise(SIGINT);
	} else if (!strcmp(name, "damage")) {
		damaged = value;
	} else {
		errx(1, "no such name: %s", name);
	}
}

static void read_and_resolve(struct profile *profile, bool has_origins)
{
	struct resolve_names names = { 0 };
	char text[DATA_ERROR_TEXT];

	profil_profile_init(profile);
	if (lseek(STDIN_FILENO, 0, SEEK_SET) ||
	    profil_data_read(profile, STDIN_FILENO, text))
		errx(1, "stdin is no recording");
	profil_profile_sort(profile);
	profil_resolve(profile, &names, 0, has_origins ? origins : NULL);
	profil_resolve_generated(profile, &names, 0,
				 has_origins ? origins : NULL);
	profil_resolve_names_free(&names);
}

static void require_names(const char *map, size_t size)
{
	struct profile profile;
	char path[48];
	FILE *out;

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", origins->pid);
	out = fopen(path, "w");
	if (!out || fwrite(map, 1, size, out) != size || fclose(out))
		err(1, "%s", path);
	read_and_resolve(&profile, true);
	unlink(path);
	for (uint32_t i = 0; i < profile.nr_places; i++) {
		uint32_t function = profile.places[i].function;

		if (function >= profile.nr_functions ||
		    !*profile.functions[function].name)
			errx(1, "place %u has no name", i);
	}
	profil_profile_free(&profile);
}

static void damage(void)
{
	char map[4096];
	FILE *in = fopen(damaged, "r");
	size_t size = in ? fread(map, 1, sizeof(map), in) : 0;

	for (size_t at = 0; at < size; at++) {
		char byte = map[at];

		for (int other = 0; other < 256;
		     other += other < 128 ? 1 : 17) {
			map[at] = other;
			require_names(map, size);
		}
		map[at] = byte;
	}
	printf("%zu bytes\n", size);
	fclose(in);
}

int main(int argc, char **argv)
{
	struct profile profile;
	int error;

	for (int i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			errx(1, "no value: %s", argv[i]);
		*value = '\0';
		set(argv[i], value + 1);
	}
	if (damaged) {
		damage();
		return 0;
	}
	read_and_resolve(&profile, argc > 1);
	error = profil_data_write(&profile, STDOUT_FILENO, DATA_COMPRESSED);
	profil_profile_free(&profile);
	return !!error;
}
