/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input: a file of profiling data that is read from its beginning to its end
 *
 * Numbers have the byte order of this machine. A function whose result is false, or
 * NULL, has noted a sentence for the user.
 */
#ifndef PROFIL_INPUT_H
#define PROFIL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes for the sentence */
#define INPUT_WRONG 256

/* Upper limit of bytes that can be taken at once */
#define INPUT_PIECE 8192

/* Bytes that may be looked at before they are taken */
#define INPUT_MARK 32

/**
 * struct input - a file, and the position in it
 * @file: the file
 * @size: bytes of the file
 * @at: offset of the next byte to take
 * @word: bytes of an address, 4 or 8
 * @sure: the content has confirmed @word
 * @wrong: the sentence, which follows the name of the file
 * @nr_mark: bytes in @mark
 * @mark: begin of the file
 * @piece: bytes that were taken last
 */
struct input {
	FILE *file;
	size_t size;
	size_t at;
	unsigned int word;
	bool sure;
	char wrong[INPUT_WRONG];
	size_t nr_mark;
	unsigned char mark[INPUT_MARK];
	unsigned char piece[INPUT_PIECE];
};

/* Read @file, which profil_input_end() closes. */
void profil_input_begin(struct input *input, FILE *file);
void profil_input_end(struct input *input);

/* Read from the beginning again, with addresses of @word bytes. */
void profil_input_again(struct input *input, unsigned int word);

static inline size_t profil_input_left(const struct input *input)
{
	return input->size - input->at;
}

/* @size bytes at offset @at of the mark; NULL if the file ends before */
const unsigned char *profil_input_mark(const struct input *input, size_t at,
				       size_t size);

/*
 * Take the next @size bytes; valid until the next call. NULL if the file ends
 * before @part, such as "an arc", is complete.
 */
const unsigned char *profil_input_take(struct input *input, size_t size,
				       const char *part);

/* Skip @size bytes, without limit. */
bool profil_input_skip(struct input *input, size_t size, const char *part);

/* Note the sentence, which may contain the one before; false */
bool profil_input_refuse(struct input *input, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Numbers in bytes that have been taken, at any alignment */
int32_t profil_input_int(const unsigned char *bytes);
uint64_t profil_input_number(const unsigned char *bytes, size_t size);
uint64_t profil_input_word(const struct input *input,
			   const unsigned char *bytes);

#endif
