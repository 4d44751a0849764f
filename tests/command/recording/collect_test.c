// SPDX-License-Identifier: GPL-2.0-only
/* From a run's file, which the tests write, to a profile */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/collect.h"
#include "tap.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

#define MANY 10000

static char *argv[] = { "program", NULL };
static struct recording recording = { .argv = argv };

/* Add a text of 16 bytes at @path with @samples at offset 0x1004. */
static bool add_text(const char *path, __u32 samples)
{
	static struct run_text text;
	struct run *run = recording.file.run;
	int fd = recording.file.fd;

	text = (struct run_text){
		.from = 0x1000,
		.to = 0x1010,
		.text_bytes = 1,
		.program = "/bin/caf\xe9 x",
	};
	memcpy(text.path, path, strlen(path));
	CHECK(pwrite(fd, &text, sizeof(text), run->space) == sizeof(text));
	CHECK(pwrite(fd, &samples, sizeof(samples),
		     run->space + RUN_RECORD + 4 * RUN_COUNTER) ==
	      sizeof(samples));
	run->texts[run->claimed++] =
		(struct run_entry){ .where = run->space, .key = 1 };
	run->space += 2 * RUN_RECORD;
	return true;
}

/* A file that does not exist, with each byte that a name may have */
static void make_path(char path[RUN_PATH], int number)
{
	int length = snprintf(path, RUN_PATH, "/none/%d ", number);

	for (int byte = 1; byte < 256; byte++)
		if (byte != '/')
			path[length++] = byte;
	path[length] = '\0';
}

static bool object_is(const struct profile *profile, uint32_t index)
{
	const struct profile_place *place = &profile->places[index];
	const char *path = profile->objects[place->object].path;
	char expected[RUN_PATH];

	CHECK(!strncmp(path, "/none/", 6));
	make_path(expected, atoi(path + 6));
	CHECK(!strcmp(path, expected));
	CHECK_EQUAL(atoi(path + 6) + 1, place->user);
	CHECK_EQUAL(0x1004, place->offset);
	CHECK(!strcmp(profile->programs[place->program], "/bin/caf\xe9 x"));
	return true;
}

static bool collects_many_objects(void)
{
	struct baseline baseline = { 0 };
	struct profile profile;
	char path[RUN_PATH];

	profil_run_file_create(&recording.file, 0);
	for (int i = 0; i < MANY; i++) {
		make_path(path, i);
		CHECK(add_text(path, i + 1));
	}
	profil_profile_init(&profile);
	profil_collect(&profile, &recording, &baseline);
	CHECK_EQUAL(MANY, profile.nr_objects);
	CHECK_EQUAL(MANY, profile.nr_places);
	CHECK_EQUAL(1, profile.nr_programs);
	for (uint32_t i = 0; i < MANY; i++)
		CHECK(object_is(&profile, i));
	profil_profile_free(&profile);
	return true;
}

static const struct tap_test tests[] = {
	{ "10,000 objects, with any bytes in their names, are collected",
	  collects_many_objects },
};

int main(void)
{
	return tap_run(tests, ELEMENTS(tests));
}
