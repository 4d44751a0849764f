/* SPDX-License-Identifier: GPL-2.0-only */
/* Files composed of bytes, numbers and text */
#ifndef TESTS_CONTENT_H
#define TESTS_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#define CONTENT_ROOM 4096

/**
 * struct content - content of a file
 * @bytes: its bytes
 * @size: number of bytes
 */
struct content {
	unsigned char bytes[CONTENT_ROOM];
	size_t size;
};

/*
 * Append @word: 1:N, 2:N, 4:N and 8:N are a number of 1 to 8 bytes in the order
 * of this machine; z:N is N zero bytes; s:TEXT is a text without a terminating
 * zero. False if @word is none of these, or does not fit.
 */
bool append(struct content *content, const char *word);

/* Append all words of @text, which are separated by spaces. */
bool append_all(struct content *content, const char *text);

#endif /* TESTS_CONTENT_H */
