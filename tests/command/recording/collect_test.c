// SPDX-License-Identifier: GPL-2.0-only
/* From a run's file, which the tests write, to a profile */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
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
	CHECK(!strcmp(profile->programs[place->program].path,
		      "/bin/caf\xe9 x"));
	return true;
}

TEST("10,000 objects, with any bytes in their names, are collected")
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
	profil_collect(&profile, &recording, NULL, &baseline, NULL);
	CHECK_EQUAL(MANY, profile.nr_objects);
	CHECK_EQUAL(MANY, profile.nr_places);
	CHECK_EQUAL(1, profile.nr_programs);
	for (uint32_t i = 0; i < MANY; i++)
		CHECK(object_is(&profile, i));
	profil_profile_free(&profile);
	return true;
}

/* The run's file has the program's own text and one of a library. */
TEST("each part of a recording has its first program, with samples or not")
{
	struct interval interval = { 0 };
	struct baseline begin = { 0 };
	struct profile part;

	profil_run_file_create(&recording.file, 0);
	CHECK(add_text("/bin/caf\xe9 x", 0));
	CHECK(add_text("/none/library", 7));
	CHECK(add_text("/none/unused", 0));
	profil_interval_begin(&interval, &begin);
	for (int samples = 7; samples >= 0; samples -= 7) {
		profil_profile_init(&part);
		profil_interval_collect(&interval, &part, &recording, NULL,
					NULL);
		profil_interval_next(&interval);
		CHECK_EQUAL(samples, profil_profile_total(&part));
		CHECK_EQUAL(samples ? 2 : 1, part.nr_objects);
		CHECK(part.objects[0].path == part.programs[0].path);
		profil_profile_free(&part);
	}
	profil_interval_free(&interval);
	return true;
}

TEST("a part that was not saved is in the next one")
{
	struct interval interval = { 0 };
	struct baseline begin = { 0 };
	struct profile part;

	profil_run_file_create(&recording.file, 0);
	CHECK(add_text("/none/program", 7));
	profil_interval_begin(&interval, &begin);
	for (uint64_t seconds = 1; seconds <= 2; seconds++) {
		recording.wall_ns = seconds * 1000000000;
		profil_profile_init(&part);
		profil_interval_collect(&interval, &part, &recording, NULL,
					NULL);
		CHECK_EQUAL(7, profil_profile_total(&part));
		CHECK_EQUAL(recording.begin_ns, part.head.begin_ns);
		CHECK_EQUAL(recording.wall_ns, part.head.wall_ns);
		profil_profile_free(&part);
	}
	profil_interval_next(&interval);
	CHECK_EQUAL(recording.wall_ns, interval.wall_ns);
	profil_interval_free(&interval);
	recording.wall_ns = 0;
	return true;
}

/* A profiled program may open the run's file for writing. */
TEST("no program can change the size of the run's file")
{
	char path[32];
	int fd;

	profil_run_file_create(&recording.file, 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", recording.file.fd);
	fd = open(path, O_RDWR);
	CHECK(fd >= 0);
	CHECK(ftruncate(fd, 0) && errno == EPERM);
	CHECK(ftruncate(fd, RUN_SIZE + 4096) && errno == EPERM);
	CHECK(open(path, O_WRONLY | O_TRUNC) < 0 && errno == EPERM);
	CHECK(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) && errno == EPERM);
	CHECK_EQUAL(RUN_MAGIC, recording.file.run->magic);
	close(fd);
	return true;
}

static char copy[32];

/* Copy this program, which has symbols, to @copy. */
static bool copy_program(struct stat *status)
{
	int from = open("/proc/self/exe", O_RDONLY);
	int to;

	snprintf(copy, sizeof(copy), "/tmp/collect-test-XXXXXX");
	to = mkstemp(copy);
	CHECK(from >= 0 && to >= 0 && !fstat(from, status));
	while (sendfile(to, from, NULL, status->st_size) > 0)
		;
	CHECK(!fstat(to, status));
	close(from);
	close(to);
	return true;
}

/* A text of all of @copy, with the counters of its first page of code */
static bool add_program(const struct stat *status, uint64_t *counters)
{
	static struct run_text text;
	struct run *run = recording.file.run;

	text = (struct run_text){
		.to = status->st_size,
		.text_bytes = 1,
		.identity.device = status->st_dev >> 8 << 32 |
				   (status->st_dev & 0xff),
		.identity.inode = status->st_ino,
		.identity.size = status->st_size,
		.identity.mtime_ns = status->st_mtim.tv_sec * 1000000000ULL +
				     status->st_mtim.tv_nsec,
	};
	snprintf(text.path, sizeof(text.path), "%s", copy);
	snprintf(text.program, sizeof(text.program), "%s", copy);
	CHECK(pwrite(recording.file.fd, &text, sizeof(text), run->space) ==
	      sizeof(text));
	*counters = run->space + RUN_RECORD;
	run->texts[run->claimed++] =
		(struct run_entry){ .where = run->space, .key = 1 };
	run->space += RUN_RECORD + 2ULL * status->st_size * RUN_COUNTER;
	return true;
}

__attribute__((noipa)) static int first_function(int value)
{
	return 3 * value;
}

__attribute__((noipa)) static int second_function(int value)
{
	return 5 * value;
}

/* Offset of @function in the program, whose code is loaded in one piece */
static uint64_t offset_of(int (*function)(int value))
{
	uint64_t start, end, offset, address = (uintptr_t)function;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) ==
			    3 &&
		    address >= start && address < end) {
			fclose(maps);
			return address - start + offset;
		}
	return 0;
}

static bool add_sample(uint64_t counters, uint64_t offset)
{
	uint32_t samples = 1;

	return pwrite(recording.file.fd, &samples, sizeof(samples),
		      counters + offset * RUN_COUNTER) == sizeof(samples);
}

/* The name of the function at @offset, or NULL */
static const char *name_at(const struct profile *profile, uint64_t offset)
{
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (profile->places[i].offset == offset)
			return profile->functions[profile->places[i].function]
				.name;
	return NULL;
}

static void collect(struct profile *profile, struct known *known)
{
	struct baseline baseline = { 0 };

	profil_profile_init(profile);
	profil_collect(profile, &recording, NULL, &baseline, known);
}

/* The names of @profile when the file is gone */
static bool has_names(const struct profile *profile,
		      enum profile_names expected, const char *second)
{
	const char *name = name_at(profile, offset_of(second_function));

	CHECK_EQUAL(1, profile->nr_objects);
	CHECK_EQUAL(expected, profile->objects[0].names);
	CHECK(profile->objects[0].has_lines);
	CHECK(profile->nr_segments);
	CHECK(!strcmp(name_at(profile, offset_of(first_function)),
		      "first_function"));
	CHECK(second ? name && strstr(name, second) : !name);
	return true;
}

TEST("a snapshot keeps the names of the one before without the file")
{
	struct known known = { 0 };
	struct profile profile;
	struct stat status;
	uint64_t counters;

	CHECK_EQUAL(1, first_function(2) - second_function(1));
	profil_run_file_create(&recording.file, 0);
	CHECK(copy_program(&status) && add_program(&status, &counters));
	CHECK(add_sample(counters, offset_of(first_function)));
	collect(&profile, &known);
	CHECK(has_names(&profile, PROFILE_NAMES_READ, NULL));
	profil_known_keep(&known, &profile);
	CHECK(!unlink(copy));
	for (int i = 0; i < 2; i++) {
		collect(&profile, &known);
		CHECK(has_names(&profile, PROFILE_NAMES_READ, NULL));
		profil_known_keep(&known, &profile);
	}
	CHECK(add_sample(counters, offset_of(second_function)));
	for (int i = 0; i < 2; i++) {
		collect(&profile, &known);
		CHECK(has_names(&profile, PROFILE_NAMES_UNREADABLE, "+0x"));
		profil_known_keep(&known, &profile);
	}
	profil_known_free(&known);
	return true;
}

/* Samples and times of a part of the recording */
static bool interval_has(struct interval *interval, uint64_t wall_ns,
			 uint64_t first, uint64_t second)
{
	struct profile profile;
	uint64_t before = recording.wall_ns;

	recording.wall_ns += wall_ns;
	profil_profile_init(&profile);
	profil_interval_collect(interval, &profile, &recording, NULL, NULL);
	profil_interval_next(interval);
	CHECK_EQUAL(first + second, profil_profile_total(&profile));
	CHECK_EQUAL(first, !!name_at(&profile, offset_of(first_function)));
	CHECK_EQUAL(second, !!name_at(&profile, offset_of(second_function)));
	CHECK_EQUAL(recording.begin_ns + before, profile.head.begin_ns);
	CHECK_EQUAL(wall_ns, profile.head.wall_ns);
	CHECK_EQUAL(0, profile.head.processes);
	profil_profile_free(&profile);
	return true;
}

TEST("each part of a recording has the samples since the one before")
{
	struct interval interval = { 0 };
	struct stat status;
	uint64_t counters;

	profil_run_file_create(&recording.file, 0);
	recording.begin_ns = 1000;
	recording.wall_ns = 0;
	recording.file.run->processes = 3;
	CHECK(copy_program(&status) && add_program(&status, &counters));
	CHECK(add_sample(counters, offset_of(first_function)));
	CHECK(interval_has(&interval, 5, 1, 0));
	CHECK(interval_has(&interval, 7, 0, 0));
	CHECK(add_sample(counters, offset_of(second_function)));
	CHECK(interval_has(&interval, 9, 0, 1));
	CHECK(interval_has(&interval, 1, 0, 0));
	profil_interval_free(&interval);
	CHECK(!unlink(copy));
	return true;
}

TEST("the first part begins after a delay")
{
	struct interval interval = { 0 };
	struct baseline baseline = { 0 };
	struct stat status;
	uint64_t counters;

	profil_run_file_create(&recording.file, 0);
	CHECK(copy_program(&status) && add_program(&status, &counters));
	CHECK(add_sample(counters, offset_of(first_function)));
	profil_baseline_read(&baseline, &recording);
	profil_interval_begin(&interval, &baseline);
	CHECK(add_sample(counters, offset_of(second_function)));
	recording.wall_ns = 0;
	CHECK(interval_has(&interval, 5, 0, 1));
	profil_interval_free(&interval);
	profil_sample_table_free(&baseline.table);
	CHECK(!unlink(copy));
	return true;
}

/* CPU time of the part of the recording up to so many samples and nanoseconds */
static uint64_t part_cpu(struct interval *interval, uint64_t samples,
			 uint64_t cpu_ns)
{
	struct profile profile;
	uint64_t part;

	recording.file.run->totals.samples = samples;
	recording.cpu.all_ns = cpu_ns;
	profil_profile_init(&profile);
	profil_interval_collect(interval, &profile, &recording, NULL, NULL);
	profil_interval_next(interval);
	part = profile.head.cpu_ns;
	profil_profile_free(&profile);
	return part;
}

/*
 * A sample stands for 1 ms. The first part has had 4 samples less than are due by
 * chance, and the last part as many more.
 */
TEST("the parts have the CPU time of the whole")
{
	struct interval interval = { 0 };

	profil_run_file_create(&recording.file, 0);
	recording.file.run->true_period_ns = 1000000;
	recording.is_attached = true;
	recording.pid = 1;
	CHECK_EQUAL(1000000000, part_cpu(&interval, 996, 1000000000));
	recording.is_complete = true;
	CHECK_EQUAL(100000000, part_cpu(&interval, 1100, 1100000000));
	CHECK_EQUAL(50000000, part_cpu(&interval, 1150, 1100000000));
	recording.is_attached = false;
	recording.is_complete = false;
	recording.pid = 0;
	recording.cpu.all_ns = 0;
	profil_interval_free(&interval);
	return true;
}

TEST("a snapshot has no names of another file with the same path")
{
	struct known known = { 0 };
	struct profile profile;
	struct stat status;
	uint64_t counters;

	profil_run_file_create(&recording.file, 0);
	CHECK(copy_program(&status) && add_program(&status, &counters));
	CHECK(add_sample(counters, offset_of(first_function)));
	collect(&profile, &known);
	profil_known_keep(&known, &profile);
	CHECK(!unlink(copy));
	status.st_ino++;
	profil_run_file_create(&recording.file, 0);
	CHECK(add_program(&status, &counters));
	CHECK(add_sample(counters, offset_of(first_function)));
	collect(&profile, &known);
	CHECK_EQUAL(PROFILE_NAMES_UNREADABLE, profile.objects[0].names);
	CHECK(strstr(name_at(&profile, offset_of(first_function)), "+0x"));
	profil_profile_free(&profile);
	profil_known_free(&known);
	return true;
}

/* Lost samples of the part of the recording up to so many */
static uint64_t part_lost(struct interval *interval, uint64_t lost)
{
	struct profile profile;
	uint64_t part;

	recording.file.run->totals.lost = lost;
	profil_profile_init(&profile);
	profil_interval_collect(interval, &profile, &recording, NULL, NULL);
	profil_interval_next(interval);
	part = profile.head.lost;
	profil_profile_free(&profile);
	return part;
}

TEST("the parts have the lost samples of the whole")
{
	struct interval interval = { 0 };

	profil_run_file_create(&recording.file, 0);
	CHECK_EQUAL(5, part_lost(&interval, 5));
	CHECK_EQUAL(2, part_lost(&interval, 7));
	CHECK_EQUAL(0, part_lost(&interval, 7));
	profil_interval_free(&interval);
	return true;
}

/* A profiled program writes the number. */
TEST("the number of programs without libprofil is not trusted")
{
	struct baseline baseline = { 0 };
	struct profile profile;
	struct run *run;

	profil_run_file_create(&recording.file, 0);
	run = recording.file.run;
	run->unseen[RUN_UNSEEN - 1] = (struct run_unseen){ 1, 1, 2, "/bin/x" };
	run->nr_unseen = UINT32_MAX;
	profil_profile_init(&profile);
	profil_collect(&profile, &recording, NULL, &baseline, NULL);
	CHECK_EQUAL(1, profile.nr_unseen);
	CHECK_EQUAL(2, profile.unseen[0].processes);
	profil_profile_free(&profile);
	return true;
}
