// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "content.h"

static bool add(struct content *content, const void *bytes, size_t size)
{
	if (size > CONTENT_ROOM - content->size)
		return false;
	memcpy(content->bytes + content->size, bytes, size);
	content->size += size;
	return true;
}

static bool add_number(struct content *content, char kind, __u64 number)
{
	static const unsigned char zeros[CONTENT_ROOM];
	__u8 one = number;
	__u16 two = number;
	__u32 four = number;

	switch (kind) {
	case '1':
		return add(content, &one, sizeof(one));
	case '2':
		return add(content, &two, sizeof(two));
	case '4':
		return add(content, &four, sizeof(four));
	case '8':
		return add(content, &number, sizeof(number));
	case 'z':
		return number <= sizeof(zeros) && add(content, zeros, number);
	}
	return false;
}

bool append(struct content *content, const char *word)
{
	__u64 number;
	char *end;

	if (!word[0] || word[1] != ':' || !word[2])
		return false;
	if (word[0] == 's')
		return add(content, word + 2, strlen(word + 2));
	errno = 0;
	number = strtoull(word + 2, &end, 0);
	return !errno && !*end && add_number(content, word[0], number);
}

bool append_all(struct content *content, const char *text)
{
	char *copy = strdup(text);
	char *rest = copy;
	char *word;
	bool good = copy;

	while (good && (word = strsep(&rest, " ")))
		good = !*word || append(content, word);
	free(copy);
	return good;
}
