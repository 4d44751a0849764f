// SPDX-License-Identifier: GPL-2.0-only
/*
 * mon.out
 *
 * The format is a range of addresses, a number of functions, the calls of each,
 * and bins to the end. It does not contain the rate of the samples.
 */
#include "include/gmon_layout.h"
#include "read/read_bins.h"
#include "read/read_mon.h"

static const char no_range[] = "the range from 0x%llx to 0x%llx is empty";
static const char too_short[] =
	"the file is too short for the calls of %llu functions";
static const char negative_calls[] =
	"a function has a negative number of calls";

/**
 * struct head - head of the file
 * @low: lowest address
 * @high: address after the highest
 * @functions: number of functions with calls
 */
struct head {
	unsigned long long low;
	unsigned long long high;
	unsigned long long functions;
};

/* An unused cell is all zero. */
static bool read_cell(struct input *input, struct gprof_data *data)
{
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
		return profil_input_refuse(input, negative_calls);
	return !arc.count ||
	       profil_input_accept(input, profil_gprof_data_add_arc(data, arc));
}

static bool read_bins(struct input *input, struct gprof_data *data,
		      const struct head *head)
{
	unsigned long long addresses = head->high - head->low;
	size_t nr = profil_input_left(input) / GMON_BIN_SIZE;
	struct histogram wanted = {
		.low = head->low,
		.high = head->high,
		.nr = nr,
	};

	if (!nr)
		return profil_input_refuse(input, "no bins");
	if (nr > addresses)
		return profil_input_refuse(input, "%zu bins for %llu addresses",
					   nr, addresses);
	return profil_read_bins(input, data, &wanted, "the bins");
}

/*
 * A mon.out can be recognized by its head only. Programs have addresses of less
 * than 56 bits; the bytes of a text would be larger ones.
 */
static bool check_head(struct input *input, const struct head *head)
{
	bool is_range = head->low < head->high && !(head->high >> 56);

	if (!is_range)
		return profil_input_refuse(input, no_range, head->low,
					   head->high);
	if (head->functions > profil_input_left(input) / (2 * input->word))
		return profil_input_refuse(input, too_short, head->functions);
	input->sure = true;
	if (profil_input_left(input) % GMON_BIN_SIZE)
		return profil_input_refuse(input, "the file ends within a bin");
	return true;
}

bool profil_read_mon(struct input *input, struct gprof_data *data)
{
	unsigned int word = input->word;
	const unsigned char *header =
		profil_input_take(input, 3 * word, "the header");
	struct head head;
	bool good;

	if (!header)
		return false;
	head = (struct head){
		.low = profil_input_word(input, header),
		.high = profil_input_word(input, header + word),
		.functions = profil_input_word(input, header + 2 * word),
	};
	good = check_head(input, &head);
	for (unsigned long long i = 0; good && i < head.functions; i++)
		good = read_cell(input, data);
	return good && read_bins(input, data, &head);
}
