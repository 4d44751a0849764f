// SPDX-License-Identifier: GPL-2.0-only
/* The profile that grows: what is added to it, and what of it came since a moment */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/extract.h"
#include "record/objects.h"
#include "tap.h"

#define MANY 10000

static void add(struct growing *growing, const struct code *code,
		const char *program, uint64_t offset, uint64_t samples)
{
	struct profile_program it = { .path = program };
	struct profile_place place = { .offset = offset };
	struct profile_sample sample = { .user = samples };

	place.object = profil_growing_object(growing, code);
	sample.program = profil_profile_add_program(&growing->profile, &it);
	profil_growing_add(growing, &place, &sample);
}

static void add_file(struct growing *growing, const char *path,
		     uint64_t samples)
{
	struct code code = { .path = path, .origin.root = INDEX_NONE };

	add(growing, &code, "/bin/program", 0x1004, samples);
}

/* What was counted since @mark, or since the beginning */
static struct profile since(struct growing *growing, const struct mark *mark)
{
	static const struct mark beginning;
	struct profile profile;

	profil_growing_resolve(growing, true);
	profil_profile_init(&profile);
	profil_growing_since(growing, mark ? mark : &beginning, &profile);
	return profile;
}

/* A file that does not exist, with each byte that a name may have */
static void make_path(char path[512], int number)
{
	int length = sprintf(path, "/none/%d ", number);

	for (int byte = 1; byte < 256; byte++)
		if (byte != '/')
			path[length++] = byte;
	path[length] = '\0';
}

static bool sample_is(const struct profile *profile, uint32_t index)
{
	const struct profile_sample *sample = &profile->samples[index];
	const struct profile_place *place = &profile->places[sample->place];
	const char *path = profile->objects[place->object].path;
	char expected[512];

	CHECK(!strncmp(path, "/none/", 6));
	make_path(expected, atoi(path + 6));
	CHECK(!strcmp(path, expected));
	CHECK_EQUAL(atoi(path + 6) + 1, sample->user);
	return true;
}

TEST("10,000 objects, with any bytes in their names, are added")
{
	struct growing growing;
	struct profile profile;
	char path[512];

	profil_growing_begin(&growing);
	for (int i = 0; i < MANY; i++) {
		make_path(path, i);
		add_file(&growing, path, i);
		add_file(&growing, path, 1);
	}
	profile = since(&growing, NULL);
	CHECK_EQUAL(MANY, profile.nr_objects);
	CHECK_EQUAL(MANY, profile.nr_samples);
	CHECK_EQUAL(1, profile.nr_programs);
	for (uint32_t i = 0; i < MANY; i++)
		CHECK(sample_is(&profile, i));
	profil_profile_free(&profile);
	profil_growing_free(&growing);
	return true;
}

TEST("each part of a recording has its first program, with samples or not")
{
	struct growing growing;
	struct mark mark = { 0 };
	struct profile part;

	profil_growing_begin(&growing);
	add_file(&growing, "/bin/program", 5);
	profil_growing_mark(&growing, &mark);
	add_file(&growing, "/none/library", 7);
	for (int samples = 7; samples >= 0; samples -= 7) {
		part = since(&growing, &mark);
		CHECK_EQUAL(samples, profil_profile_total(&part));
		CHECK_EQUAL(samples ? 2 : 1, part.nr_objects);
		CHECK(part.objects[0].path == part.programs[0].path);
		profil_profile_free(&part);
		profil_growing_mark(&growing, &mark);
	}
	profil_mark_free(&mark);
	profil_growing_free(&growing);
	return true;
}

TEST("files of one path that differ are two objects")
{
	struct growing growing;
	struct profile profile;

	profil_growing_begin(&growing);
	for (int i = 0; i < 4; i++) {
		struct code code = { .path = "/none/file",
				     .origin.root = INDEX_NONE };

		code.origin.identity.inode = 1 + i % 2;
		add(&growing, &code, "/bin/program", 16, 1);
	}
	profile = since(&growing, NULL);
	CHECK_EQUAL(2, profile.nr_objects);
	CHECK_EQUAL(2, profile.nr_places);
	CHECK_EQUAL(4, profil_profile_total(&profile));
	profil_profile_free(&profile);
	profil_growing_free(&growing);
	return true;
}

/* Add samples of the function @start of this program. */
static void add_own(struct growing *growing, const void *start,
		    uint64_t samples)
{
	uintptr_t begin = getauxval(AT_PHDR) - sizeof(Elf64_Ehdr);
	struct code code = { .path = "/proc/self/exe",
			     .origin.root = INDEX_NONE };

	code.origin.identity = profil_file_identity(code.path);
	add(growing, &code, "/bin/program", (uintptr_t)start - begin, samples);
}

TEST("a function that becomes hot has its machine code, by way of the child")
{
	const struct profile_function *function;
	struct growing growing;
	struct profile profile;

	profil_growing_begin(&growing);
	add_own(&growing, make_path, 10000);
	add_own(&growing, add_file, 1);
	profil_growing_resolve(&growing, false);
	add_own(&growing, add_file, 10000);
	profile = since(&growing, NULL);
	CHECK_EQUAL(2, profile.nr_functions);
	function = profile.functions;
	function += !!strcmp(function->name, "add_file");
	CHECK(!strcmp(function->name, "add_file"));
	CHECK(function->code &&
	      !memcmp(function->code, (const void *)add_file, function->size));
	profil_profile_free(&profile);
	profil_growing_free(&growing);
	return true;
}

/* Behaviour of the child that reads files: it fails at a file, or with its answer. */
static const char *poison = "";
static bool is_liar;

struct symbols *__real_profil_symbols_open(const char *path,
					   const struct file_identity *then);
struct symbols *__wrap_profil_symbols_open(const char *path,
					   const struct file_identity *then)
{
	if (!strcmp(path, poison))
		raise(SIGKILL);
	return __real_profil_symbols_open(path, then);
}

int __real_profil_data_write(const struct profile *profile, int fd,
			     const char *mode);
int __wrap_profil_data_write(const struct profile *profile, int fd,
			     const char *mode)
{
	struct profile other = *profile;

	other.nr_samples -= is_liar;
	return __real_profil_data_write(&other, fd, mode);
}

/* The child did not fail at the files of three objects, as the bits of @all say. */
static bool are_read(struct growing *growing, uint32_t all)
{
	static const char *const paths[] = { "/proc/self/exe", "/none/file",
					     "/bin/sh" };
	struct profile profile;
	uint32_t nr = 0;

	for (int i = 0; i < 3; i++)
		add_file(growing, paths[i], 1);
	profile = since(growing, NULL);
	CHECK_EQUAL(3, profile.nr_places);
	for (uint32_t i = 0; i < 3; i++)
		if (profile.objects[profile.places[i].object].names !=
		    PROFILE_NAMES_FAILED)
			nr |= 1 << i;
	profil_profile_free(&profile);
	CHECK_EQUAL(all, nr);
	return true;
}

TEST("a file at which the child fails is left out, and no other")
{
	struct growing growing;

	profil_growing_begin(&growing);
	poison = "/bin/sh";
	CHECK(are_read(&growing, 6));
	poison = "";
	CHECK(are_read(&growing, 6));
	profil_growing_free(&growing);
	return true;
}

TEST("a child that answers with fewer places has no names taken from it")
{
	struct growing growing;

	profil_growing_begin(&growing);
	is_liar = true;
	CHECK(are_read(&growing, 0));
	profil_growing_free(&growing);
	return true;
}

TEST("a function keeps its machine code when a child fails later")
{
	const struct profile_function *function;
	struct growing growing;
	struct profile profile;

	profil_growing_begin(&growing);
	add_own(&growing, add_file, 10000);
	profil_growing_resolve(&growing, false);
	is_liar = true;
	add_own(&growing, make_path, 1);
	profile = since(&growing, NULL);
	CHECK_EQUAL(2, profile.nr_functions);
	function = profile.functions;
	function += !!strcmp(function->name, "add_file");
	CHECK(!strcmp(function->name, "add_file") && function->code);
	profil_profile_free(&profile);
	profil_growing_free(&growing);
	return true;
}

static void add_generated(struct growing *growing, uint32_t pid,
			  uint64_t begin_ns)
{
	struct code code = {
		.kind = PROFILE_JIT,
		.path = "/bin/program",
		.pid = pid,
		.origin.begin_ns = begin_ns,
		.origin.root = INDEX_NONE,
	};

	add(growing, &code, "/bin/program", 0x7f0000001000, 1);
}

/* No process has these IDs. */
TEST("generated code is that of a process, also when the process has ended")
{
	struct growing growing;
	struct profile profile;

	profil_growing_begin(&growing);
	add_generated(&growing, 5000001, 100);
	add_generated(&growing, 5000001, 0);
	add_generated(&growing, 5000002, 100);
	add_generated(&growing, 5000001, 200);
	profile = since(&growing, NULL);
	CHECK_EQUAL(3, profile.nr_objects);
	CHECK_EQUAL(3, profile.nr_places);
	for (uint32_t i = 0; i < profile.nr_places; i++)
		CHECK(!strcmp(profile.functions[profile.places[i].function].name,
			      "[jit: program]"));
	profil_profile_free(&profile);
	profil_growing_free(&growing);
	return true;
}

/*
 * The map of this process has a function of 16 bytes for each number up to @nr, and room for
 * the other ones up to FUNCTIONS. It is always written in the same second.
 */
#define FUNCTIONS 40
#define CODE 0x7f0000000000

static bool write_map(int nr)
{
	struct timespec times[2] = { { 2000000000, nr }, { 2000000000, nr } };
	char path[64], line[64];
	FILE *map;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	for (int i = 0; map && i < FUNCTIONS; i++) {
		snprintf(line, sizeof(line), "%llx 10 function %d",
			 CODE + 16ULL * i, i);
		fprintf(map, "%*s\n", (int)strlen(line), i < nr ? line : "");
	}
	return map && !fclose(map) && !utimensat(AT_FDCWD, path, times, 0);
}

static bool remove_map(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	return !unlink(path);
}

/* Each function has the name that is due, and its samples. */
static bool have_names(const struct profile *profile, uint32_t nr)
{
	CHECK_EQUAL(nr, profile->nr_places);
	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_place *place = &profile->places[i];
		char name[32];

		snprintf(name, sizeof(name), "function %d",
			 (int)(place->offset - CODE) / 16);
		CHECK(!strcmp(profile->functions[place->function].name, name));
	}
	return true;
}

static void add_function(struct growing *growing, int nr)
{
	struct code code = { .kind = PROFILE_JIT,
			     .path = "/bin/program",
			     .pid = getpid(),
			     .origin.pid = getpid(),
			     .origin.root = INDEX_NONE };

	add(growing, &code, "/bin/program", CODE + 16ULL * nr + 3, 1);
}

/* The functions become known one after the other, @each at a look. */
static bool are_named(int each)
{
	struct growing growing;
	struct profile profile;

	profil_growing_begin(&growing);
	for (int i = 0; i < FUNCTIONS; i++) {
		add_function(&growing, i);
		if (i % each == each - 1)
			profil_growing_resolve(&growing, false);
	}
	profile = since(&growing, NULL);
	CHECK(have_names(&profile, FUNCTIONS));
	profil_profile_free(&profile);
	profil_growing_free(&growing);
	return true;
}

TEST("generated code has its names, whether it is seen early or late")
{
	CHECK(write_map(FUNCTIONS));
	CHECK(are_named(FUNCTIONS));
	CHECK(are_named(1));
	CHECK(are_named(7));
	CHECK(remove_map());
	return true;
}

TEST("generated code has its names, whether the map has them early or late")
{
	struct growing growing;
	struct profile profile;

	profil_growing_begin(&growing);
	for (int i = 0; i < FUNCTIONS; i++)
		add_function(&growing, i);
	for (int nr = 0; nr <= FUNCTIONS; nr += 8) {
		CHECK(write_map(nr));
		profil_growing_resolve(&growing, false);
	}
	profile = since(&growing, NULL);
	CHECK(have_names(&profile, FUNCTIONS));
	profil_profile_free(&profile);
	profil_growing_free(&growing);
	return remove_map();
}

/* libdw maps the files that names are read from. */
TEST("a file that is cut while it is mapped has zeros from then on")
{
	long size = sysconf(_SC_PAGESIZE);
	FILE *file = tmpfile();
	volatile const char *map;

	CHECK(file && !ftruncate(fileno(file), 2 * size));
	CHECK(pwrite(fileno(file), "x", 1, size) == 1);
	map = mmap(NULL, 2 * size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
	CHECK(map != MAP_FAILED && map[size] == 'x');
	profil_file_survive_cut();
	CHECK(!ftruncate(fileno(file), size));
	CHECK_EQUAL(0, map[size]);
	CHECK_EQUAL(0, map[2 * size - 1]);
	fclose(file);
	return true;
}
