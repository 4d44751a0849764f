// SPDX-License-Identifier: GPL-2.0-only
/*
 * gmon.out
 *
 * The format of GNU is a header and records with a tag each. It does not contain
 * the size of an address, but the text after the addresses of a histogram
 * confirms it. The format of BSD is a header, the bins, and arcs to the end.
 */
#include <string.h>

#include "include/gmon_layout.h"
#include "read/read_bins.h"
#include "read/read_gmon.h"

static const char no_range[] =
	"a histogram has the empty range from 0x%llx to 0x%llx";
static const char bad_bins[] = "a histogram has %d bins";
static const char bad_rate[] = "a histogram has %d samples a second";
static const char many_bins[] = "a histogram has %d bins for %llu addresses";
static const char no_seconds[] = "a histogram is not in seconds";
static const char negative_calls[] = "an arc has a negative number of calls";
static const char bad_length[] =
	"the length of header and bins, %d bytes, is impossible";

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

static bool check_head(struct input *input, const struct head *head)
{
	unsigned long long addresses = head->high - head->low;

	if (head->low >= head->high)
		return profil_input_refuse(input, no_range, head->low,
					   head->high);
	if (head->bins <= 0)
		return profil_input_refuse(input, bad_bins, head->bins);
	if ((unsigned int)head->bins > addresses)
		return profil_input_refuse(input, many_bins, head->bins,
					   addresses);
	if (head->rate <= 0)
		return profil_input_refuse(input, bad_rate, head->rate);
	return true;
}

static bool read_bins(struct input *input, struct gprof_data *data,
		      const struct head *head)
{
	struct histogram wanted = {
		.low = head->low,
		.high = head->high,
		.nr = head->bins,
	};
	const char *wrong;

	if (!check_head(input, head))
		return false;
	if (wanted.nr > profil_input_left(input) / GMON_BIN_SIZE)
		return profil_input_refuse(input,
					   "the file ends within a histogram");
	wrong = profil_gprof_data_set_rate(data, head->rate);
	return profil_input_accept(input, wrong) &&
	       profil_read_bins(input, data, &wanted, "a histogram");
}

static bool read_histogram(struct input *input, struct gprof_data *data)
{
	static const char seconds[GMON_DIMENSION_SIZE + 1] =
		"seconds\0\0\0\0\0\0\0\0s";
	unsigned int word = input->word;
	const unsigned char *bytes =
		profil_input_take(input, 2 * word + 8 + sizeof(seconds),
				  "the head of a histogram");
	struct head head;

	if (!bytes)
		return false;
	if (memcmp(bytes + 2 * word + 8, seconds, sizeof(seconds)))
		return profil_input_refuse(input, no_seconds);
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
static bool read_arc(struct input *input, struct gprof_data *data, size_t width,
		     bool has_sign)
{
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
		return profil_input_refuse(input, negative_calls);
	return profil_input_accept(input, profil_gprof_data_add_arc(data, arc));
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

static bool read_record(struct input *input, struct gprof_data *data)
{
	const unsigned char *tag = profil_input_take(input, 1, "a record");

	if (!tag)
		return false;
	switch (*tag) {
	case GMON_TAG_HIST:
		return read_histogram(input, data);
	case GMON_TAG_ARC:
		return read_arc(input, data, 4, false);
	case GMON_TAG_BLOCKS:
		return skip_blocks(input);
	}
	return profil_input_refuse(input, "a record has the unknown tag %d",
				   *tag);
}

bool profil_is_gmon_gnu(struct input *input)
{
	const unsigned char *mark =
		profil_input_peek(input, 0, GMON_MAGIC_SIZE);

	return mark && !memcmp(mark, GMON_MAGIC, GMON_MAGIC_SIZE);
}

bool profil_read_gmon_gnu(struct input *input, struct gprof_data *data)
{
	const unsigned char *header =
		profil_input_take(input, GMON_GNU_HEADER, "the header");
	int version;
	bool good = header;

	if (!good)
		return false;
	version = profil_input_int(header + 4);
	if (version != GMON_GNU_VERSION)
		return profil_input_refuse(input, "the version is %d, not 1",
					   version);
	while (good && profil_input_left(input))
		good = read_record(input, data);
	/* Without a histogram, half of a 64-bit arc can look like a 32-bit one. */
	if (good && input->word == 4 && !input->sure)
		return profil_input_refuse(input, "no histogram");
	return good;
}

static bool has_version(struct input *input, unsigned int word)
{
	const unsigned char *version =
		profil_input_peek(input, 2 * word + 4, 4);

	return version && profil_input_int(version) == GMON_BSD_VERSION;
}

bool profil_is_gmon_bsd(struct input *input)
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

static bool read_bsd_bins(struct input *input, struct gprof_data *data,
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
		return profil_input_refuse(input, bad_length, bytes);
	if (is_not_16(profil_input_int(rest + 12)))
		return profil_input_refuse(input,
					   "counters do not have 16 bits");
	head.bins = (bytes - size) / GMON_BIN_SIZE;
	return read_bins(input, data, &head);
}

bool profil_read_gmon_bsd(struct input *input, struct gprof_data *data)
{
	size_t size = 2 * input->word + GMON_BSD_REST;
	const unsigned char *header;
	bool good;

	if (!has_version(input, input->word))
		return profil_input_refuse(input,
					   "the version is not that of BSD");
	input->sure = true;
	header = profil_input_take(input, size, "the header");
	good = header && read_bsd_bins(input, data, header, size);
	while (good && profil_input_left(input))
		good = read_arc(input, data, input->word, true);
	return good;
}
