// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats of gprof(1) and prof(1): gmon.out(5profil) and mon.out(5profil)
 *
 * A gmon.out of GNU is a header and records with a tag each. It does not contain
 * the size of an address, but the text after the addresses of a histogram
 * confirms it. That of BSD is a header, the bins, and arcs to the end. A mon.out
 * is a range of addresses, a number of functions, the calls of each, and bins to
 * the end. It does not contain the rate of the samples.
 *
 * A file is read twice: all of it is checked before its samples are passed on. They
 * are not kept, since the histogram of a large program has hundreds of millions of
 * bins.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "include/gmon_layout.h"
#include "read/gprof.h"
#include "util/memory.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/* Bins that are read at once: all of them may be longer than memory. */
#define MAX_BINS (INPUT_PIECE / GMON_BIN_SIZE)

const char *const profil_gprof_other_kind =
	"a gmon.out and a mon.out have no sum";

static const char empty_range[] =
	"a histogram has the empty range from 0x%llx to 0x%llx";

static const char many_bins[] = "a histogram has %d bins for %llu addresses";

static const char bad_rate[] = "a histogram has %d samples a second";

static const char bad_length[] =
	"the length of header and bins, %d bytes, is impossible";

static const char empty_file[] =
	"empty file: the program is still running, or did not write it";

static const char is_program[] =
	"program or library: name the file that it has written, too";

static const char is_neither[] = "not a profil.data, gmon.out or mon.out file";

/**
 * struct gprof_reader - a file that is read
 * @input: the file
 * @data: what is known of it, or of all files if there is @import
 * @import: program that gets the samples and calls, or NULL
 */
struct gprof_reader {
	struct input *input;
	struct gprof_data *data;
	struct import *import;
};

/* The reason why the data have no sum, or NULL */

static const char *set_rate(struct gprof_data *data, unsigned int rate)
{
	if (data->rate && data->rate != rate)
		return "the sampling rate differs from that before";
	data->rate = rate;
	return NULL;
}

static const char *add_calls(struct gprof_data *data, uint64_t calls)
{
	if (__builtin_add_overflow(data->calls, calls, &data->calls))
		return "too many calls to add up";
	return NULL;
}

static const char *compare(const struct histogram *one,
			   const struct histogram *other)
{
	if (other->low >= one->high)
		return NULL;
	if (one->low != other->low || one->high != other->high)
		return "a histogram overlaps one of a different range";
	if (one->nr != other->nr)
		return "two histograms of one range differ in their number of bins";
	return NULL;
}

static int by_range(const void *a, const void *b)
{
	const struct histogram *one = a, *other = b;

	return compare_numbers(one->low, other->low) ?:
		       compare_numbers(one->high, other->high);
}

/* Sort the histograms; those of one range become one. */
static const char *join(struct gprof_data *data)
{
	struct histogram *to = data->histograms;
	const char *wrong = NULL;

	if (!data->nr_histograms)
		return NULL;
	ARRAY_SORT(to, data->nr_histograms, by_range);
	for (size_t i = 1; !wrong && i < data->nr_histograms; i++) {
		const struct histogram *from = &data->histograms[i];

		wrong = compare(to, from);
		if (from->low >= to->high)
			*++to = *from;
	}
	data->nr_histograms = to - data->histograms + 1;
	return wrong;
}

static const char *merge(struct gprof_data *data, const struct gprof_data *more)
{
	const char *wrong = NULL;

	if (!data->kind) {
		data->kind = more->kind;
		data->word = more->word;
	}
	if (strcmp(data->kind, more->kind))
		return profil_gprof_other_kind;
	if (data->word != more->word)
		return "the size of addresses differs from that before";
	if (more->rate)
		wrong = set_rate(data, more->rate);
	for (size_t i = 0; i < more->nr_histograms; i++)
		ARRAY_ADD(data->histograms, data->nr_histograms,
			  more->histograms[i]);
	return wrong ?: join(data) ?: add_calls(data, more->calls);
}

/* Refuse the file for a reason, if it is not NULL. */
static bool check(struct gprof_reader *reader, const char *wrong)
{
	return !wrong || profil_input_refuse(reader->input, "%s", wrong);
}

static bool pass_arc(struct gprof_reader *reader, struct gprof_arc arc)
{
	if (!reader->import)
		return check(reader, add_calls(reader->data, arc.count));
	profil_import_arc(reader->import, &arc);
	return true;
}

static bool pass_bins(struct gprof_reader *reader,
		      const struct histogram *histogram, size_t first,
		      size_t nr, const unsigned char *bins)
{
	for (size_t i = 0; i < nr; i++) {
		uint16_t samples;

		memcpy(&samples, bins + i * sizeof(samples), sizeof(samples));
		if (!samples)
			continue;
		if (samples > MAX_SAMPLES - reader->data->samples)
			return check(reader, "too many samples to add up");
		reader->data->samples += samples;
		profil_import_bin(reader->import, histogram, first + i,
				  samples);
	}
	return true;
}

/* Take the bins of @histogram, counters of 16 bits. */
static bool read_counters(struct gprof_reader *reader,
			  const struct histogram *histogram, const char *part)
{
	struct gprof_data *data = reader->data;
	bool good = true;

	if (!reader->import) {
		ARRAY_ADD(data->histograms, data->nr_histograms, *histogram);
		return profil_input_skip(reader->input,
					 histogram->nr * GMON_BIN_SIZE, part);
	}
	for (size_t at = 0; good && at < histogram->nr; at += MAX_BINS) {
		size_t left = histogram->nr - at;
		size_t nr = left < MAX_BINS ? left : MAX_BINS;
		size_t size = nr * GMON_BIN_SIZE;
		const unsigned char *bins =
			profil_input_take(reader->input, size, part);

		good = bins && pass_bins(reader, histogram, at, nr, bins);
	}
	return good;
}

/* Head of a histogram: its range, number of bins, and samples a second */
struct head {
	unsigned long long low;
	unsigned long long high;
	int bins;
	int rate;
};

static bool check_head(struct input *input, const struct head *head)
{
	unsigned long long addresses = head->high - head->low;

	if (head->low >= head->high)
		return profil_input_refuse(input, empty_range, head->low,
					   head->high);
	if (head->bins <= 0)
		return profil_input_refuse(input, "a histogram has %d bins",
					   head->bins);
	if ((unsigned int)head->bins > addresses)
		return profil_input_refuse(input, many_bins, head->bins,
					   addresses);
	if (head->rate <= 0)
		return profil_input_refuse(input, bad_rate, head->rate);
	return true;
}

static bool read_bins(struct gprof_reader *reader, const struct head *head)
{
	struct histogram histogram = { head->low, head->high, head->bins };

	return check_head(reader->input, head) &&
	       check(reader, set_rate(reader->data, head->rate)) &&
	       read_counters(reader, &histogram, "a histogram");
}

static bool read_histogram(struct gprof_reader *reader)
{
	static const char seconds[GMON_DIMENSION_SIZE + 1] =
		"seconds\0\0\0\0\0\0\0\0s";
	struct input *input = reader->input;
	unsigned int word = input->word;
	size_t size = 2 * word + 8 + sizeof(seconds);
	const unsigned char *bytes =
		profil_input_take(input, size, "the head of a histogram");
	struct head head;

	if (!bytes)
		return false;
	if (memcmp(bytes + 2 * word + 8, seconds, sizeof(seconds)))
		return profil_input_refuse(input,
					   "a histogram is not in seconds");
	input->sure = true;
	head = (struct head){
		.low = profil_input_word(input, bytes),
		.high = profil_input_word(input, bytes + word),
		.bins = profil_input_int(bytes + 2 * word),
		.rate = profil_input_int(bytes + 2 * word + 4),
	};
	return read_bins(reader, &head);
}

/* The number of calls has @width bytes, and a sign if @has_sign. */
static bool read_arc(struct gprof_reader *reader, size_t width, bool has_sign)
{
	struct input *input = reader->input;
	unsigned int word = input->word;
	const unsigned char *bytes =
		profil_input_take(input, 2 * word + width, "an arc");
	struct gprof_arc arc;

	if (!bytes)
		return false;
	arc = (struct gprof_arc){
		.from = profil_input_word(input, bytes),
		.self = profil_input_word(input, bytes + word),
		.count = profil_input_number(bytes + 2 * word, width),
	};
	if (has_sign && arc.count >> (8 * width - 1))
		return check(reader, "an arc has a negative number of calls");
	return pass_arc(reader, arc);
}

/* Basic blocks are an address and a count each, which a report does not show. */
static bool skip_blocks(struct input *input)
{
	const unsigned char *bytes =
		profil_input_take(input, 4, "the head of basic blocks");
	int nr;

	if (!bytes)
		return false;
	nr = profil_input_int(bytes);
	if (nr < 0)
		return profil_input_refuse(input,
					   "a record has %d basic blocks", nr);
	return profil_input_skip(input, (size_t)nr * 2 * input->word,
				 "basic blocks");
}

static bool read_record(struct gprof_reader *reader)
{
	struct input *input = reader->input;
	const unsigned char *tag = profil_input_take(input, 1, "a record");

	if (!tag)
		return false;
	switch (*tag) {
	case GMON_TAG_HIST:
		return read_histogram(reader);
	case GMON_TAG_ARC:
		return read_arc(reader, 4, false);
	case GMON_TAG_BLOCKS:
		return skip_blocks(input);
	}
	return profil_input_refuse(input, "a record has the unknown tag %d",
				   *tag);
}

static bool is_gmon_gnu(const struct input *input)
{
	const unsigned char *mark =
		profil_input_mark(input, 0, GMON_MAGIC_SIZE);

	return mark && !memcmp(mark, GMON_MAGIC, GMON_MAGIC_SIZE);
}

static bool read_gmon_gnu(struct gprof_reader *reader)
{
	struct input *input = reader->input;
	const unsigned char *header =
		profil_input_take(input, GMON_GNU_HEADER, "the header");
	bool good = true;
	int version;

	if (!header)
		return false;
	version = profil_input_int(header + 4);
	if (version != GMON_GNU_VERSION)
		return profil_input_refuse(input, "the version is %d, not 1",
					   version);
	while (good && profil_input_left(input))
		good = read_record(reader);
	/* Without a histogram, half of a 64-bit arc can look like a 32-bit one. */
	if (good && input->word == 4 && !input->sure)
		return profil_input_refuse(input, "no histogram");
	return good;
}

static bool has_version(const struct input *input, unsigned int word)
{
	const unsigned char *version =
		profil_input_mark(input, 2 * word + 4, 4);

	return version && profil_input_int(version) == GMON_BSD_VERSION;
}

static bool is_gmon_bsd(const struct input *input)
{
	return has_version(input, 8) || has_version(input, 4);
}

/*
 * Later systems store the bits of a counter where 4.4BSD has unused bytes, which
 * may contain anything.
 */
static bool is_not_16(int bits)
{
	return bits == 8 || bits == 32 || bits == 64 || bits == -8 ||
	       bits == -32 || bits == -64;
}

static bool read_bsd_bins(struct gprof_reader *reader,
			  const unsigned char *header, size_t size)
{
	struct input *input = reader->input;
	const unsigned char *rest = header + 2 * input->word;
	int bytes = profil_input_int(rest);
	struct head head = {
		.low = profil_input_word(input, header),
		.high = profil_input_word(input, header + input->word),
		.rate = profil_input_int(rest + 8),
	};

	if (bytes < (int)size || (bytes - size) % GMON_BIN_SIZE)
		return profil_input_refuse(input, bad_length, bytes);
	if (is_not_16(profil_input_int(rest + 12)))
		return profil_input_refuse(input,
					   "counters do not have 16 bits");
	head.bins = (bytes - size) / GMON_BIN_SIZE;
	return read_bins(reader, &head);
}

static bool read_gmon_bsd(struct gprof_reader *reader)
{
	struct input *input = reader->input;
	size_t size = 2 * input->word + GMON_BSD_REST;
	const unsigned char *header;
	bool good;

	if (!has_version(input, input->word))
		return profil_input_refuse(input,
					   "the version is not that of BSD");
	input->sure = true;
	header = profil_input_take(input, size, "the header");
	good = header && read_bsd_bins(reader, header, size);
	while (good && profil_input_left(input))
		good = read_arc(reader, input->word, true);
	return good;
}

/* An unused cell is all zero. */
static bool read_mon_cell(struct gprof_reader *reader)
{
	struct input *input = reader->input;
	unsigned int word = input->word;
	const unsigned char *bytes =
		profil_input_take(input, 2 * word, "the calls");
	struct gprof_arc arc;

	if (!bytes)
		return false;
	arc = (struct gprof_arc){
		.self = profil_input_word(input, bytes),
		.count = profil_input_word(input, bytes + word),
	};
	if (arc.count >> (8 * word - 1))
		return check(reader,
			     "a function has a negative number of calls");
	return !arc.count || pass_arc(reader, arc);
}

static bool read_mon_bins(struct gprof_reader *reader,
			  struct histogram *histogram)
{
	unsigned long long addresses = histogram->high - histogram->low;
	struct input *input = reader->input;

	histogram->nr = profil_input_left(input) / GMON_BIN_SIZE;
	if (!histogram->nr)
		return profil_input_refuse(input, "no bins");
	if (histogram->nr > addresses)
		return profil_input_refuse(input, "%zu bins for %llu addresses",
					   histogram->nr, addresses);
	return read_counters(reader, histogram, "the bins");
}

/*
 * A mon.out can be recognized by its head only. Programs have addresses of less
 * than 56 bits; the bytes of a text would be larger ones.
 */
static bool check_mon_head(struct input *input,
			   const struct histogram *histogram,
			   unsigned long long functions)
{
	bool is_range = histogram->low < histogram->high &&
			!(histogram->high >> 56);
	size_t left = profil_input_left(input);

	if (!is_range || functions > left / (2 * input->word))
		return false;
	input->sure = true;
	return left % GMON_BIN_SIZE == 0 ||
	       profil_input_refuse(input, "the file ends within a bin");
}

static bool read_mon(struct gprof_reader *reader)
{
	struct input *input = reader->input;
	unsigned int word = input->word;
	const unsigned char *header =
		profil_input_take(input, 3 * word, "the header");
	struct histogram histogram;
	unsigned long long functions;
	bool good;

	if (!header)
		return false;
	histogram.low = profil_input_word(input, header);
	histogram.high = profil_input_word(input, header + word);
	functions = profil_input_word(input, header + 2 * word);
	good = check_mon_head(input, &histogram, functions);
	for (unsigned long long i = 0; good && i < functions; i++)
		good = read_mon_cell(reader);
	return good && read_mon_bins(reader, &histogram);
}

/**
 * struct format - a format
 * @kind: name of the format
 * @is: recognizes the format; NULL for the last format, which has no mark
 * @read: reads the file, with addresses of @input->word bytes
 */
struct format {
	const char *kind;
	bool (*is)(const struct input *input);
	bool (*read)(struct gprof_reader *reader);
};

static const struct format formats[] = {
	{ "gmon.out", is_gmon_gnu, read_gmon_gnu },
	{ "gmon.out", is_gmon_bsd, read_gmon_bsd },
	{ "mon.out", NULL, read_mon },
};

static const struct format *format_of(const struct input *input)
{
	size_t last = ELEMENTS(formats) - 1;

	for (size_t i = 0; i < last; i++)
		if (formats[i].is(input))
			return &formats[i];
	return &formats[last];
}

/* Check the file; @data are those of this file then. */
static bool attempt(const struct format *format, struct input *input,
		    unsigned int word, struct gprof_data *data)
{
	struct gprof_reader reader = { .input = input, .data = data };

	free(data->histograms);
	*data = (struct gprof_data){ .kind = format->kind, .word = word };
	profil_input_again(input, word);
	return format->read(&reader) && check(&reader, join(data));
}

/* The error is that of 8 bytes, unless the content confirmed 4 bytes. */
static bool check_alone(const struct format *format, struct input *input,
			struct gprof_data *data)
{
	struct input usual;

	if (attempt(format, input, 8, data))
		return true;
	usual = *input;
	if (attempt(format, input, 4, data))
		return true;
	if (!input->sure)
		*input = usual;
	return false;
}

bool profil_gprof_is(struct input *input)
{
	const struct format *format = format_of(input);
	struct gprof_data data = { 0 };
	bool is = format->is || check_alone(format, input, &data) ||
		  input->sure;

	free(data.histograms);
	return is;
}

static bool is_elf(const struct input *input)
{
	const unsigned char *mark = profil_input_mark(input, 0, SELFMAG);

	return mark && !memcmp(mark, ELFMAG, SELFMAG);
}

/*
 * Any file could be a malformed mon.out, which has no mark: without a confirmed
 * head the error would be meaningless.
 */
static bool refuse(struct input *input, const struct format *format)
{
	if (!input->size)
		return profil_input_refuse(input, empty_file);
	if (is_elf(input))
		return profil_input_refuse(input, is_program);
	if (!format->is && !input->sure)
		return profil_input_refuse(input, is_neither);
	return profil_input_refuse(input, "malformed %s: %s", format->kind,
				   input->wrong);
}

bool profil_gprof_check(struct input *input, struct gprof_data *data)
{
	const struct format *format = format_of(input);
	struct gprof_data more = { 0 };
	const char *wrong = NULL;
	bool good = check_alone(format, input, &more) || refuse(input, format);

	if (good)
		wrong = merge(data, &more);
	free(more.histograms);
	return good &&
	       (!wrong ||
		profil_input_refuse(input, "cannot be added up: %s", wrong));
}

bool profil_gprof_read(struct input *input, struct gprof_data *data,
		       struct import *import)
{
	const struct format *format = format_of(input);
	struct gprof_reader reader = { input, data, import };

	profil_input_again(input, data->word);
	return format->read(&reader) ||
	       profil_input_refuse(input, "cannot be added up: %s",
				   input->wrong);
}
