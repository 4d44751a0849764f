// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading mon.out
 *
 * Its range and a number of functions, calls for each of these, and bins to the
 * end. It does not tell the rate of its samples.
 */
#include "read/read_bins.h"
#include "read/read_mon.h"

#define BIN 2

static const char no_range[] = "its range from 0x%llx to 0x%llx is none";
static const char too_short[] =
	"it is too short for the calls of %llu functions";
static const char negative_calls[] =
	"it has a function with a negative number of calls";

/**
 * struct head - the head of the file
 * @low: where the bins begin
 * @high: where they end
 * @functions: how many functions there are calls for
 */
struct head {
	unsigned long long low;
	unsigned long long high;
	unsigned long long functions;
};

/* A cell that no function has come to use is all zero. */
static bool read_cell(struct datafile *file, struct counts *counts)
{
	unsigned int word = file->word;
	const unsigned char *bytes =
		profil_datafile_take(file, 2 * word, "the calls");
	struct arc arc;

	if (!bytes)
		return false;
	arc = (struct arc){
		.self = profil_datafile_word(file, bytes),
		.count = profil_datafile_word(file, bytes + word),
	};
	if (arc.count >> (8 * word - 1))
		return profil_refuse(file, negative_calls);
	return !arc.count ||
	       profil_accept(file, profil_counts_arc(counts, arc));
}

static bool read_bins(struct datafile *file, struct counts *counts,
		      const struct head *head)
{
	unsigned long long addresses = head->high - head->low;
	size_t nr = profil_datafile_left(file) / BIN;
	struct histogram wanted = {
		.low = head->low,
		.high = head->high,
		.nr = nr,
	};

	if (!nr)
		return profil_refuse(file, "it has no bins");
	if (nr > addresses)
		return profil_refuse(file, "it has %zu bins for %llu addresses",
				     nr, addresses);
	return profil_binread(file, counts, &wanted, "the bins");
}

/*
 * This is all there is to know a mon.out by. No program is at addresses of more
 * than 56 bits, which any text would be.
 */
static bool check_head(struct datafile *file, const struct head *head)
{
	bool is_range = head->low < head->high && !(head->high >> 56);

	if (!is_range)
		return profil_refuse(file, no_range, head->low, head->high);
	if (head->functions > profil_datafile_left(file) / (2 * file->word))
		return profil_refuse(file, too_short, head->functions);
	file->sure = true;
	if (profil_datafile_left(file) % BIN)
		return profil_refuse(file, "it ends in the middle of a bin");
	return true;
}

bool profil_monread(struct datafile *file, struct counts *counts)
{
	unsigned int word = file->word;
	const unsigned char *header =
		profil_datafile_take(file, 3 * word, "its header");
	struct head head;
	bool good;

	if (!header)
		return false;
	head = (struct head){
		.low = profil_datafile_word(file, header),
		.high = profil_datafile_word(file, header + word),
		.functions = profil_datafile_word(file, header + 2 * word),
	};
	good = check_head(file, &head);
	for (unsigned long long i = 0; good && i < head.functions; i++)
		good = read_cell(file, counts);
	return good && read_bins(file, counts, &head);
}
