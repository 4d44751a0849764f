// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats of gprof(1) and prof(1): gmon.out(5profil) and mon.out(5profil)
 *
 * A gmon.out of GNU is a header and records with a tag each. It does not contain
 * the size of an address, but the text after the addresses of a histogram
 * confirms it. That of BSD is a header, the bins, and arcs to the end. A mon.out
 * is a range of addresses, a number of functions, the calls of each, and bins to
 * the end. It does not contain the rate of the samples.
 */
#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "include/gmon_layout.h"
#include "read/formats.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/**
 * struct head - head of a histogram
 * @low: lowest address
 * @high: address after the highest
 * @bins: number of bins
 * @rate: samples a second
 */
struct head {
	unsigned long long low;
	unsigned long long high;
	int bins;
	int rate;
};

static enum read_error check_head(struct input *input, const struct head *head)
{
	unsigned long long addresses = head->high - head->low;

	if (head->low >= head->high)
		return profil_input_refuse(input, READ_RANGE, head->low,
					   head->high);
	if (head->bins <= 0)
		return profil_input_refuse(input, READ_BINS, head->bins, 0);
	if ((unsigned int)head->bins > addresses)
		return profil_input_refuse(input, READ_MANY_BINS, head->bins,
					   addresses);
	if (head->rate <= 0)
		return profil_input_refuse(input, READ_RATE, head->rate, 0);
	return READ_OK;
}

static enum read_error read_bins(struct input *input, struct gprof_data *data,
				 const struct head *head)
{
	struct histogram wanted = {
		.low = head->low,
		.high = head->high,
		.nr = head->bins,
	};
	enum read_error wrong = check_head(input, head);

	if (wrong)
		return wrong;
	if (wanted.nr > profil_input_left(input) / GMON_BIN_SIZE)
		return profil_input_cut(input, PART_HISTOGRAM);
	wrong = profil_gprof_data_set_rate(data, head->rate);
	if (wrong)
		return wrong;
	return profil_gprof_data_read_bins(data, input, &wanted,
					   PART_HISTOGRAM);
}

static enum read_error read_histogram(struct input *input,
				      struct gprof_data *data)
{
	static const char seconds[GMON_DIMENSION_SIZE + 1] =
		"seconds\0\0\0\0\0\0\0\0s";
	unsigned int word = input->word;
	size_t size = 2 * word + 8 + sizeof(seconds);
	const unsigned char *bytes =
		profil_input_take(input, size, PART_HISTOGRAM_HEAD);
	struct head head;

	if (!bytes)
		return READ_CUT;
	if (memcmp(bytes + 2 * word + 8, seconds, sizeof(seconds)))
		return READ_NO_SECONDS;
	input->sure = true;
	head = (struct head){
		.low = profil_input_word(input, bytes),
		.high = profil_input_word(input, bytes + word),
		.bins = profil_input_int(bytes + 2 * word),
		.rate = profil_input_int(bytes + 2 * word + 4),
	};
	return read_bins(input, data, &head);
}

/* The number of calls has @width bytes, and a sign if @has_sign. */
static enum read_error read_arc(struct input *input, struct gprof_data *data,
				size_t width, bool has_sign)
{
	unsigned int word = input->word;
	const unsigned char *bytes =
		profil_input_take(input, 2 * word + width, PART_ARC);
	struct gprof_arc arc;

	if (!bytes)
		return READ_CUT;
	arc = (struct gprof_arc){
		.from = profil_input_word(input, bytes),
		.self = profil_input_word(input, bytes + word),
		.count = profil_input_number(bytes + 2 * word, width),
	};
	if (has_sign && arc.count >> (8 * width - 1))
		return READ_NEGATIVE_ARC;
	return profil_gprof_data_add_arc(data, arc);
}

/* Basic blocks are an address and a count each, which a report does not show. */
static enum read_error skip_blocks(struct input *input)
{
	const unsigned char *bytes =
		profil_input_take(input, 4, PART_BLOCKS_HEAD);
	int nr;

	if (!bytes)
		return READ_CUT;
	nr = profil_input_int(bytes);
	if (nr < 0)
		return profil_input_refuse(input, READ_BLOCKS, nr, 0);
	return profil_input_skip(input, (size_t)nr * 2 * input->word,
				 PART_BLOCKS);
}

static enum read_error read_record(struct input *input, struct gprof_data *data)
{
	const unsigned char *tag = profil_input_take(input, 1, PART_RECORD);

	if (!tag)
		return READ_CUT;
	switch (*tag) {
	case GMON_TAG_HIST:
		return read_histogram(input, data);
	case GMON_TAG_ARC:
		return read_arc(input, data, 4, false);
	case GMON_TAG_BLOCKS:
		return skip_blocks(input);
	}
	return profil_input_refuse(input, READ_TAG, *tag, 0);
}

static bool is_gmon_gnu(struct input *input)
{
	const unsigned char *mark =
		profil_input_peek(input, 0, GMON_MAGIC_SIZE);

	return mark && !memcmp(mark, GMON_MAGIC, GMON_MAGIC_SIZE);
}

static enum read_error read_gmon_gnu(struct input *input,
				     struct gprof_data *data)
{
	const unsigned char *header =
		profil_input_take(input, GMON_GNU_HEADER, PART_HEADER);
	enum read_error wrong = READ_OK;
	int version;

	if (!header)
		return READ_CUT;
	version = profil_input_int(header + 4);
	if (version != GMON_GNU_VERSION)
		return profil_input_refuse(input, READ_VERSION, version, 0);
	while (!wrong && profil_input_left(input))
		wrong = read_record(input, data);
	/* Without a histogram, half of a 64-bit arc can look like a 32-bit one. */
	if (!wrong && input->word == 4 && !input->sure)
		return READ_NO_HISTOGRAM;
	return wrong;
}

static bool has_version(struct input *input, unsigned int word)
{
	const unsigned char *version =
		profil_input_peek(input, 2 * word + 4, 4);

	return version && profil_input_int(version) == GMON_BSD_VERSION;
}

static bool is_gmon_bsd(struct input *input)
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

static enum read_error read_bsd_bins(struct input *input,
				     struct gprof_data *data,
				     const unsigned char *header, size_t size)
{
	const unsigned char *rest = header + 2 * input->word;
	int bytes = profil_input_int(rest);
	struct head head = {
		.low = profil_input_word(input, header),
		.high = profil_input_word(input, header + input->word),
		.rate = profil_input_int(rest + 8),
	};

	if (bytes < (int)size || (bytes - size) % GMON_BIN_SIZE)
		return profil_input_refuse(input, READ_LENGTH, bytes, 0);
	if (is_not_16(profil_input_int(rest + 12)))
		return READ_NOT_16;
	head.bins = (bytes - size) / GMON_BIN_SIZE;
	return read_bins(input, data, &head);
}

static enum read_error read_gmon_bsd(struct input *input,
				     struct gprof_data *data)
{
	size_t size = 2 * input->word + GMON_BSD_REST;
	const unsigned char *header;
	enum read_error wrong;

	if (!has_version(input, input->word))
		return READ_NOT_BSD;
	input->sure = true;
	header = profil_input_take(input, size, PART_HEADER);
	if (!header)
		return READ_CUT;
	wrong = read_bsd_bins(input, data, header, size);
	while (!wrong && profil_input_left(input))
		wrong = read_arc(input, data, input->word, true);
	return wrong;
}

/**
 * struct mon_head - head of the file
 * @low: lowest address
 * @high: address after the highest
 * @functions: number of functions with calls
 */
struct mon_head {
	unsigned long long low;
	unsigned long long high;
	unsigned long long functions;
};

/* An unused cell is all zero. */
static enum read_error read_mon_cell(struct input *input,
				     struct gprof_data *data)
{
	unsigned int word = input->word;
	const unsigned char *bytes =
		profil_input_take(input, 2 * word, PART_CALLS);
	struct gprof_arc arc;

	if (!bytes)
		return READ_CUT;
	arc = (struct gprof_arc){
		.self = profil_input_word(input, bytes),
		.count = profil_input_word(input, bytes + word),
	};
	if (arc.count >> (8 * word - 1))
		return READ_MON_NEGATIVE;
	return arc.count ? profil_gprof_data_add_arc(data, arc) : READ_OK;
}

static enum read_error read_mon_bins(struct input *input,
				     struct gprof_data *data,
				     const struct mon_head *head)
{
	unsigned long long addresses = head->high - head->low;
	size_t nr = profil_input_left(input) / GMON_BIN_SIZE;
	struct histogram wanted = {
		.low = head->low,
		.high = head->high,
		.nr = nr,
	};

	if (!nr)
		return READ_MON_NO_BINS;
	if (nr > addresses)
		return profil_input_refuse(input, READ_MON_MANY_BINS, nr,
					   addresses);
	return profil_gprof_data_read_bins(data, input, &wanted, PART_BINS);
}

/*
 * A mon.out can be recognized by its head only. Programs have addresses of less
 * than 56 bits; the bytes of a text would be larger ones.
 */
static enum read_error check_mon_head(struct input *input,
				      const struct mon_head *head)
{
	bool is_range = head->low < head->high && !(head->high >> 56);

	if (!is_range)
		return profil_input_refuse(input, READ_MON_RANGE, head->low,
					   head->high);
	if (head->functions > profil_input_left(input) / (2 * input->word))
		return profil_input_refuse(input, READ_MON_FUNCTIONS,
					   head->functions, 0);
	input->sure = true;
	if (profil_input_left(input) % GMON_BIN_SIZE)
		return READ_MON_HALF_BIN;
	return READ_OK;
}

static enum read_error read_mon(struct input *input, struct gprof_data *data)
{
	unsigned int word = input->word;
	const unsigned char *header =
		profil_input_take(input, 3 * word, PART_HEADER);
	struct mon_head head;
	enum read_error wrong;

	if (!header)
		return READ_CUT;
	head = (struct mon_head){
		.low = profil_input_word(input, header),
		.high = profil_input_word(input, header + word),
		.functions = profil_input_word(input, header + 2 * word),
	};
	wrong = check_mon_head(input, &head);
	for (unsigned long long i = 0; !wrong && i < head.functions; i++)
		wrong = read_mon_cell(input, data);
	return wrong ? wrong : read_mon_bins(input, data, &head);
}

/**
 * struct format - a format
 * @kind: name of the format
 * @is: recognizes the format; NULL for the last format, which has no mark
 * @read: reads the input, with addresses of @input->word bytes
 */
struct format {
	const char *kind;
	bool (*is)(struct input *input);
	enum read_error (*read)(struct input *input, struct gprof_data *data);
};

static const struct format formats[] = {
	{ "gmon.out", is_gmon_gnu, read_gmon_gnu },
	{ "gmon.out", is_gmon_bsd, read_gmon_bsd },
	{ "mon.out", NULL, read_mon },
};

static const struct format *format_of(struct input *input)
{
	size_t last = ELEMENTS(formats) - 1;

	for (size_t i = 0; i < last; i++)
		if (formats[i].is(input))
			return &formats[i];
	return &formats[last];
}

static enum read_error attempt(const struct format *format, struct input *input,
			       unsigned int word, struct gprof_data *data)
{
	enum read_error wrong;

	input->at = 0;
	input->word = word;
	input->sure = false;
	*data = (struct gprof_data){ .kind = format->kind, .word = word };
	wrong = format->read(input, data);
	if (wrong)
		profil_gprof_data_free(data);
	return wrong;
}

/* The error is that of 8 bytes, unless the content confirmed 4 bytes. */
static enum read_error read_alone(const struct format *format,
				  struct input *input, struct gprof_data *data)
{
	enum read_error usual = attempt(format, input, 8, data);
	struct read_details details = input->details;
	bool sure = input->sure;
	enum read_error wrong;

	if (!usual)
		return READ_OK;
	wrong = attempt(format, input, 4, data);
	if (!wrong || input->sure)
		return wrong;
	input->details = details;
	input->sure = sure;
	return usual;
}

bool profil_formats_is(struct input *input)
{
	const struct format *format = format_of(input);
	struct gprof_data data;

	if (format->is)
		return true;
	if (read_alone(format, input, &data))
		return input->sure;
	profil_gprof_data_free(&data);
	return true;
}

static bool is_elf(struct input *input)
{
	const unsigned char *mark = profil_input_peek(input, 0, SELFMAG);

	return mark && !memcmp(mark, ELFMAG, SELFMAG);
}

/*
 * Any file could be a malformed mon.out, which has no mark: without a confirmed
 * head the error would be meaningless.
 */
static enum read_error refuse(const struct format *format, struct input *input,
			      enum read_error wrong)
{
	if (!input->size)
		return READ_EMPTY;
	if (is_elf(input))
		return READ_PROGRAM;
	if (!format->is && !input->sure)
		return READ_NEITHER;
	input->details.kind = format->kind;
	return wrong;
}

enum read_error profil_formats_read(struct input *input,
				    struct gprof_data *data)
{
	const struct format *format = format_of(input);
	struct gprof_data more;
	enum read_error wrong = read_alone(format, input, &more);

	if (wrong)
		return refuse(format, input, wrong);
	wrong = profil_gprof_data_merge(data, &more);
	profil_gprof_data_free(&more);
	return wrong;
}
