// SPDX-License-Identifier: GPL-2.0-only
/* A profile is read as it was written; damaged files are refused. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "profile/data_file.h"
#include "sound.h"
#include "tap.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

#define ROOM 65536

#define HEAD                                                             \
	"profil.data\t1\n"                                               \
	"command\t./a b\t-x%0a%25\n"                                     \
	"host\tguest\tx86_64\t6.12.0\n"                                  \
	"time\t1700000000000000000\t4000000000\t3610000000\t440000000\n" \
	"clock\t4000000\t1\n"                                            \
	"end\t1\t3\t0\t0\n"                                              \
	"totals\t40\t33\t4\t3\t1\t6\t2\t2\t5\n"                          \
	"processes\t2\t2\t1\t12\t7\t8\t9\t1\n"                           \
	"memory\t8192\t65536\n"                                          \
	"orphan\t1\n"

#define TABLES                                                   \
	"unseen\t1\t3\t./gen-static\n"                           \
	"program\t/bin/a\n"                                      \
	"program\t/bin/b\n"                                      \
	"object\tfile\t/bin/a\t00ff10\tread\t1\t1\ta-dbgsym\n"   \
	"object\tfile\t/lib/\xff%0a.so\t-\treplaced\t0\t1\t\n"   \
	"object\tjit\t/bin/b\t-\tread\t0\t0\t\n"                 \
	"segment\t0\t0x1000\t0x401000\t8192\n"                   \
	"source\ta.c\n"                                          \
	"source\tb.h\n"                                          \
	"function\t0\t0x401000\t4\tl\tmain\t\t0\t10\n"           \
	"function\t0\t0x0\t0\ti\t_Z2atii\tat(int, int)\t1\t31\n" \
	"function\t1\t0x500\t0\t-\t\t?.so+0x500\t-\t0\n"         \
	"function\t2\t0x7000\t0\tli\tloop%09\t\t-\t0\n"          \
	"code\t0\t90cc0fff\n"

#define PLACES                                                              \
	"place\t0\t0\t0x1000\t0x401000\t0\t7\t0\n"                          \
	"place\t0\t0\t0x1002\t0x401002\t0\t11\t2\t1:1:32:5:0\t0:0:12:0:6\n" \
	"place\t0\t1\t0x1002\t0x401002\t0\t1\t0\n"                          \
	"place\t1\t1\t0x500\t0x500\t2\t8\t0\n"                              \
	"place\t2\t1\t0x7010\t0x7010\t-\t0\t4\n"

#define GOOD HEAD TABLES PLACES "eof\t29\n"

/* Read @size bytes as a file. */
static enum data_error read_bytes(struct profile *profile, const void *bytes,
				  size_t size, char *text)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	enum data_error error = DATA_UNREADABLE;

	profil_profile_init(profile);
	if (fd < 0)
		return error;
	if (write(fd, bytes, size) == (ssize_t)size) {
		lseek(fd, 0, SEEK_SET);
		error = profil_data_read(profile, fd, text);
	}
	close(fd);
	return error;
}

static enum data_error read_text(struct profile *profile, const char *from,
				 char *text)
{
	return read_bytes(profile, from, strlen(from), text);
}

/* The bytes of @profile as a file; 0 on failure */
static size_t bytes_of(const struct profile *profile, char bytes[ROOM])
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	ssize_t size = -1;

	if (fd >= 0 && !profil_data_write(profile, fd))
		size = pread(fd, bytes, ROOM, 0);
	close(fd);
	return size < 0 ? 0 : size;
}

/* The text in a compressed file, by zlib alone */
static size_t inflate_bytes(char *bytes, size_t size, char text[ROOM])
{
	z_stream stream = { .next_in = (unsigned char *)bytes,
			    .avail_in = size,
			    .next_out = (unsigned char *)text,
			    .avail_out = ROOM - 1 };
	int result;

	if (inflateInit2(&stream, 15 + 16) != Z_OK)
		return 0;
	result = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	if (result != Z_STREAM_END)
		return 0;
	text[stream.total_out] = '\0';
	return stream.total_out;
}

static bool has_head(const struct profile_head *head)
{
	CHECK_EQUAL(2, head->argc);
	CHECK(!strcmp(head->argv[0], "./a b"));
	CHECK(!strcmp(head->argv[1], "-x\n%"));
	CHECK(!head->argv[2]);
	CHECK(!strcmp(head->host, "guest"));
	CHECK(!strcmp(head->machine, "x86_64"));
	CHECK(!strcmp(head->release, "6.12.0"));
	CHECK_EQUAL(1700000000000000000, head->begin_ns);
	CHECK_EQUAL(4000000000, head->wall_ns);
	CHECK_EQUAL(3610000000, head->cpu_ns);
	CHECK_EQUAL(440000000, head->kernel_ns);
	CHECK_EQUAL(4000000, head->period_ns);
	CHECK(head->is_tick && head->is_complete);
	CHECK_EQUAL(3, head->status);
	return true;
}

static bool has_totals(const struct profile_head *head)
{
	CHECK_EQUAL(40, head->samples);
	CHECK_EQUAL(33, head->hits);
	CHECK_EQUAL(4, head->outside);
	CHECK_EQUAL(3, head->lost);
	CHECK_EQUAL(1, head->saturated);
	CHECK_EQUAL(6, head->kernel_samples);
	CHECK_EQUAL(2, head->sessions);
	CHECK_EQUAL(2, head->ended);
	CHECK_EQUAL(5, head->unprofiled_children);
	CHECK_EQUAL(2, head->processes);
	CHECK_EQUAL(2, head->starts);
	CHECK_EQUAL(1, head->failed);
	CHECK_EQUAL(12, head->error);
	CHECK_EQUAL(7, head->yielded);
	CHECK_EQUAL(8, head->dropped);
	CHECK_EQUAL(9, head->unnamed);
	CHECK_EQUAL(1, head->recordings);
	return true;
}

static bool has_objects(const struct profile *profile)
{
	const struct profile_object *object = profile->objects;

	CHECK_EQUAL(3, profile->nr_objects);
	CHECK_EQUAL(PROFILE_FILE, object[0].kind);
	CHECK_EQUAL(3, object[0].build_id_size);
	CHECK(!memcmp(object[0].build_id, "\0\xff\x10", 3));
	CHECK(object[0].has_lines && object[0].is_relocatable);
	CHECK(!strcmp(object[0].package, "a-dbgsym"));
	CHECK(!strcmp(object[1].path, "/lib/\xff\n.so"));
	CHECK_EQUAL(PROFILE_NAMES_REPLACED, object[1].names);
	CHECK_EQUAL(PROFILE_JIT, object[2].kind);
	CHECK_EQUAL(1, profile->nr_segments);
	CHECK_EQUAL(0x1000, profile->segments[0].offset);
	CHECK_EQUAL(0x401000, profile->segments[0].address);
	CHECK_EQUAL(8192, profile->segments[0].size);
	return true;
}

static bool has_functions(const struct profile *profile)
{
	const struct profile_function *function = profile->functions;

	CHECK_EQUAL(4, profile->nr_functions);
	CHECK(!strcmp(function[0].symbol, "main"));
	CHECK(!strcmp(function[0].name, "main"));
	CHECK(!strcmp(function[0].file, "a.c"));
	CHECK_EQUAL(10, function[0].line);
	CHECK(function[0].is_local && !function[0].is_inlined);
	CHECK(!memcmp(function[0].code, "\x90\xcc\x0f\xff", 4));
	CHECK(function[1].is_inlined && !function[1].is_local);
	CHECK(!strcmp(function[1].name, "at(int, int)"));
	CHECK(!strcmp(function[3].name, "loop\t"));
	CHECK(!*function[3].file && !function[3].code);
	return true;
}

static bool has_places(const struct profile *profile)
{
	const struct profile_place *place = profile->places;
	const struct profile_frame *frame = &profile->frames[place[1].frames];

	CHECK_EQUAL(5, profile->nr_places);
	CHECK_EQUAL(0x1002, place[1].offset);
	CHECK_EQUAL(0x401002, place[1].address);
	CHECK_EQUAL(11, place[1].user);
	CHECK_EQUAL(2, place[1].kernel);
	CHECK_EQUAL(2, place[1].nr_frames);
	CHECK_EQUAL(1, frame[0].function);
	CHECK(!strcmp(frame[0].file, "b.h"));
	CHECK_EQUAL(32, frame[0].line);
	CHECK_EQUAL(5, frame[0].column);
	CHECK_EQUAL(6, frame[1].discriminator);
	CHECK_EQUAL(1, place[2].program);
	CHECK_EQUAL(PROFILE_NONE, place[4].function);
	CHECK_EQUAL(40, profil_profile_total(profile));
	return true;
}

static bool reads_text(void)
{
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	CHECK_EQUAL(DATA_OK, read_text(&profile, GOOD, text));
	CHECK(is_sound(&profile));
	CHECK(has_head(&profile.head) && has_totals(&profile.head));
	CHECK_EQUAL(2, profile.nr_programs);
	CHECK(!strcmp(profile.programs[1], "/bin/b"));
	CHECK_EQUAL(1, profile.nr_unseen);
	CHECK(!strcmp(profile.unseen[0].path, "./gen-static"));
	CHECK(has_objects(&profile) && has_functions(&profile));
	CHECK(has_places(&profile));
	profil_profile_free(&profile);
	return true;
}

/* The text that is written is the text that was read. */
static bool writes_what_it_has_read(void)
{
	char bytes[ROOM], text[ROOM], wrong[DATA_ERROR_TEXT];
	struct profile profile;
	size_t size;

	CHECK_EQUAL(DATA_OK, read_text(&profile, GOOD, wrong));
	size = bytes_of(&profile, bytes);
	CHECK(size);
	CHECK(inflate_bytes(bytes, size, text));
	CHECK(!strcmp(text, GOOD));
	profil_profile_free(&profile);
	CHECK_EQUAL(DATA_OK, read_bytes(&profile, bytes, size, wrong));
	CHECK(has_places(&profile) && has_functions(&profile));
	profil_profile_free(&profile);
	return true;
}

static bool adds_up_equal_places(void)
{
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	CHECK_EQUAL(DATA_OK,
		    read_text(&profile,
			      HEAD TABLES "place\t0\t0\t0x2\t0x2\t-\t1\t2\n"
					  "place\t0\t0\t0x1\t0x1\t-\t5\t0\n"
					  "place\t0\t0\t0x2\t0x2\t-\t3\t4\n"
					  "eof\t27\n",
			      text));
	CHECK_EQUAL(2, profile.nr_places);
	CHECK_EQUAL(1, profile.places[0].offset);
	CHECK_EQUAL(4, profile.places[1].user);
	CHECK_EQUAL(6, profile.places[1].kernel);
	profil_profile_free(&profile);
	return true;
}

static bool skips_what_it_does_not_know(void)
{
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	CHECK_EQUAL(DATA_OK,
		    read_text(&profile,
			      "profil.data\t1\tmore\nfuture\t1\t%zz\n\n"
			      "clock\t5\t0\t99\nprogram\tp\t\nempty\n"
			      "eof\t6\t\n",
			      text));
	CHECK_EQUAL(5, profile.head.period_ns);
	CHECK_EQUAL(1, profile.nr_programs);
	profil_profile_free(&profile);
	return true;
}

#define MAX64 "18446744073709551615"
#define FIRST "profil.data\t1\n"
#define LINE(number) "malformed profil.data: line " #number
#define PROGRAM FIRST "program\tp\n"
#define OBJECT PROGRAM "object\tfile\to\t-\tread\t0\t0\t\n"
#define FUNCTION OBJECT "function\t0\t0x1\t2\t-\tf\t\t-\t0\n"

static const struct {
	const char *text;
	const char *sentence;
} malformed[] = {
	{ "", "empty file: no recording was written to it" },
	{ "\n", "not a profil.data file" },
	{ "gmon\n", "not a profil.data file" },
	{ "profil.data\n", LINE(1) },
	{ "profil.data\tx\n", LINE(1) },
	{ "profil.data\t2\neof\t1\n",
	  "written by a newer profil: its format is not known" },
	{ FIRST, "malformed profil.data: the file ends early" },
	{ FIRST "program\tp", "malformed profil.data: the file ends early" },
	{ FIRST "eof\t2\n", LINE(2) },
	{ FIRST "eof\t1\nprogram\tp\n", LINE(3) },
	{ FIRST FIRST "eof\t2\n", LINE(2) },
	{ FIRST "clock\t1\n", LINE(2) },
	{ FIRST "clock\t1\t2\n", LINE(2) },
	{ FIRST "clock\t-1\t1\n", LINE(2) },
	{ FIRST "clock\t0x1\t1\n", LINE(2) },
	{ FIRST "clock\t18446744073709551616\t1\n", LINE(2) },
	{ FIRST "end\t1\t256\t0\t0\n", LINE(2) },
	{ FIRST "command\t%\n", LINE(2) },
	{ FIRST "command\t%0\n", LINE(2) },
	{ FIRST "command\t%00\n", LINE(2) },
	{ FIRST "command\t%AF\n", LINE(2) },
	{ PROGRAM "program\tp\n", LINE(3) },
	{ PROGRAM "object\tdir\to\t-\tread\t0\t0\t\n", LINE(3) },
	{ PROGRAM "object\tfile\to\t123\tread\t0\t0\t\n", LINE(3) },
	{ PROGRAM "object\tfile\to\t-\tread\t0\t0\n", LINE(3) },
	{ OBJECT "segment\t1\t0x0\t0x0\t1\n", LINE(4) },
	{ OBJECT "segment\t-\t0x0\t0x0\t1\n", LINE(4) },
	{ OBJECT "function\t0\t1\t2\t-\tf\t\t-\t0\n", LINE(4) },
	{ OBJECT "function\t0\t0x1\t2\t-\tf\t\t0\t0\n", LINE(4) },
	{ FUNCTION "code\t0\t90\n", LINE(5) },
	{ FUNCTION "code\t0\t90909\n", LINE(5) },
	{ FUNCTION "code\t0\t909g\n", LINE(5) },
	{ FUNCTION "code\t1\t9090\n", LINE(5) },
	{ FUNCTION "place\t0\t1\t0x0\t0x0\t0\t1\t0\n", LINE(5) },
	{ FUNCTION "place\t0\t0\t0x0\t0x0\t1\t1\t0\n", LINE(5) },
	{ FUNCTION "place\t0\t0\t0x0\t0x0\t0\t1\t0\t0:-:1:1\n", LINE(5) },
	{ FUNCTION "place\t0\t0\t0x0\t0x0\t0\t1\t0\t0:0:1:1:0\n", LINE(5) },
	{ FUNCTION "place\t0\t0\t0x0\t0x0\t-\t1\t0\t0:-:1:1:0\n", LINE(5) },
	{ FUNCTION "place\t0\t0\t0x0\t0x0\t0\t" MAX64 "\t1\n",
	  "malformed profil.data: the counts are too large to add up" },
	{ FUNCTION "totals\t0\t0\t1\t0\t0\t0\t0\t0\t0\n"
		   "place\t0\t0\t0x0\t0x0\t0\t" MAX64 "\t0\n",
	  "malformed profil.data: the counts are too large to add up" },
};

static bool refuses_malformed_text(void)
{
	for (size_t i = 0; i < ELEMENTS(malformed); i++) {
		char text[DATA_ERROR_TEXT];
		struct profile profile;

		printf("# %s\n", malformed[i].sentence);
		CHECK(read_text(&profile, malformed[i].text, text));
		if (strcmp(text, malformed[i].sentence)) {
			tap_note("element %zu: %s", i, text);
			return false;
		}
		CHECK(!profile.nr_places && !profile.nr_programs);
		profil_profile_free(&profile);
	}
	return true;
}

/* A later totals line must not replace counts that were added up. */
static bool refuses_a_second_head(void)
{
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	CHECK_EQUAL(DATA_LINE,
		    read_text(&profile,
			      FIRST "totals\t0\t0\t1\t0\t0\t0\t0\t0\t0\n"
				    "totals\t0\t0\t2\t0\t0\t0\t0\t0\t0\n"
				    "eof\t3\n",
			      text));
	CHECK(!strcmp(text, LINE(3)));
	profil_profile_free(&profile);
	return true;
}

/* A file that was cut has no valid end, wherever it was cut. */
static bool refuses_a_cut_file(void)
{
	char bytes[ROOM], text[DATA_ERROR_TEXT];
	struct profile profile;
	size_t size;

	CHECK_EQUAL(DATA_OK, read_text(&profile, GOOD, text));
	size = bytes_of(&profile, bytes);
	profil_profile_free(&profile);
	for (size_t i = 0; i < size; i++) {
		CHECK(read_bytes(&profile, bytes, i, text));
		profil_profile_free(&profile);
	}
	for (size_t i = 0; i < strlen(GOOD); i++) {
		CHECK(read_bytes(&profile, GOOD, i, text));
		profil_profile_free(&profile);
	}
	return true;
}

/* Read GOOD with the byte at @at replaced by @byte: refused, or sound. */
static bool survives_byte(size_t at, char byte)
{
	char changed[] = GOOD, text[DATA_ERROR_TEXT], bytes[ROOM];
	struct profile profile;
	bool sound = true;

	changed[at] = byte;
	if (!read_bytes(&profile, changed, sizeof(changed) - 1, text))
		sound = is_sound(&profile) && bytes_of(&profile, bytes);
	profil_profile_free(&profile);
	return sound;
}

static bool survives_each_byte_of_text(void)
{
	static const char marks[] = { '\t', '\n', '-', '9', ':', '%', '\0' };

	for (size_t i = 0; i < strlen(GOOD); i++) {
		for (int bit = 0; bit < 8; bit++)
			CHECK(survives_byte(i, GOOD[i] ^ 1 << bit));
		for (size_t j = 0; j < ELEMENTS(marks); j++)
			CHECK(survives_byte(i, marks[j]));
	}
	return true;
}

/* The checksum of gzip covers the text; a byte of its head may not matter. */
static bool refuses_each_byte_of_the_file(void)
{
	char bytes[ROOM], text[DATA_ERROR_TEXT];
	struct profile profile;
	size_t size, accepted = 0;

	CHECK_EQUAL(DATA_OK, read_text(&profile, GOOD, text));
	size = bytes_of(&profile, bytes);
	profil_profile_free(&profile);
	for (size_t i = 0; i < size; i++) {
		bytes[i] ^= 0x55;
		if (!read_bytes(&profile, bytes, size, text)) {
			CHECK(has_places(&profile));
			accepted++;
		}
		profil_profile_free(&profile);
		bytes[i] ^= 0x55;
	}
	CHECK_BETWEEN(0, accepted, 10);
	return true;
}

static bool reports_a_full_disk(void)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	CHECK_EQUAL(DATA_OK, read_text(&profile, GOOD, text));
	CHECK_EQUAL(-ENOSPC, profil_data_write(&profile, full));
	CHECK_EQUAL(-EBADF, profil_data_write(&profile, -1));
	profil_profile_free(&profile);
	close(full);
	return true;
}

static bool reports_an_unreadable_file(void)
{
	int directory = open("/", O_RDONLY | O_CLOEXEC);
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	profil_profile_init(&profile);
	CHECK_EQUAL(DATA_UNREADABLE,
		    profil_data_read(&profile, directory, text));
	CHECK(!strcmp(text, "cannot be read: Is a directory"));
	profil_profile_free(&profile);
	close(directory);
	return true;
}

/* 60,000 places, and names of 100,000 bytes */
static bool keeps_large_profiles(void)
{
	struct profile profile, again;
	struct profile_place place = { .function = PROFILE_NONE, .user = 1 };
	struct profile_object object = { 0 };
	int fd = memfd_create("test", MFD_CLOEXEC);
	char text[DATA_ERROR_TEXT];
	static char name[100001];

	memset(name, 'x', sizeof(name) - 1);
	object.path = name;
	profil_profile_init(&profile);
	profil_profile_add_program(&profile, "p");
	profil_profile_add_object(&profile, &object);
	for (place.offset = 0; place.offset < 60000; place.offset++)
		profil_profile_add_place(&profile, &place);
	CHECK_EQUAL(0, profil_data_write(&profile, fd));
	lseek(fd, 0, SEEK_SET);
	profil_profile_init(&again);
	CHECK_EQUAL(DATA_OK, profil_data_read(&again, fd, text));
	CHECK_EQUAL(60000, again.nr_places);
	CHECK_EQUAL(60000, profil_profile_total(&again));
	CHECK(!strcmp(again.objects[0].path, name));
	profil_profile_free(&profile);
	profil_profile_free(&again);
	close(fd);
	return true;
}

static const struct tap_test tests[] = {
	{ "text is read into a profile", reads_text },
	{ "a profile is written as it was read", writes_what_it_has_read },
	{ "equal places are added up", adds_up_equal_places },
	{ "lines of unknown kinds are skipped", skips_what_it_does_not_know },
	{ "malformed text is refused", refuses_malformed_text },
	{ "a second line of totals is refused", refuses_a_second_head },
	{ "a cut file is refused", refuses_a_cut_file },
	{ "each byte of text is changed", survives_each_byte_of_text },
	{ "each byte of a file is changed", refuses_each_byte_of_the_file },
	{ "a full disk is reported", reports_a_full_disk },
	{ "a file that cannot be read is reported",
	  reports_an_unreadable_file },
	{ "large profiles are kept", keeps_large_profiles },
};

/* data --write FILE writes a valid file. */
int main(int argc, char **argv)
{
	FILE *out;

	if (argc != 3 || strcmp(argv[1], "--write"))
		return tap_run(tests, ELEMENTS(tests));
	out = fopen(argv[2], "w");
	if (!out || fputs(GOOD, out) < 0 || fclose(out))
		return 1;
	return 0;
}
