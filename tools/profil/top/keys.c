// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys of a terminal
 *
 * A key without a character sends a control sequence of ECMA-48, ESC [ and
 * parameters, or ESC O and a letter. Escape alone sends its first character, and
 * nothing follows within a moment, or another character.
 */
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "top/keys.h"

#define ESCAPE 0x1b

/* Milliseconds between the characters of a sequence, at most */
#define SEQUENCE_MS 50

/* Characters of a sequence that are compared */
#define SEQUENCE 8

static const struct {
	const char *sequence;
	enum key key;
} sequences[] = {
	{ "[A", KEY_UP },    { "OA", KEY_UP },	     { "[B", KEY_DOWN },
	{ "OB", KEY_DOWN },  { "[5~", KEY_PAGE_UP }, { "[6~", KEY_PAGE_DOWN },
	{ "[H", KEY_HOME },  { "OH", KEY_HOME },     { "[1~", KEY_HOME },
	{ "[7~", KEY_HOME }, { "[F", KEY_END },	     { "OF", KEY_END },
	{ "[4~", KEY_END },  { "[8~", KEY_END },
};

static bool read_character(int fd, int timeout_ms, char *character)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };

	return poll(&input, 1, timeout_ms) > 0 && read(fd, character, 1) == 1;
}

/* A sequence of [ ends with a character from @ on, one of O with the second. */
static bool is_end(const char *sequence, size_t length)
{
	return length > 1 && (*sequence != '[' || sequence[length - 1] >= '@');
}

static enum key read_sequence(int fd, char *pending)
{
	char sequence[SEQUENCE] = "";
	size_t length = 0;

	if (!read_character(fd, SEQUENCE_MS, sequence))
		return KEY_ESCAPE;
	if (*sequence != '[' && *sequence != 'O') {
		*pending = *sequence;
		return KEY_ESCAPE;
	}
	while (!is_end(sequence, ++length) && length < SEQUENCE - 1)
		if (!read_character(fd, SEQUENCE_MS, sequence + length))
			break;
	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++)
		if (!strcmp(sequence, sequences[i].sequence))
			return sequences[i].key;
	return KEY_OTHER;
}

int profil_key_read(int fd, char *pending)
{
	char character = *pending;

	*pending = '\0';
	if (!character && !read_character(fd, 0, &character))
		return KEY_NONE;
	switch (character) {
	case ESCAPE:
		return read_sequence(fd, pending);
	case '\r':
	case '\n':
		return KEY_ENTER;
	case '\0':
		return KEY_OTHER;
	default:
		return (unsigned char)character;
	}
}
