// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of the files of a profile for gmon.out: each library that was loaded has
 * one of its own, whatever was at its place before; and what is left where a file
 * cannot be written
 */
#include <sys/resource.h>

#include "aix/monitor_files.h"
#include "aix/monitor_gmon.h"
#include "aix/monitor_ranges.h"
#include "core/driver.h"
#include "gprof/gmon_objects.h"
#include "gprof/mcount/arcs.h"
#include "gprof/mcount/checkpoint.h"
#include "gprof/mcount/system_call.h"
#include "../lib/profile_file.h"
#include "../selftests/profil/common.h"
#include "random.h"
#include "tap.h"

static struct gmon gmon;

/* The libraries that are loaded, by their places, which are of equal size */
#define PLACES 3
#define PLACE_SIZE 0x1000
#define STEPS 3000

static const char *const libraries[] = { "/lib/lib.so", "/lib/lib.so.1",
					 "/lib/lib.so-2", "/lib/other.so",
					 "/opt/other.so" };
#define LIBRARIES ARRAY_LENGTH(libraries)

static const char *loaded[PLACES];
static bool was_loaded[PLACES][LIBRARIES];

static uint64_t address_of(int place)
{
	return 0x400000 + (uint64_t)place * PLACE_SIZE;
}

void profil_objects(void (*take)(const struct object *object, void *data),
		    void *data)
{
	for (int i = 0; i < PLACES; i++) {
		uint64_t low = address_of(i);
		struct object object = {
			low, low,      low + PLACE_SIZE, low, low + PLACE_SIZE,
			low, loaded[i]
		};

		if (loaded[i])
			take(&object, data);
	}
}

/* Each page of text is an object, linked to another address. */
struct object profil_object_at(uint64_t address)
{
	uint64_t start = address / 0x1000 * 0x1000;

	return (struct object){ .base = start / 0x10,
				.start = start,
				.end = start + 0x1000 };
}

/* Messages so far */
static int told;

void profil_log(const char *format, ...)
{
	(void)format;
	told++;
}

/* Of no test here */
int profil_driver_start(struct profil_start *start)
{
	(void)start;
	return -1;
}

static const char *last_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* Texts that count at @place */
static int present_at(int place, const struct gmon_object **text)
{
	int nr = 0;

	for (uint32_t i = 1; i < gmon.nr_objects; i++) {
		if (!gmon.objects[i].present ||
		    gmon.objects[i].low != address_of(place))
			continue;
		*text = &gmon.objects[i];
		nr++;
	}
	return nr;
}

/* What counts is what is loaded, each library in a text that is its own. */
static bool texts_are_loaded(void)
{
	const struct gmon_object *text;

	for (int i = 0; i < PLACES; i++) {
		const char *path = loaded[i];

		CHECK_EQUAL(!!path, present_at(i, &text));
		CHECK(!path || !strncmp(text->name, last_name(path),
					strlen(last_name(path))));
	}
	return true;
}

/* As many texts as places of libraries so far, each with another name */
static bool each_has_its_own(void)
{
	uint32_t nr = 1;

	for (int i = 0; i < PLACES; i++)
		for (size_t j = 0; j < LIBRARIES; j++)
			nr += was_loaded[i][j];
	CHECK_EQUAL(nr, gmon.nr_objects);
	for (uint32_t i = 1; i < nr; i++)
		for (uint32_t j = 1; j < i; j++)
			CHECK(strcmp(gmon.objects[i].name,
				     gmon.objects[j].name));
	return true;
}

/* A library is at one place at a time. */
static void load_or_unload(void)
{
	int place = random_below(PLACES);
	size_t library = random_below(LIBRARIES);

	for (int i = 0; i < PLACES; i++)
		if (loaded[i] == libraries[library])
			loaded[i] = NULL;
	if (loaded[place]) {
		loaded[place] = NULL;
		return;
	}
	loaded[place] = libraries[library];
	was_loaded[place][library] = true;
}

TEST("what counts is what is loaded, each library in a file of its own")
{
	CHECK_EQUAL(0, profil_gmon_objects_program(&gmon, 0x1000, 0x2000));
	for (; cases_tried < STEPS; cases_tried++) {
		load_or_unload();
		profil_gmon_objects_libraries(&gmon);
		CHECK(texts_are_loaded());
		CHECK(each_has_its_own());
	}
	profil_gmon_objects_forget(&gmon);
	return true;
}

/*
 * System calls of the writer: of those so far, the one with the number @failing fails,
 * which is @failed. close() closes in any case, and a file that cannot be removed stays.
 * Each write is interrupted, and then writes half of what it is given.
 */
static int failing, calls, writes, opened;
static long failed;

/* Milliseconds of the clock, if it is not the machine's */
static long clock_ms;

static bool may_fail(long number)
{
	return number != SYS_getpid && number != SYS_unlinkat;
}

/* Those of the arguments that are missing are not used. */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	opened += number == SYS_openat;
	if (number == SYS_clock_gettime && clock_ms) {
		*(struct timespec *)b =
			(struct timespec){ clock_ms / 1000,
					   clock_ms % 1000 * 1000000 };
		return 0;
	}
	if (number == SYS_write && ++writes % 2) {
		errno = EINTR;
		return -1;
	}
	if (number == SYS_write)
		c = (c + 1) / 2;
	if (failing && may_fail(number) && ++calls == failing) {
		if (number == SYS_close)
			__real_syscall(number, a);
		errno = EIO;
		failed = number;
		return -1;
	}
	return __real_syscall(number, a, b, c, d, e, f);
}

/* A child, as that of a test, has its process ID behind the name. */
static char path[32];

static void make_profile(void)
{
	static uint32_t counters[4];

	gmon.width = 4;
	gmon.rate = 250;
	gmon.nr_objects = 1;
	gmon.objects[0] = (struct gmon_object){ .low = 0x1000,
						.high = 0x1010,
						.counters = counters,
						.present = true };
	profil_output_path_set(&gmon.output, "gmon.out");
	snprintf(path, sizeof(path), "gmon.out.%d", getpid());
}

static bool write_old(void)
{
	FILE *file = fopen(path, "w");

	return file && fputs("old", file) >= 0 && !fclose(file);
}

/* The file is the old one, or the whole profile if there was no @error. */
static bool is_whole(int error)
{
	static struct profile_file read;
	char text[4] = "";
	FILE *file;

	if (!error)
		return gmon_out_read(path, &read) && read.nr_hists == 1;
	file = fopen(path, "r");
	CHECK(file && fgets(text, sizeof(text), file) && !fclose(file));
	CHECK(!strcmp(text, "old"));
	return true;
}

typedef int (*write_fn)(const struct gmon *gmon, struct gmon_writer *writer,
			const struct gmon_object *text);

/* The result of @write, in which the system call @at fails, if there are so many */
static int write_with(write_fn write, int at)
{
	int error;

	calls = 0;
	failed = 0;
	failing = at;
	error = write(&gmon, &gmon.interim, gmon.objects);
	failing = 0;
	return error;
}

/* An error is that of a call. Without the status of a directory, another path leads there. */
static bool is_told(int error)
{
	return !error == !failed || failed == CALL_FSTATAT;
}

TEST("whichever system call fails, a file is replaced whole or not, and no other is left")
{
	make_profile();
	for (int at = 1; calls >= at - 1; at++, cases_tried++) {
		int error;

		CHECK(write_old());
		error = write_with(profil_gmon_replace, at);
		CHECK(is_told(error));
		CHECK(is_whole(error));
		CHECK(access(gmon.interim.part, F_OK));
	}
	CHECK(calls > 5);
	return !unlink(path);
}

TEST("whichever system call fails, a file is written or there is an error")
{
	static struct profile_file read;

	make_profile();
	for (int at = 1; calls >= at - 1; at++, cases_tried++) {
		int error = write_with(profil_gmon_write, at);

		CHECK(is_told(error));
		CHECK(error || gmon_out_read(path, &read));
		unlink(path);
	}
	CHECK(calls > 3 && !failed);
	return true;
}

/* A file for the first @nr of two ranges of monitor(), which is not whole with an error */
static bool monitor_tells(uint32_t nr)
{
	static struct profile_file read;
	static HISTCOUNTER counters[8];
	struct prof prof[] = {
		{ (caddr_t)0x1000, (caddr_t)0x1010, counters, 8, 0x10000 },
		{ (caddr_t)0x2000, (caddr_t)0x2010, counters, 8, 0x10000 },
	};
	const struct ranges ranges = { .prof = prof, .nr = nr };

	calls = 0;
	for (int at = 1; calls >= at - 1; at++, cases_tried++) {
		int error;

		calls = 0;
		failed = 0;
		failing = at;
		error = profil_monitor_gmon_write(&ranges, path);
		failing = 0;
		CHECK(!error == !failed);
		CHECK(error || gmon_out_read(path, &read));
		unlink(path);
	}
	return calls > 1 && !failed;
}

TEST("whichever system call fails, the file of monitor() is written or there is an error")
{
	make_profile();
	return monitor_tells(1) && monitor_tells(2);
}

/* Two ranges of monitor(), and calls of functions at their ends and beside them */
static HISTCOUNTER counters_of_ranges[16];
static struct prof two_ranges[] = {
	{ (caddr_t)0x1000, (caddr_t)0x1010, counters_of_ranges, 16, 0x10000 },
	{ (caddr_t)0x2000, (caddr_t)0x2010, counters_of_ranges + 8, 16,
	  0x10000 },
};
static const uint64_t inside[] = { 0x1000, 0x100f, 0x2000, 0x200f };
static const uint64_t outside[] = { 0xfff, 0x1010, 0x1fff, 0x2010 };

static bool call_at_ends(void)
{
	CHECK_EQUAL(0, profil_arcs_switch(true));
	for (size_t i = 0; i < ARRAY_LENGTH(inside); i++) {
		profil_arcs_count(0x5000, inside[i]);
		profil_arcs_count(0x5000, outside[i]);
	}
	return true;
}

/* The calls in @read are of functions inside, less @base. Their number is added to @nr. */
static bool are_inside(const struct profile_file *read, uint64_t base,
		       unsigned int *nr)
{
	for (unsigned int i = 0; i < read->nr_calls; i++) {
		uint64_t self = read->calls[i].self + base;

		CHECK_EQUAL(1, read->calls[i].count);
		CHECK(self == inside[0] || self == inside[1] ||
		      self == inside[2] || self == inside[3]);
	}
	*nr += read->nr_calls;
	return true;
}

TEST("the file of monitor() has the calls from the first byte of a range to the last")
{
	static struct profile_file read;
	const struct ranges ranges = { .prof = two_ranges, .nr = 2 };
	unsigned int nr = 0;

	make_profile();
	CHECK(call_at_ends());
	CHECK_EQUAL(0, profil_monitor_gmon_write(&ranges, path));
	CHECK(gmon_out_read(path, &read) && are_inside(&read, 0x100, &nr));
	CHECK_EQUAL(ARRAY_LENGTH(inside), nr);
	cases_tried++;
	return !unlink(path);
}

/* The mon.out of a range has its text, and calls, whose number is added to @nr. */
static bool is_file_of(int range, const char *suffix, unsigned int *nr)
{
	static struct profile_file read;
	const uint64_t base = 0x100 * (range + 1);
	char name[40];

	snprintf(name, sizeof(name), "mon.out.%d%s", getpid(), suffix);
	CHECK(mon_out_read(name, &read) && are_inside(&read, base, nr));
	CHECK_EQUAL((uintptr_t)two_ranges[range].p_low - base, read.hists->low);
	CHECK_EQUAL((uintptr_t)two_ranges[range].p_high - base,
		    read.hists->high);
	CHECK_EQUAL(8, read.hists->nr_bins);
	return !unlink(name);
}

/* Four functions, of which @room fit in front of the counters */
static bool keeps_calls(unsigned int room)
{
	struct poutcnt calls[ARRAY_LENGTH(inside) + 1] = { 0 };
	const struct monitor_profile profile = {
		.type = _PROF_TYPE_IS_P,
		.ranges = { .prof = two_ranges, .nr = 2 },
		.calls = (char *)calls,
		.nr_calls = room,
	};
	char name[OUTPUT_PATH_MAX];
	unsigned int nr = 0;

	told = 0;
	CHECK_EQUAL(0, profil_monitor_files_write(&profile, name));
	CHECK_EQUAL(room < ARRAY_LENGTH(inside), told);
	for (size_t i = 0; i < ARRAY_LENGTH(calls); i++)
		CHECK_EQUAL(i < room, !!calls[i].count);
	CHECK(is_file_of(0, "", &nr) && is_file_of(1, ".2", &nr));
	CHECK_EQUAL(room, nr);
	return true;
}

TEST("monitor() keeps as many functions as there is room for, and no counter has a call")
{
	unsetenv("PROFDIR");
	CHECK(call_at_ends());
	for (unsigned int room = 0; room <= ARRAY_LENGTH(inside);
	     room++, cases_tried++)
		CHECK(keeps_calls(room));
	return true;
}

/* A range of @bytes, whose counters may have more text than that, beside another one */
static bool has_even_bins(unsigned int bytes)
{
	static struct profile_file read;
	struct prof prof[] = {
		{ (caddr_t)0x1000, (caddr_t)0x1000 + bytes, counters_of_ranges,
		  2 * (bytes / 5), 0 },
		{ prof->p_high, (caddr_t)0x2000, counters_of_ranges, 2, 2 },
	};
	const struct monitor_profile profile = {
		.type = _PROF_TYPE_IS_P,
		.ranges = { .prof = prof, .nr = 2 },
	};
	char name[OUTPUT_PATH_MAX];

	prof->p_scale = profil_ranges_scale(prof, 0x10000);
	CHECK_EQUAL(0, profil_monitor_files_write(&profile, name));
	CHECK(!unlink(name)); /* the one that was written last */
	name[strlen(name) - 2] = '\0';
	CHECK(mon_out_read(name, &read) && !unlink(name));
	CHECK_EQUAL(0x1000 + bytes - 0x100, read.hists->high);
	if (profil_monitor_ranges_end(prof) > 0x1000 + bytes)
		CHECK_EQUAL(0, bytes % read.hists->nr_bins);
	return true;
}

TEST("bins of ranges that touch have equal texts, of odd ranges, too")
{
	unsetenv("PROFDIR");
	for (unsigned int bytes = 6; bytes < 80; bytes++, cases_tried++)
		CHECK(has_even_bins(bytes));
	return true;
}

/* The element behind the last one has no end. */
TEST("as many ranges as the driver has regions are an array, and no more")
{
	static struct prof array[PROFIL_MAX_REGIONS + 2];
	struct ranges ranges = { 0 };

	for (int i = 0; i < PROFIL_MAX_REGIONS; i++)
		array[i].p_high = (caddr_t)1;
	CHECK_EQUAL(0, profil_ranges_copy(&ranges, array, 0));
	CHECK_EQUAL(PROFIL_MAX_REGIONS, ranges.nr);
	profil_ranges_free(&ranges);
	array[PROFIL_MAX_REGIONS].p_high = (caddr_t)1;
	CHECK_EQUAL(-E2BIG, profil_ranges_copy(&ranges, array, 0));
	cases_tried++;
	return true;
}

/* Checkpoints that are written by some calls at the time @at */
static int written_at(long at)
{
	clock_ms = at;
	opened = 0;
	for (int i = 0; i < 10000; i++)
		profil_arcs_count(0x1000, 0x1004);
	return opened;
}

/*
 * A file beyond the limit would send SIGXFSZ. The limit counts, not how far it may rise, and
 * the checkpoint that is due is written once it is lifted.
 */
TEST("no checkpoint is written where files have a limit, until it is lifted")
{
	struct rlimit limit = { 1, RLIM_INFINITY };
	static struct gmon_process process;

	make_profile();
	gmon.process = &process;
	clock_ms = 1000;
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK_EQUAL(0, profil_arcs_switch(true));
	profil_checkpoint_begin(&gmon, 1);
	CHECK_EQUAL(0, written_at(2500));
	limit.rlim_cur = RLIM_INFINITY;
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK_EQUAL(1, written_at(2500));
	profil_checkpoint_end(&gmon);
	cases_tried++;
	return !unlink(path);
}

/* A profile has checkpoints @seconds apart, or after 1 second, 2, 4 and so on. */
static bool checkpoints_are_due(unsigned long seconds)
{
	static struct gmon_process process;
	long begun = clock_ms, due;

	process = (struct gmon_process){ 0 };
	gmon.process = &process;
	profil_checkpoint_begin(&gmon, seconds);
	due = begun + (seconds == CHECKPOINT_DOUBLING ? 1 : seconds) * 1000;
	for (int i = 0; i < 4; i++) {
		CHECK_EQUAL(0, written_at(due - 5));
		CHECK_EQUAL(1, written_at(due + 5));
		due = clock_ms + (seconds == CHECKPOINT_DOUBLING ?
					  clock_ms - begun :
					  (long)seconds * 1000);
		cases_tried++;
	}
	profil_checkpoint_end(&gmon);
	CHECK_EQUAL(0, written_at(clock_ms + 1000000));
	return true;
}

TEST("checkpoints are due when the profile of now has them, whatever those before had")
{
	static const unsigned long seconds[] = { CHECKPOINT_DOUBLING, 7,
						 CHECKPOINT_DOUBLING, 30, 7 };

	make_profile();
	clock_ms = 1000;
	CHECK_EQUAL(0, profil_arcs_switch(true));
	for (size_t i = 0; i < ARRAY_LENGTH(seconds); i++)
		CHECK(checkpoints_are_due(seconds[i]));
	return !unlink(path);
}

static int files_of(const char *names)
{
	int nr = 0;

	for (const char *suffix = names; *suffix; suffix++) {
		char name[sizeof(path) + 4];

		snprintf(name, sizeof(name), *suffix == '1' ? "%s" : "%s.%c",
			 path, *suffix);
		nr += !unlink(name);
	}
	return nr;
}

/* The second range begins where the object of the first one ends, or before that. */
TEST("monitor() has a file for each object, also where one ends at the next")
{
	struct monitor_profile profile = {
		.type = _PROF_TYPE_IS_PG,
		.ranges = { .prof = two_ranges, .nr = 2 },
	};
	caddr_t low = two_ranges[1].p_low;

	make_profile();
	profile.output = gmon.output;
	for (int end = 0; end < 2; end++) {
		char name[OUTPUT_PATH_MAX];

		two_ranges[1].p_low = end ? low : (caddr_t)0x1ff0;
		CHECK_EQUAL(0, profil_monitor_files_write(&profile, name));
		CHECK_EQUAL(1 + end, files_of("12345"));
		cases_tried++;
	}
	return true;
}
