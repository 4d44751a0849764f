// SPDX-License-Identifier: GPL-2.0-only
/*
 * Size of regular expressions
 *
 * A part is a character, a set of characters or a parenthesis. Text that is no
 * regular expression has any size: regcomp() refuses it.
 */
#include <stdlib.h>
#include <string.h>

#include "util/pattern.h"

/**
 * struct counter - parts of a pattern up to a position
 * @text: the rest of the pattern
 * @sums: parts of each open parenthesis, and of the pattern itself
 * @depth: number of open parentheses
 * @last: parts of the last expression, which a repetition repeats
 */
struct counter {
	const char *text;
	size_t sums[PATTERN_DEPTH + 1];
	int depth;
	size_t last;
};

/* The text after the set that begins at @text with its bracket */
static const char *after_set(const char *text)
{
	text += text[1] == '^' ? 2 : 1;
	if (*text == ']')
		text++;
	for (; *text && *text != ']'; text++) {
		const char *end = NULL;
		char close[3] = { text[1], ']' };

		if (*text == '[' && text[1] && strchr(":.=", text[1]))
			end = strstr(text + 2, close);
		if (end)
			text = end + 1;
	}
	return *text ? text + 1 : text;
}

static void add_last(struct counter *counter, size_t parts)
{
	counter->sums[counter->depth] += parts;
	counter->last = parts;
}

/* Count the last expression @times in place of once. */
static void repeat(struct counter *counter, unsigned long times)
{
	size_t more = times > PATTERN_PARTS ? PATTERN_PARTS + 1 : times;

	if (more > 1)
		counter->sums[counter->depth] += counter->last * (more - 1);
	counter->last *= more ? more : 1;
}

/* Count {LEAST}, {LEAST,} or {LEAST,MOST}; a brace may be a character as well. */
static void repeat_range(struct counter *counter)
{
	char *end;
	unsigned long least = strtoul(counter->text + 1, &end, 10);
	unsigned long most = least;

	if (*end == ',')
		most = strtoul(end + 1, &end, 10);
	if (*end != '}') {
		add_last(counter, 1);
		counter->text++;
		return;
	}
	repeat(counter, most > least ? most : least + 1);
	counter->text = end + 1;
}

static void close_group(struct counter *counter)
{
	size_t parts = counter->sums[counter->depth] + 1;

	if (!counter->depth)
		return;
	counter->depth--;
	add_last(counter, parts);
}

/* False if there are too many parentheses in parentheses. */
static bool take(struct counter *counter)
{
	switch (*counter->text) {
	case '[':
		add_last(counter, 1);
		counter->text = after_set(counter->text);
		return true;
	case '{':
		repeat_range(counter);
		return true;
	case '(':
		if (++counter->depth > PATTERN_DEPTH)
			return false;
		counter->sums[counter->depth] = 0;
		break;
	case ')':
		close_group(counter);
		break;
	case '+': /* once, and any number of times */
		repeat(counter, 2);
		break;
	case '*': /* a later repetition repeats the same expression */
	case '?':
		counter->sums[counter->depth]++;
		break;
	case '\\':
		counter->text += counter->text[1] != '\0';
		add_last(counter, 1);
		break;
	default:
		add_last(counter, 1);
	}
	counter->text++;
	return true;
}

bool profil_pattern_is_small(const char *text)
{
	struct counter counter = { .text = text };

	while (*counter.text)
		if (!take(&counter) ||
		    counter.sums[counter.depth] > PATTERN_PARTS ||
		    counter.last > PATTERN_PARTS)
			return false;
	return true;
}
