// SPDX-License-Identifier: GPL-2.0-only
/* A profile is read as it was written; damaged files are refused. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "describe.h"
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
	"sessions\t3500000000\t160000000\n"                              \
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

#define GOOD HEAD TABLES PLACES "eof\t30\n"

/* Read @size bytes as a file. */
static int read_bytes(struct profile *profile, const void *bytes, size_t size,
		      char *text)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	int error = -1;

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

static int read_text(struct profile *profile, const char *from, char *text)
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

/* What GOOD has, as describe() prints it */

#define TIMES "1700000000000000000|4000000000|3610000000|440000000|4000000"
#define COUNTS \
	"40|33|4|3|1|2|6|2|2|5|2|1|7|8|9|1|8192|65536|3|0|0|0|12|1|1|1|3500000000|160000000"
#define A "0|/bin/a|00ff10|0|1|1|a-dbgsym|"
#define LIBRARY "0|/lib/\xff\n.so||2|0|1||"
#define JIT "2|/bin/b||0|0|0||"
#define AT A "_Z2atii|at(int, int)|0|0|0|1|b.h|31|"
#define MAIN A "main|main|401000|4|1|0|a.c|10|90cc0fff"
#define HIDDEN LIBRARY "|?.so+0x500|500|0|0|0||0|"

static const char description[] =
	"function " AT "\n"
	"function " MAIN "\n"
	"function " HIDDEN "\n"
	"function " JIT "loop\t|loop\t|7000|0|1|1||0|\n"
	"head ./a b|-x\n%|guest|x86_64|6.12.0|" TIMES "|" COUNTS "\n"
	"object " A "\n"
	"object " LIBRARY "\n"
	"object " JIT "\n"
	"place " A "/bin/a|1000|401000|7|0|" MAIN "\n"
	"place " A "/bin/a|1002|401002|11|2|" MAIN "|b.h:32:5:0 " AT
	"|a.c:12:0:6 " MAIN "\n"
	"place " A "/bin/b|1002|401002|1|0|" MAIN "\n"
	"place " LIBRARY "/bin/b|500|500|8|0|" HIDDEN "\n"
	"place " JIT "/bin/b|7010|7010|0|4|none|\n"
	"program /bin/a\n"
	"program /bin/b\n"
	"segment 1000|401000|8192|" A "\n"
	"unseen 1|3|./gen-static\n";

static bool is_good(const struct profile *profile)
{
	char *text = describe(profile);
	bool is_same = !strcmp(text, description);

	free(text);
	return is_same && profil_profile_total(profile) == 40;
}

TEST("text is read into a profile")
{
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	CHECK_EQUAL(0, read_text(&profile, GOOD, text));
	CHECK(is_sound(&profile) && is_good(&profile));
	profil_profile_free(&profile);
	return true;
}

/* The text that is written is the text that was read. */
TEST("a profile is written as it was read")
{
	char bytes[ROOM], text[ROOM], wrong[DATA_ERROR_TEXT];
	struct profile profile;
	size_t size;

	CHECK_EQUAL(0, read_text(&profile, GOOD, wrong));
	size = bytes_of(&profile, bytes);
	CHECK(size);
	CHECK(inflate_bytes(bytes, size, text));
	CHECK(!strcmp(text, GOOD));
	profil_profile_free(&profile);
	CHECK_EQUAL(0, read_bytes(&profile, bytes, size, wrong));
	CHECK(is_good(&profile));
	profil_profile_free(&profile);
	return true;
}

#define MAX64 "18446744073709551615"
#define FIRST "profil.data\t1\n"
#define LINE(number) "malformed profil.data: line " #number
#define TOTALS "totals\t0\t0\t1\t0\t0\t0\t0\t0\t0\n"
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
	{ FIRST "eof\t1\nx", "malformed profil.data: the file ends early" },
	{ FIRST "program\tp", "malformed profil.data: the file ends early" },
	{ FIRST "eof\t2\n", LINE(2) },
	{ FIRST "eof\t0\n", LINE(2) },
	{ FIRST "eof\t1\nprogram\tp\n", LINE(3) },
	{ FIRST FIRST "eof\t2\n", LINE(2) },
	{ FIRST "clock\t1\n", LINE(2) },
	/* It would replace counts that were added up. */
	{ FIRST TOTALS "totals\t0\t0\t2\t0\t0\t0\t0\t0\t0\neof\t3\n", LINE(3) },
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
	{ FUNCTION TOTALS "place\t0\t0\t0x0\t0x0\t0\t" MAX64 "\t0\n",
	  "malformed profil.data: the counts are too large to add up" },
};

TEST("malformed text is refused")
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

/* A file that was cut has no valid end, wherever it was cut. */
TEST("a cut file is refused")
{
	char bytes[ROOM], text[DATA_ERROR_TEXT];
	struct profile profile;
	size_t size;

	CHECK_EQUAL(0, read_text(&profile, GOOD, text));
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

TEST("each byte of text is changed")
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
TEST("each byte of a file is changed")
{
	char bytes[ROOM], text[DATA_ERROR_TEXT];
	struct profile profile;
	size_t size, accepted = 0;

	CHECK_EQUAL(0, read_text(&profile, GOOD, text));
	size = bytes_of(&profile, bytes);
	profil_profile_free(&profile);
	for (size_t i = 0; i < size; i++) {
		bytes[i] ^= 0x55;
		if (!read_bytes(&profile, bytes, size, text)) {
			CHECK(is_good(&profile));
			accepted++;
		}
		profil_profile_free(&profile);
		bytes[i] ^= 0x55;
	}
	CHECK_BETWEEN(0, accepted, 10);
	return true;
}

TEST("a full disk is reported")
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	CHECK_EQUAL(0, read_text(&profile, GOOD, text));
	CHECK_EQUAL(-ENOSPC, profil_data_write(&profile, full));
	CHECK_EQUAL(-EBADF, profil_data_write(&profile, -1));
	profil_profile_free(&profile);
	close(full);
	return true;
}

TEST("a file that cannot be read is reported")
{
	int directory = open("/", O_RDONLY | O_CLOEXEC);
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	profil_profile_init(&profile);
	CHECK_EQUAL(-1, profil_data_read(&profile, directory, text));
	CHECK(!strcmp(text, "cannot be read: Is a directory"));
	profil_profile_free(&profile);
	close(directory);
	return true;
}

/* 60,000 places, and names of 100,000 bytes */
TEST("large profiles are kept")
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
	CHECK_EQUAL(0, profil_data_read(&again, fd, text));
	CHECK_EQUAL(60000, again.nr_places);
	CHECK_EQUAL(60000, profil_profile_total(&again));
	CHECK(!strcmp(again.objects[0].path, name));
	profil_profile_free(&profile);
	profil_profile_free(&again);
	close(fd);
	return true;
}

/* A file of @mib MiB of text in lines of an unknown kind, which gzip makes small */
static int new_file_of(unsigned int mib)
{
	static char line[1 << 20];
	int fd = memfd_create("test", MFD_CLOEXEC);
	gzFile gz = gzdopen(dup(fd), "wb1");

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\n';
	gzprintf(gz, "profil.data\t1\n");
	for (unsigned int i = 0; i < mib; i++)
		gzwrite(gz, line, sizeof(line));
	gzprintf(gz, "eof\t%u\n", mib + 1);
	gzclose(gz);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* A larger file would have a profile that takes gigabytes. */
TEST("a file of more than 256 MiB of text is refused")
{
	char text[DATA_ERROR_TEXT];
	struct profile profile;
	int fd = new_file_of(255);

	profil_profile_init(&profile);
	CHECK_EQUAL(0, profil_data_read(&profile, fd, text));
	close(fd);
	fd = new_file_of(256);
	CHECK(lseek(fd, 0, SEEK_END) < 4 << 20);
	lseek(fd, 0, SEEK_SET);
	CHECK_EQUAL(-1, profil_data_read(&profile, fd, text));
	CHECK(!strcmp(text,
		      "malformed profil.data: more than 256 MiB of text"));
	profil_profile_free(&profile);
	close(fd);
	return true;
}

/* data --write FILE writes a valid file. */
int main(int argc, char **argv)
{
	FILE *out;

	if (argc != 3 || strcmp(argv[1], "--write"))
		return tap_run();
	out = fopen(argv[2], "w");
	if (!out || fputs(GOOD, out) < 0 || fclose(out))
		return 1;
	return 0;
}
