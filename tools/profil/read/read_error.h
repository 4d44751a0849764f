/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Errors of reading a file
 *
 * Inside, each function returns 0, which is READ_OK, or one of these numbers.
 * Details of the error are in the input.
 */
#ifndef PROFIL_READ_ERROR_H
#define PROFIL_READ_ERROR_H

enum read_error {
	READ_OK,
	/* The file is of another kind. */
	READ_EMPTY,
	READ_PROGRAM,
	READ_NEITHER,
	/* The file is malformed. */
	READ_CUT,
	READ_VERSION,
	READ_NOT_BSD,
	READ_TAG,
	READ_BLOCKS,
	READ_NO_HISTOGRAM,
	READ_NO_SECONDS,
	READ_RANGE,
	READ_BINS,
	READ_MANY_BINS,
	READ_RATE,
	READ_LENGTH,
	READ_NOT_16,
	READ_NEGATIVE_ARC,
	READ_MON_RANGE,
	READ_MON_FUNCTIONS,
	READ_MON_NEGATIVE,
	READ_MON_HALF_BIN,
	READ_MON_NO_BINS,
	READ_MON_MANY_BINS,
	/* The data have no sum: within a file, the file is malformed. */
	READ_OTHER_KIND,
	READ_OTHER_WORD,
	READ_OTHER_RATE,
	READ_OVERLAP,
	READ_OTHER_BINS,
	READ_MANY_SAMPLES,
	READ_MANY_CALLS,
};

/* Parts of a file */
enum read_part {
	PART_HEADER,
	PART_RECORD,
	PART_HISTOGRAM_HEAD,
	PART_HISTOGRAM,
	PART_ARC,
	PART_BLOCKS_HEAD,
	PART_BLOCKS,
	PART_CALLS,
	PART_BINS,
};

/**
 * struct read_details - details of an error
 * @kind: name of the format if the file is malformed, otherwise NULL
 * @part: part that the file ends within, for READ_CUT
 * @numbers: numbers in the sentence; a negative one as two's complement
 */
struct read_details {
	const char *kind;
	enum read_part part;
	unsigned long long numbers[2];
};

/* Bytes for the text of an error */
#define READ_ERROR_TEXT 256

/* The sentence for the user, which follows the name of the file */
void profil_read_error_text(char text[READ_ERROR_TEXT], enum read_error error,
			    const struct read_details *details);

#endif
