// SPDX-License-Identifier: GPL-2.0-only
/* Reading valid files, damaged files, and files that do not fit together */
#include <ctype.h>
#include <string.h>

#include "read_content.h"
#include "tap.h"
#include "valid_files.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

#define GNU "s:gmon 4:1 z:12 "
#define SECONDS "s:seconds z:8 s:s "
#define HEAD "1:0 8:0x1000 8:0x1008 4:2 4:100 " SECONDS
#define BSD(bytes, rate, bits) \
	"8:0x1000 8:0x1008 4:" bytes " 4:0x51879 4:" rate " 4:" bits " z:8 "
#define BSD_32(bytes) "4:0x1000 4:0x1008 4:" bytes " 4:0x51879 4:100 z:12 "
#define MOST "8:1 8:2 8:0x7fffffffffffffff "
#define NEITHER "not a profil.data, gmon.out or mon.out file"
#define BROKEN_MON "malformed mon.out: "
#define BROKEN "malformed gmon.out: "
#define NOT_ADDED "cannot be added up: "

static bool has_read(const struct valid_file *good, const struct taken *taken)
{
	const struct gprof_data *data = &taken->data;

	CHECK(!strcmp(data->kind, good->kind));
	CHECK_EQUAL(good->word, data->word);
	CHECK_EQUAL(good->rate, data->rate);
	CHECK_EQUAL(good->samples, data->samples);
	CHECK_EQUAL(good->calls, data->calls);
	CHECK(are_sound(taken));
	return true;
}

TEST("valid files are read")
{
	for (size_t i = 0; i < NR_VALID_FILES; i++) {
		struct content content = { .size = 0 };
		struct taken taken = { .nr_bins = 0 };
		char wrong[INPUT_WRONG];

		printf("# %s\n", valid_files[i].name);
		CHECK(append_all(&content, valid_files[i].text));
		CHECK(read_content(&content, content.size, wrong, &taken));
		CHECK(has_read(&valid_files[i], &taken));
		free_taken(&taken);
	}
	return true;
}

/* Each bin and arc of one file is kept. */
TEST("bins and arcs are kept")
{
	struct content content = { .size = 0 };
	struct taken taken = { .nr_bins = 0 };
	const struct histogram *histogram;
	char wrong[INPUT_WRONG];

	CHECK(append_all(&content, valid_files[1].text));
	CHECK(read_content(&content, content.size, wrong, &taken));
	CHECK_EQUAL(2, taken.data.nr_histograms);
	histogram = taken.data.histograms;
	CHECK_EQUAL(0x401000, histogram->low);
	CHECK_EQUAL(0x401010, histogram->high);
	CHECK_EQUAL(2, histogram->nr);
	CHECK_EQUAL(1 + 8, samples_at(&taken, 0x401000));
	CHECK_EQUAL(2 + 16, samples_at(&taken, 0x401008));
	histogram++;
	CHECK_EQUAL(0x401020, histogram->low);
	CHECK_EQUAL(1, histogram->nr);
	CHECK_EQUAL(4, samples_at(&taken, 0x401020));
	CHECK_EQUAL(1, taken.nr_arcs);
	CHECK_EQUAL(0x401004, taken.arcs[0].from);
	CHECK_EQUAL(0x401012, taken.arcs[0].self);
	free_taken(&taken);
	return true;
}

static bool may_be_cut(const struct valid_file *good, size_t size)
{
	size_t i = 0;

	while (good->cuts[i])
		if (good->cuts[i++] == size)
			return true;
	return good->step && size > good->cuts[i - 1] &&
	       (size - good->cuts[i - 1]) % good->step == 0;
}

/* Whether the message is one line of printable text */
static bool is_printable(const char wrong[INPUT_WRONG])
{
	size_t length = strnlen(wrong, INPUT_WRONG);

	CHECK_BETWEEN(10, length, 200);
	for (size_t i = 0; i < length; i++)
		CHECK(isprint((unsigned char)wrong[i]));
	return true;
}

static bool cuts(const struct valid_file *good)
{
	struct content content = { .size = 0 };
	char wrong[INPUT_WRONG];
	struct taken taken = { .nr_bins = 0 };

	printf("# %s\n", good->name);
	CHECK(append_all(&content, good->text));
	CHECK(may_be_cut(good, content.size));
	for (size_t size = 0; size <= content.size; size++) {
		bool accepted = read_content(&content, size, wrong, &taken);

		printf("# %zu bytes: %s\n", size, accepted ? "" : wrong);
		CHECK_EQUAL(may_be_cut(good, size), accepted);
		if (accepted)
			CHECK(are_sound(&taken));
		else
			CHECK(is_printable(wrong));
		free_taken(&taken);
	}
	return true;
}

TEST("truncated files are refused")
{
	for (size_t i = 0; i < NR_VALID_FILES; i++)
		CHECK(cuts(&valid_files[i]));
	return true;
}

static bool changes(struct content *content, size_t at)
{
	unsigned char true_byte = content->bytes[at];
	struct taken taken = { .nr_bins = 0 };
	char wrong[INPUT_WRONG];

	for (unsigned int byte = 0; byte < 256; byte++) {
		content->bytes[at] = byte;
		if (read_content(content, content->size, wrong, &taken))
			CHECK(are_sound(&taken));
		else
			CHECK(is_printable(wrong));
		free_taken(&taken);
	}
	content->bytes[at] = true_byte;
	return true;
}

TEST("any byte may have any value")
{
	for (size_t i = 0; i < NR_VALID_FILES; i++) {
		struct content content = { .size = 0 };

		CHECK(append_all(&content, valid_files[i].text));
		for (size_t at = 0; at < content.size; at++)
			CHECK(changes(&content, at));
	}
	return true;
}

/**
 * struct bad - a file that is refused
 * @text: content of the file
 * @wrong: expected message
 */
struct bad {
	const char *text;
	const char *wrong;
};

static const struct bad bad_files[] = {
	{ "z:0",
	  "empty file: the program is still running, or did not write it" },
	{ "z:5", NEITHER },
	{ "z:200", NEITHER },
	{ "s:just_some_text_that_is_long_enough", NEITHER },
	{ "s:which_text_it_may_be_makes_no_difference", NEITHER },
	{ "1:0x7f s:ELF z:60",
	  "program or library: name the file that it has written, too" },
	{ "s:gmon", BROKEN "the file ends within the header" },
	{ "s:gmon 4:0 z:12", BROKEN "the version is 0, not 1" },
	{ "s:gmon 4:0x1ffff z:12", BROKEN "the version is 131071, not 1" },
	{ GNU "1:3", BROKEN "a record has the unknown tag 3" },
	{ GNU "1:0 8:8 8:8 4:1 4:100 " SECONDS "2:0",
	  BROKEN "a histogram has the empty range from 0x8 to 0x8" },
	{ GNU "1:0 8:9 8:8 4:1 4:100 " SECONDS "2:0",
	  BROKEN "a histogram has the empty range from 0x9 to 0x8" },
	{ GNU "1:0 8:8 8:16 4:0 4:100 " SECONDS,
	  BROKEN "a histogram has 0 bins" },
	{ GNU "1:0 8:8 8:16 4:-1 4:100 " SECONDS,
	  BROKEN "a histogram has -1 bins" },
	{ GNU "1:0 8:8 8:10 4:3 4:100 " SECONDS "2:0 2:0 2:0",
	  BROKEN "a histogram has 3 bins for 2 addresses" },
	{ GNU "1:0 8:8 8:0xffffffffff 4:0x7fffffff 4:100 " SECONDS "2:1",
	  BROKEN "the file ends within a histogram" },
	{ GNU "1:0 8:8 8:16 4:1 4:0 " SECONDS "2:0",
	  BROKEN "a histogram has 0 samples a second" },
	{ GNU "1:0 8:8 8:16 4:1 4:-100 " SECONDS "2:0",
	  BROKEN "a histogram has -100 samples a second" },
	{ GNU "1:0 8:8 8:16 4:1 4:100 s:hertz z:10 s:h 2:0",
	  BROKEN "a histogram is not in seconds" },
	{ GNU "1:1 8:8 8:16", BROKEN "the file ends within an arc" },
	{ GNU "1:1 4:8 4:16 4:1", BROKEN "the file ends within an arc" },
	{ GNU "1:2 2:0",
	  BROKEN "the file ends within the head of basic blocks" },
	{ GNU "1:2 4:-1", BROKEN "a record has -1 basic blocks" },
	{ GNU "1:2 4:2 z:16", BROKEN "the file ends within basic blocks" },
	{ GNU HEAD "2:1 2:2 1:0 8:0x1000 8:0x1008 4:2 4:50 " SECONDS "2:1 2:2",
	  BROKEN "the sampling rate differs from that before" },
	{ GNU HEAD "2:1 2:2 1:0 8:0x1000 8:0x1008 4:4 4:100 " SECONDS "z:8",
	  BROKEN "two histograms of one range differ in their number of bins" },
	{ GNU HEAD "2:1 2:2 1:0 8:0x1004 8:0x100c 4:2 4:100 " SECONDS "2:1 2:2",
	  BROKEN "a histogram overlaps one of a different range" },
	{ BSD("39", "100", "0"),
	  BROKEN "the length of header and bins, 39 bytes, is impossible" },
	{ BSD("43", "100", "0") "z:3",
	  BROKEN "the length of header and bins, 43 bytes, is impossible" },
	{ BSD("-2", "100", "0"),
	  BROKEN "the length of header and bins, -2 bytes, is impossible" },
	{ BSD("40", "100", "0"), BROKEN "a histogram has 0 bins" },
	{ BSD("0x7ffffffe", "100", "0"),
	  BROKEN "a histogram has 1073741803 bins for 8 addresses" },
	{ BSD("44", "0", "0") "z:4",
	  BROKEN "a histogram has 0 samples a second" },
	{ BSD("48", "100", "32") "z:8", BROKEN "counters do not have 16 bits" },
	{ BSD("48", "100", "-64") "z:8",
	  BROKEN "counters do not have 16 bits" },
	{ BSD("44", "100", "0") "z:2",
	  BROKEN "the file ends within a histogram" },
	{ BSD("44", "100", "16") "z:4 8:1 8:2 8:-1",
	  BROKEN "an arc has a negative number of calls" },
	{ BSD("44", "100", "16") "z:4 8:1 8:2",
	  BROKEN "the file ends within an arc" },
	{ BSD_32("36") "z:4 4:1 4:2 4:-1",
	  BROKEN "an arc has a negative number of calls" },
	{ BSD("44", "100", "0") "z:4 " MOST MOST "8:1 8:2 8:2",
	  BROKEN "too many calls to add up" },
	{ "8:0x1000 8:0x1000 8:0 2:1", NEITHER },
	{ "8:0x1000 8:0x1008 8:0", BROKEN_MON "no bins" },
	{ "8:0x1000 8:0x1008 8:0 2:1 1:1",
	  BROKEN_MON "the file ends within a bin" },
	{ "8:0x1000 8:0x1001 8:0 2:1 2:1",
	  BROKEN_MON "2 bins for 1 addresses" },
	{ "8:0x1000 8:0x1008 8:2 8:0x1000 8:1 2:1", NEITHER },
	{ "8:0x1000 8:0x1008 8:0xffffffffffffffff 2:1", NEITHER },
	{ "8:0x1000 8:0x1008 8:1 8:0x1000 8:-1 2:1",
	  BROKEN_MON "a function has a negative number of calls" },
};

TEST("a refused file has a message")
{
	for (size_t i = 0; i < ELEMENTS(bad_files); i++) {
		struct content content = { .size = 0 };
		struct taken taken = { .nr_bins = 0 };
		char wrong[INPUT_WRONG];

		printf("# %s\n", bad_files[i].text);
		CHECK(append_all(&content, bad_files[i].text));
		CHECK(!read_content(&content, content.size, wrong, &taken));
		printf("# %s\n", wrong);
		CHECK(!strcmp(wrong, bad_files[i].wrong));
		free_taken(&taken);
	}
	return true;
}

/* Read @text on top of @taken. */
static bool read_more(const char *text, char wrong[INPUT_WRONG],
		      struct taken *taken)
{
	struct content content = { .size = 0 };

	CHECK(append_all(&content, text));
	return read_content(&content, content.size, wrong, taken);
}

TEST("files of one kind are added up")
{
	struct taken taken = { .nr_bins = 0 };
	char wrong[INPUT_WRONG];

	for (int i = 0; i < 3; i++)
		CHECK(read_more(GNU HEAD "2:65535 2:2 1:1 8:1 8:2 4:-1", wrong,
				&taken));
	CHECK(read_more(BSD("44", "100", "0") "2:1 2:1", wrong, &taken));
	CHECK(read_more(GNU "1:0 8:0x2000 8:0x2002 4:1 4:100 " SECONDS "2:9",
			wrong, &taken));
	CHECK_EQUAL(3 * 65535 + 3 * 2 + 2 + 9, taken.data.samples);
	CHECK_EQUAL(2, taken.data.nr_histograms);
	CHECK_EQUAL(3 * 65535 + 1, samples_at(&taken, 0x1000));
	CHECK_EQUAL(3 * 2 + 1, samples_at(&taken, 0x1004));
	CHECK_EQUAL(9, samples_at(&taken, 0x2000));
	CHECK_EQUAL(3 * 0xffffffffLL, taken.data.calls);
	CHECK(are_sound(&taken));
	free_taken(&taken);
	return true;
}

/* A file with the lower range last */
TEST("ranges are sorted")
{
	static const char *const texts[] = {
		GNU "1:0 8:0x3000 8:0x3002 4:1 4:100 " SECONDS "2:3",
		GNU "1:0 8:0x1000 8:0x1002 4:1 4:100 " SECONDS "2:1",
		GNU "1:0 8:0x2000 8:0x2002 4:1 4:100 " SECONDS "2:2",
		GNU "1:0 8:0x1002 8:0x2000 4:1 4:100 " SECONDS "2:4",
	};
	struct taken taken = { .nr_bins = 0 };
	char wrong[INPUT_WRONG];

	for (size_t i = 0; i < ELEMENTS(texts); i++)
		CHECK(read_more(texts[i], wrong, &taken));
	CHECK_EQUAL(4, taken.data.nr_histograms);
	CHECK(are_sound(&taken));
	CHECK_EQUAL(1, samples_at(&taken, 0x1000));
	CHECK_EQUAL(4, samples_at(&taken, 0x1002));
	CHECK_EQUAL(2, samples_at(&taken, 0x2000));
	CHECK_EQUAL(3, samples_at(&taken, 0x3000));
	free_taken(&taken);
	return true;
}

static const struct bad strangers[] = {
	{ "8:0x1000 8:0x1008 8:0 2:1 2:2",
	  NOT_ADDED "a gmon.out and a mon.out have no sum" },
	{ GNU "1:0 4:0x1000 4:0x1008 4:2 4:100 " SECONDS "2:1 2:2",
	  NOT_ADDED "the size of addresses differs from that before" },
	{ GNU "1:0 8:0x1000 8:0x1008 4:2 4:250 " SECONDS "2:1 2:2",
	  NOT_ADDED "the sampling rate differs from that before" },
	{ GNU "1:0 8:0x1000 8:0x1010 4:2 4:100 " SECONDS "2:1 2:2",
	  NOT_ADDED "a histogram overlaps one of a different range" },
	{ GNU "1:0 8:0xf00 8:0x1001 4:2 4:100 " SECONDS "2:1 2:2",
	  NOT_ADDED "a histogram overlaps one of a different range" },
	{ GNU "1:0 8:0x1000 8:0x1008 4:4 4:100 " SECONDS "z:8", NOT_ADDED
	  "two histograms of one range differ in their number of bins" },
};

TEST("files that do not fit together are refused")
{
	for (size_t i = 0; i < ELEMENTS(strangers); i++) {
		struct taken taken = { .nr_bins = 0 };
		char wrong[INPUT_WRONG];

		printf("# %s\n", strangers[i].text);
		CHECK(read_more(GNU HEAD "2:1 2:2", wrong, &taken));
		CHECK(!read_more(strangers[i].text, wrong, &taken));
		printf("# %s\n", wrong);
		CHECK(!strcmp(wrong, strangers[i].wrong));
		free_taken(&taken);
	}
	return true;
}

/* The largest number of samples that can be divided, and one more */
TEST("too many samples are refused")
{
	struct taken taken = { .data.samples = UINT64_MAX / SAMPLE_PARTS - 3 };
	char wrong[INPUT_WRONG];

	CHECK(read_more(GNU HEAD "2:1 2:2", wrong, &taken));
	CHECK(!read_more(GNU HEAD "2:0 2:1", wrong, &taken));
	CHECK(!strcmp(wrong, NOT_ADDED "too many samples to add up"));
	free_taken(&taken);
	return true;
}
