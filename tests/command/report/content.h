/* SPDX-License-Identifier: GPL-2.0-only */
/* Files written byte by byte */
#ifndef TESTS_CONTENT_H
#define TESTS_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#define CONTENT_ROOM 4096

/**
 * struct content - what is in a file
 * @bytes: its bytes
 * @size: how many there are
 */
struct content {
	unsigned char bytes[CONTENT_ROOM];
	size_t size;
};

/*
 * Append what @word says: 1:N, 2:N, 4:N and 8:N a number in so many bytes, in
 * the order of this machine; z:N so many zeros; s:TEXT a text without its end.
 * False if it says nothing of these, or there is no room.
 */
bool append(struct content *content, const char *word);

/* The same for all words of @text, which have spaces between them */
bool append_all(struct content *content, const char *text);

#endif /* TESTS_CONTENT_H */
