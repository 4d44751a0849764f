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
#include <stdarg.h>

#include "include/gmon_layout.h"
#include "read/gprof.h"
#include "read/import.h"

/* Bins that are read at once: all of them may be longer than memory. */
#define MAX_BINS (INPUT_PIECE / GMON_BIN_SIZE)

const char *const profil_gprof_other_kind =
	"a gmon.out and a mon.out have no sum";

static const char empty_range[] =
	"a histogram has the empty range from 0x%llx to 0x%llx";
static const char bad_length[] =
	"the length of header and bins, %d bytes, is impossible";
static const char empty_file[] =
	"empty file: the program is still running, or did not write it";
static const char is_program[] =
	"program or library: name the file that it has written, too";

void profil_input_begin(struct input *input, FILE *file)
{
	input->file = file;
	fseeko(file, 0, SEEK_END);
	input->size = ftello(file);
	rewind(file);
	input->nr_mark = fread(input->mark, 1, sizeof(input->mark), file);
}

/* Note the sentence, which may contain the one before. */
__attribute__((format(printf, 2, 3))) static bool
refuse(struct input *input, const char *format, ...)
{
	char wrong[INPUT_WRONG];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(wrong, sizeof(wrong), format, arguments);
	va_end(arguments);
	memcpy(input->wrong, wrong, sizeof(wrong));
	return false;
}

static size_t left_of(const struct input *input)
{
	return input->size - input->at;
}

/*
 * Take the next @size bytes, unless the file ends before @part, such as "an arc", is
 * complete. A file that was cut after its size was taken ends early, too.
 */
static bool take_bytes(struct input *input, size_t size, const char *part)
{
	if (size > left_of(input) ||
	    fread(input->piece, 1, size, input->file) != size)
		return refuse(input, "the file ends within %s", part);
	input->at += size;
	input->next = input->piece;
	return true;
}

/* The next number of those that were taken, of 4 or 8 bytes, at any alignment */
static uint64_t next(struct input *input, size_t size)
{
	uint32_t half;
	uint64_t number;

	memcpy(&half, input->next, sizeof(half));
	number = half;
	if (size == sizeof(number))
		memcpy(&number, input->next, sizeof(number));
	input->next += size;
	return number;
}

/* Skip @size bytes, without limit. */
static bool skip(struct input *input, size_t size, const char *part)
{
	if (size > left_of(input) ||
	    fseeko(input->file, input->at + size, SEEK_SET))
		return refuse(input, "the file ends within %s", part);
	input->at += size;
	return true;
}

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

static const char *compare_ranges(const struct histogram *one,
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

		wrong = compare_ranges(to, from);
		if (from->low >= to->high)
			*++to = *from;
	}
	data->nr_histograms = to - data->histograms + 1;
	return wrong;
}

static const char *add_data(struct gprof_data *data,
			    const struct gprof_data *more)
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

/* True; or the file is refused for the reason @wrong, if that is not NULL. */
static bool accept_unless(struct input *input, const char *wrong)
{
	return !wrong || refuse(input, "%s", wrong);
}

static bool pass_arc(struct input *input, struct gprof_arc arc)
{
	if (!input->import)
		return accept_unless(input, add_calls(input->data, arc.count));
	profil_import_arc(input->import, &arc);
	return true;
}

static bool pass_bins(struct input *input, const struct histogram *histogram,
		      size_t first, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint16_t samples;

		memcpy(&samples, input->piece + i * sizeof(samples),
		       sizeof(samples));
		if (!samples)
			continue;
		if (samples > MAX_SAMPLES - input->data->samples)
			return refuse(input, "too many samples to add up");
		input->data->samples += samples;
		profil_import_bin(input->import, histogram, first + i, samples);
	}
	return true;
}

/* Take the bins of @histogram, counters of 16 bits. */
static bool read_counters(struct input *input,
			  const struct histogram *histogram, const char *part)
{
	struct gprof_data *data = input->data;
	bool good = true;

	if (!input->import) {
		ARRAY_ADD(data->histograms, data->nr_histograms, *histogram);
		return skip(input, histogram->nr * GMON_BIN_SIZE, part);
	}
	for (size_t at = 0; good && at < histogram->nr; at += MAX_BINS) {
		size_t left = histogram->nr - at;
		size_t nr = left < MAX_BINS ? left : MAX_BINS;

		good = take_bytes(input, nr * GMON_BIN_SIZE, part) &&
		       pass_bins(input, histogram, at, nr);
	}
	return good;
}

/* Read a histogram of @range with a number of @bins, and @rate samples a second. */
static bool read_bins(struct input *input, struct histogram range, int bins,
		      int rate)
{
	unsigned long long low = range.low, high = range.high;

	if (low >= high)
		return refuse(input, empty_range, low, high);
	if (bins <= 0)
		return refuse(input, "a histogram has %d bins", bins);
	if ((unsigned int)bins > high - low)
		return refuse(input,
			      "a histogram has %d bins for %llu addresses",
			      bins, high - low);
	if (rate <= 0)
		return refuse(input, "a histogram has %d samples a second",
			      rate);
	range.nr = bins;
	return accept_unless(input, set_rate(input->data, rate)) &&
	       read_counters(input, &range, "a histogram");
}

static bool read_histogram(struct input *input)
{
	static const char seconds[GMON_DIMENSION_SIZE + 1] =
		"seconds\0\0\0\0\0\0\0\0s";
	unsigned int word = input->word;
	size_t size = 2 * word + 8 + sizeof(seconds);
	struct histogram range;
	int bins, rate;

	if (!take_bytes(input, size, "the head of a histogram"))
		return false;
	range.low = next(input, word);
	range.high = next(input, word);
	bins = next(input, 4);
	rate = next(input, 4);
	if (memcmp(input->next, seconds, sizeof(seconds)))
		return refuse(input, "a histogram is not in seconds");
	input->sure = true;
	return read_bins(input, range, bins, rate);
}

/* The number of calls has @width bytes, and a sign if @has_sign. */
static bool read_arc(struct input *input, size_t width, bool has_sign)
{
	unsigned int word = input->word;
	struct gprof_arc arc;

	if (!take_bytes(input, 2 * word + width, "an arc"))
		return false;
	arc.from = next(input, word);
	arc.self = next(input, word);
	arc.count = next(input, width);
	if (has_sign && arc.count >> (8 * width - 1))
		return refuse(input, "an arc has a negative number of calls");
	return pass_arc(input, arc);
}

/* Basic blocks are an address and a count each, which a report does not show. */
static bool skip_blocks(struct input *input)
{
	int nr;

	if (!take_bytes(input, 4, "the head of basic blocks"))
		return false;
	nr = next(input, 4);
	if (nr < 0)
		return refuse(input, "a record has %d basic blocks", nr);
	return skip(input, (size_t)nr * 2 * input->word, "basic blocks");
}

static bool read_record(struct input *input)
{
	if (!take_bytes(input, 1, "a record"))
		return false;
	switch (*input->piece) {
	case GMON_TAG_HIST:
		return read_histogram(input);
	case GMON_TAG_ARC:
		return read_arc(input, 4, false);
	case GMON_TAG_BLOCKS:
		return skip_blocks(input);
	}
	return refuse(input, "a record has the unknown tag %d", *input->piece);
}

static bool is_gmon_gnu(const struct input *input)
{
	return input->nr_mark >= GMON_MAGIC_SIZE &&
	       !memcmp(input->mark, GMON_MAGIC, GMON_MAGIC_SIZE);
}

static bool read_gmon_gnu(struct input *input)
{
	bool good = true;
	int version;

	if (!take_bytes(input, GMON_GNU_HEADER, "the header"))
		return false;
	input->next += GMON_MAGIC_SIZE;
	version = next(input, 4);
	if (version != GMON_GNU_VERSION)
		return refuse(input, "the version is %d, not 1", version);
	while (good && left_of(input))
		good = read_record(input);
	/* Without a histogram, half of a 64-bit arc can look like a 32-bit one. */
	if (good && input->word == 4 && !input->sure)
		return refuse(input, "no histogram");
	return good;
}

static bool has_version(const struct input *input, unsigned int word)
{
	size_t at = 2 * word + 4;
	int32_t version;

	if (at + sizeof(version) > input->nr_mark)
		return false;
	memcpy(&version, input->mark + at, sizeof(version));
	return version == GMON_BSD_VERSION;
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

static bool read_gmon_bsd(struct input *input)
{
	int size = 2 * input->word + GMON_BSD_REST, bytes, rate;
	struct histogram range;
	bool good;

	if (!has_version(input, input->word))
		return refuse(input, "the version is not that of BSD");
	input->sure = true;
	if (!take_bytes(input, size, "the header"))
		return false;
	range.low = next(input, input->word);
	range.high = next(input, input->word);
	bytes = next(input, 4);
	next(input, 4);
	rate = next(input, 4);
	if (bytes < size || (bytes - size) % GMON_BIN_SIZE)
		return refuse(input, bad_length, bytes);
	if (is_not_16(next(input, 4)))
		return refuse(input, "counters do not have 16 bits");
	good = read_bins(input, range, (bytes - size) / GMON_BIN_SIZE, rate);
	while (good && left_of(input))
		good = read_arc(input, input->word, true);
	return good;
}

/* An unused cell is all zero. */
static bool read_mon_cell(struct input *input)
{
	unsigned int word = input->word;
	struct gprof_arc arc = { 0 };

	if (!take_bytes(input, 2 * word, "the calls"))
		return false;
	arc.self = next(input, word);
	arc.count = next(input, word);
	if (arc.count >> (8 * word - 1))
		return refuse(input,
			      "a function has a negative number of calls");
	return !arc.count || pass_arc(input, arc);
}

/*
 * A mon.out can be recognized by its head only. Programs have addresses of less
 * than 56 bits; the bytes of a text would be larger ones.
 */
static bool check_mon_head(struct input *input, const struct histogram *range,
			   unsigned long long functions)
{
	bool is_valid = range->low < range->high && !(range->high >> 56);
	size_t left = left_of(input);

	if (!is_valid || functions > left / (2 * input->word))
		return false;
	input->sure = true;
	return left % GMON_BIN_SIZE == 0 ||
	       refuse(input, "the file ends within a bin");
}

static bool read_mon(struct input *input)
{
	unsigned int word = input->word;
	struct histogram range;
	unsigned long long functions, addresses;
	bool good;

	if (!take_bytes(input, 3 * word, "the header"))
		return false;
	range.low = next(input, word);
	range.high = next(input, word);
	addresses = range.high - range.low;
	functions = next(input, word);
	good = check_mon_head(input, &range, functions);
	while (good && functions--)
		good = read_mon_cell(input);
	if (!good)
		return false;
	range.nr = left_of(input) / GMON_BIN_SIZE;
	if (!range.nr)
		return refuse(input, "no bins");
	if (range.nr > addresses)
		return refuse(input, "%zu bins for %llu addresses", range.nr,
			      addresses);
	return read_counters(input, &range, "the bins");
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
	bool (*read)(struct input *input);
};

static const struct format formats[] = {
	{ "gmon.out", is_gmon_gnu, read_gmon_gnu },
	{ "gmon.out", is_gmon_bsd, read_gmon_bsd },
	{ "mon.out", NULL, read_mon },
};

static const struct format *format_of(const struct input *input)
{
	const struct format *format = formats;

	while (format->is && !format->is(input))
		format++;
	return format;
}

/* Read the file from its beginning, with addresses of @data->word bytes. */
static bool read_again(struct input *input, const struct format *format,
		       struct gprof_data *data, struct import *import)
{
	rewind(input->file);
	input->data = data;
	input->import = import;
	input->at = 0;
	input->word = data->word;
	input->sure = false;
	return format->read(input);
}

/* Check the file; @data are those of this file then. */
static bool attempt(const struct format *format, struct input *input,
		    unsigned int word, struct gprof_data *data)
{
	free(data->histograms);
	*data = (struct gprof_data){ .kind = format->kind, .word = word };
	return read_again(input, format, data, NULL) &&
	       accept_unless(input, join(data));
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

/*
 * Any file could be a malformed mon.out, which has no mark: without a confirmed
 * head the error would be meaningless.
 */
static bool refuse_file(struct input *input, const struct format *format)
{
	if (!input->size)
		return refuse(input, empty_file);
	if (input->nr_mark >= SELFMAG && !memcmp(input->mark, ELFMAG, SELFMAG))
		return refuse(input, is_program);
	if (!format->is && !input->sure)
		return refuse(input,
			      "not a profil.data, gmon.out or mon.out file");
	return refuse(input, "malformed %s: %s", format->kind, input->wrong);
}

bool profil_gprof_check(struct input *input, struct gprof_data *data)
{
	const struct format *format = format_of(input);
	struct gprof_data more = { 0 };
	const char *wrong = NULL;
	bool good = check_alone(format, input, &more) ||
		    refuse_file(input, format);

	if (good)
		wrong = add_data(data, &more);
	free(more.histograms);
	return good &&
	       (!wrong || refuse(input, "cannot be added up: %s", wrong));
}

bool profil_gprof_read(struct input *input, struct gprof_data *data,
		       struct import *import)
{
	return read_again(input, format_of(input), data, import) ||
	       refuse(input, "cannot be added up: %s", input->wrong);
}
