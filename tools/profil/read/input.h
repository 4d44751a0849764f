/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of profiling data, and what is read of it
 *
 * Numbers are in the order of bytes of this machine. Whoever reads takes what
 * comes next; nothing is taken that is not there.
 */
#ifndef PROFIL_INPUT_H
#define PROFIL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct input - a file, and how far it has been read
 * @path: its path
 * @fd: its descriptor; -1 if all of it is in @window
 * @window: a piece of it
 * @start: where that piece begins in the file
 * @held: bytes of that piece
 * @size: bytes of the file
 * @at: what comes next
 * @word: bytes of an address, 4 or 8
 * @sure: something in the file has confirmed @word
 * @wrong: what is wrong with it, if reading failed
 */
struct input {
	const char *path;
	int fd;
	unsigned char *window;
	size_t start;
	size_t held;
	size_t size;
	size_t at;
	unsigned int word;
	bool sure;
	char wrong[256];
};

/* The most bytes that can be taken at once */
#define INPUT_PIECE 8192

/* Open the file @path, of which pieces are read; exits if that cannot be done. */
void profil_input_open(struct input *input, const char *path);

/* The same for what is in memory: @size bytes at @bytes */
void profil_input_memory(struct input *input, const char *path,
			 const void *bytes, size_t size);
void profil_input_close(struct input *input);

static inline size_t profil_input_left(const struct input *input)
{
	return input->size - input->at;
}

/* @size bytes at @at, to look at; NULL if they are not all there */
const unsigned char *profil_input_peek(struct input *input, size_t at,
				       size_t size);

/*
 * The next @size bytes, which @part consists of; NULL if there are less. Then
 * nothing is taken, and @wrong says so. What was taken before is gone.
 */
const unsigned char *profil_input_take(struct input *input, size_t size,
				       const char *part);

/* Pass over @size bytes, of any number; false if there are less. */
bool profil_input_skip(struct input *input, size_t size, const char *part);

/* Set @wrong, as by printf(3); returns false for the caller to do the same. */
__attribute__((format(printf, 2, 3))) bool
profil_input_refuse(struct input *input, const char *format, ...);

/* Whether @wrong is NULL; what it says if not is wrong with the file. */
bool profil_input_accept(struct input *input, const char *wrong);

/* Numbers in bytes that have been taken, which need not be aligned */
int32_t profil_input_int(const unsigned char *bytes);
uint64_t profil_input_number(const unsigned char *bytes, size_t size);
uint64_t profil_input_word(const struct input *input,
			   const unsigned char *bytes);

#endif
