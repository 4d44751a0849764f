/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input: a file of profiling data that is read from its beginning to its end
 *
 * Numbers have the byte order of this machine.
 */
#ifndef PROFIL_INPUT_H
#define PROFIL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Errors of reading a file
 *
 * Inside, each function returns 0, which is READ_OK, or one of these numbers.
 * Details of the error are in the input.
 */
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

/**
 * struct input - a file, and the position in it
 * @fd: descriptor; -1 if all of the file is in @window
 * @window: a piece of the file
 * @start: offset of @window in the file
 * @held: bytes in @window
 * @size: bytes of the file
 * @at: offset of the next byte to take
 * @word: bytes of an address, 4 or 8
 * @sure: the content has confirmed @word
 * @details: details of the error for which the file is refused
 */
struct input {
	int fd;
	unsigned char *window;
	size_t start;
	size_t held;
	size_t size;
	size_t at;
	unsigned int word;
	bool sure;
	struct read_details details;
};

/* Upper limit of bytes that can be taken at once */
#define INPUT_PIECE 8192

/* Open the file or pipe @path; exits if it cannot be read. */
void profil_input_open(struct input *input, const char *path);

/* Exit if @path is no file or pipe that can be read. */
void profil_input_check(const char *path);

/*
 * Copy the pipe @from, named @path, to its end, and close it: a file may be read
 * twice, and a pipe cannot be. Returns the descriptor of the copy; exits if the
 * pipe cannot be read or is too long.
 */
int profil_input_copy_pipe(int from, const char *path);

/* Read @size bytes at @bytes as if they were a file. */
void profil_input_memory(struct input *input, const void *bytes, size_t size);
void profil_input_close(struct input *input);

static inline size_t profil_input_left(const struct input *input)
{
	return input->size - input->at;
}

/* @size bytes at offset @at; NULL if the file ends before */
const unsigned char *profil_input_peek(struct input *input, size_t at,
				       size_t size);

/*
 * Take the next @size bytes; valid until the next call. NULL if the file ends
 * before @part is complete: the error is READ_CUT, and @part is noted.
 */
const unsigned char *profil_input_take(struct input *input, size_t size,
				       enum read_part part);

/* Skip @size bytes, without limit. */
enum read_error profil_input_skip(struct input *input, size_t size,
				  enum read_part part);

/* Note that the file ends within @part, and return READ_CUT. */
enum read_error profil_input_cut(struct input *input, enum read_part part);

/* Note the numbers in the sentence of @error, and return @error. */
enum read_error profil_input_refuse(struct input *input, enum read_error error,
				    unsigned long long one,
				    unsigned long long other);

/* Numbers in bytes that have been taken, at any alignment */
int32_t profil_input_int(const unsigned char *bytes);
uint64_t profil_input_number(const unsigned char *bytes, size_t size);
uint64_t profil_input_word(const struct input *input,
			   const unsigned char *bytes);

#endif
