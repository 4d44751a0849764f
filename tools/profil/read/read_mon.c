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
static enum read_error read_cell(struct input *input, struct gprof_data *data)
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

static enum read_error read_bins(struct input *input, struct gprof_data *data,
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
		return READ_MON_NO_BINS;
	if (nr > addresses)
		return profil_input_refuse(input, READ_MON_MANY_BINS, nr,
					   addresses);
	return profil_read_bins(input, data, &wanted, PART_BINS);
}

/*
 * A mon.out can be recognized by its head only. Programs have addresses of less
 * than 56 bits; the bytes of a text would be larger ones.
 */
static enum read_error check_head(struct input *input, const struct head *head)
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

enum read_error profil_read_mon(struct input *input, struct gprof_data *data)
{
	unsigned int word = input->word;
	const unsigned char *header =
		profil_input_take(input, 3 * word, PART_HEADER);
	struct head head;
	enum read_error wrong;

	if (!header)
		return READ_CUT;
	head = (struct head){
		.low = profil_input_word(input, header),
		.high = profil_input_word(input, header + word),
		.functions = profil_input_word(input, header + 2 * word),
	};
	wrong = check_head(input, &head);
	for (unsigned long long i = 0; !wrong && i < head.functions; i++)
		wrong = read_cell(input, data);
	return wrong ? wrong : read_bins(input, data, &head);
}
