// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading gmon.out
 *
 * That of GNU is a header and then records, each with a tag. Nothing in it says
 * how long an address is, but a histogram has a text behind its addresses. That
 * of BSD is one header, the bins, and arcs to the end.
 */
#include <string.h>

#include "read/read_bins.h"
#include "read/read_gmon.h"

#define GNU_VERSION 1
#define GNU_HEADER 20
#define BSD_VERSION 0x00051879
#define BSD_REST 24 /* of its header, after the addresses */
#define BIN 2
#define DIMENSION 15

static const char no_range[] =
	"it has a histogram from 0x%llx to 0x%llx, which is no range";
static const char many_bins[] =
	"it has a histogram of %d bins for %llu addresses";
static const char no_seconds[] = "it has a histogram that is not in seconds";
static const char negative_calls[] =
	"it has an arc with a negative number of calls";
static const char bad_length[] =
	"its bins and header have %d bytes, which cannot be";

enum tag { TAG_HISTOGRAM, TAG_ARC, TAG_BLOCKS };

/**
 * struct head - the head of a histogram
 * @low: where it begins
 * @high: where it ends
 * @bins: its bins
 * @rate: samples a second
 */
struct head {
	unsigned long long low;
	unsigned long long high;
	int bins;
	int rate;
};

static bool check_head(struct datafile *file, const struct head *head)
{
	unsigned long long addresses = head->high - head->low;

	if (head->low >= head->high)
		return profil_refuse(file, no_range, head->low, head->high);
	if (head->bins <= 0)
		return profil_refuse(file, "it has a histogram of %d bins",
				     head->bins);
	if ((unsigned int)head->bins > addresses)
		return profil_refuse(file, many_bins, head->bins, addresses);
	if (head->rate <= 0)
		return profil_refuse(file, "it has %d samples a second",
				     head->rate);
	return true;
}

static bool read_bins(struct datafile *file, struct counts *counts,
		      const struct head *head)
{
	struct histogram wanted = {
		.low = head->low,
		.high = head->high,
		.nr = head->bins,
	};

	if (!check_head(file, head))
		return false;
	if (wanted.nr > profil_datafile_left(file) / BIN)
		return profil_refuse(file,
				     "it ends in the middle of a histogram");
	return profil_accept(file, profil_counts_rate(counts, head->rate)) &&
	       profil_binread(file, counts, &wanted, "a histogram");
}

static bool read_histogram(struct datafile *file, struct counts *counts)
{
	static const char seconds[DIMENSION + 1] = "seconds\0\0\0\0\0\0\0\0s";
	unsigned int word = file->word;
	const unsigned char *bytes =
		profil_datafile_take(file, 2 * word + 8 + sizeof(seconds),
				     "the head of a histogram");
	struct head head;

	if (!bytes)
		return false;
	if (memcmp(bytes + 2 * word + 8, seconds, sizeof(seconds)))
		return profil_refuse(file, no_seconds);
	file->sure = true;
	head = (struct head){
		.low = profil_datafile_word(file, bytes),
		.high = profil_datafile_word(file, bytes + word),
		.bins = profil_datafile_int(bytes + 2 * word),
		.rate = profil_datafile_int(bytes + 2 * word + 4),
	};
	return read_bins(file, counts, &head);
}

/* The last number in it has @width bytes, and maybe a sign. */
static bool read_arc(struct datafile *file, struct counts *counts, size_t width,
		     bool has_sign)
{
	unsigned int word = file->word;
	const unsigned char *bytes =
		profil_datafile_take(file, 2 * word + width, "an arc");
	struct arc arc;

	if (!bytes)
		return false;
	arc = (struct arc){
		.from = profil_datafile_word(file, bytes),
		.self = profil_datafile_word(file, bytes + word),
		.count = profil_datafile_number(bytes + 2 * word, width),
	};
	if (has_sign && arc.count >> (8 * width - 1))
		return profil_refuse(file, negative_calls);
	return profil_accept(file, profil_counts_arc(counts, arc));
}

/* An address and a count for each; they say nothing about time. */
static bool skip_blocks(struct datafile *file)
{
	const unsigned char *bytes =
		profil_datafile_take(file, 4, "the head of basic blocks");
	int nr;

	if (!bytes)
		return false;
	nr = profil_datafile_int(bytes);
	if (nr < 0)
		return profil_refuse(file, "it has a record of %d basic blocks",
				     nr);
	return profil_datafile_skip(file, (size_t)nr * 2 * file->word,
				    "basic blocks");
}

static bool read_record(struct datafile *file, struct counts *counts)
{
	const unsigned char *tag = profil_datafile_take(file, 1, "a record");

	if (!tag)
		return false;
	switch (*tag) {
	case TAG_HISTOGRAM:
		return read_histogram(file, counts);
	case TAG_ARC:
		return read_arc(file, counts, 4, false);
	case TAG_BLOCKS:
		return skip_blocks(file);
	}
	return profil_refuse(file, "it has a record with the unknown tag %d",
			     *tag);
}

bool profil_gmonread_is_gnu(struct datafile *file)
{
	const unsigned char *mark = profil_datafile_peek(file, 0, 4);

	return mark && !memcmp(mark, "gmon", 4);
}

bool profil_gmonread_gnu(struct datafile *file, struct counts *counts)
{
	const unsigned char *header =
		profil_datafile_take(file, GNU_HEADER, "its header");
	int version;
	bool good = header;

	if (!good)
		return false;
	version = profil_datafile_int(header + 4);
	if (version != GNU_VERSION)
		return profil_refuse(file, "its version is %d, not 1", version);
	while (good && profil_datafile_left(file))
		good = read_record(file, counts);
	/* Half of an arc can look like a short one. */
	if (good && file->word == 4 && !file->sure)
		return profil_refuse(file, "it has no histogram");
	return good;
}

static bool has_version(struct datafile *file, unsigned int word)
{
	const unsigned char *version =
		profil_datafile_peek(file, 2 * word + 4, 4);

	return version && profil_datafile_int(version) == BSD_VERSION;
}

bool profil_gmonread_is_bsd(struct datafile *file)
{
	return has_version(file, 8) || has_version(file, 4);
}

/*
 * Later systems tell the bits of a counter where 4.4BSD had spare room. What is
 * no such number means nothing.
 */
static bool is_not_16(int bits)
{
	return bits == 8 || bits == 32 || bits == 64 || bits == -8 ||
	       bits == -32 || bits == -64;
}

static bool read_bsd_bins(struct datafile *file, struct counts *counts,
			  const unsigned char *header, size_t size)
{
	const unsigned char *rest = header + 2 * file->word;
	int bytes = profil_datafile_int(rest);
	struct head head = {
		.low = profil_datafile_word(file, header),
		.high = profil_datafile_word(file, header + file->word),
		.rate = profil_datafile_int(rest + 8),
	};

	if (bytes < (int)size || (bytes - size) % BIN)
		return profil_refuse(file, bad_length, bytes);
	if (is_not_16(profil_datafile_int(rest + 12)))
		return profil_refuse(file, "its counters do not have 16 bits");
	head.bins = (bytes - size) / BIN;
	return read_bins(file, counts, &head);
}

bool profil_gmonread_bsd(struct datafile *file, struct counts *counts)
{
	size_t size = 2 * file->word + BSD_REST;
	const unsigned char *header;
	bool good;

	if (!has_version(file, file->word))
		return profil_refuse(file, "its version is not that of BSD");
	file->sure = true;
	header = profil_datafile_take(file, size, "its header");
	good = header && read_bsd_bins(file, counts, header, size);
	while (good && profil_datafile_left(file))
		good = read_arc(file, counts, file->word, true);
	return good;
}
