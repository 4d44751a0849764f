// SPDX-License-Identifier: GPL-2.0-only
/* Unique strings of a profile: a hash table, at most half full */
#include <stdlib.h>
#include <string.h>

#include "profile/strings.h"
#include "util/memory.h"

/**
 * struct profile_strings - the table
 * @slots: strings, or NULL
 * @nr_slots: elements of @slots, a power of two
 * @nr: strings in the table
 * @blocks: copies of bytes
 * @nr_blocks: elements of @blocks
 */
struct profile_strings {
	char **slots;
	size_t nr_slots;
	size_t nr;
	uint8_t **blocks;
	size_t nr_blocks;
};

static char **new_slots(size_t nr)
{
	char **slots = profil_grow(NULL, nr, sizeof(*slots));

	memset(slots, 0, nr * sizeof(*slots));
	return slots;
}

struct profile_strings *profil_strings_new(void)
{
	struct profile_strings *strings =
		profil_grow(NULL, 1, sizeof(*strings));

	*strings = (struct profile_strings){ .nr_slots = 256 };
	strings->slots = new_slots(strings->nr_slots);
	return strings;
}

void profil_strings_free(struct profile_strings *strings)
{
	if (!strings)
		return;
	for (size_t i = 0; i < strings->nr_slots; i++)
		free(strings->slots[i]);
	for (size_t i = 0; i < strings->nr_blocks; i++)
		free(strings->blocks[i]);
	free(strings->slots);
	free(strings->blocks);
	free(strings);
}

/* FNV-1a */
static size_t hash(const char *string)
{
	uint64_t key = 0xcbf29ce484222325ULL;

	for (; *string; string++)
		key = (key ^ (unsigned char)*string) * 0x100000001b3ULL;
	return key ^ key >> 32;
}

/* Slot of @string, or the free slot where it belongs */
static char **slot_of(char **slots, size_t nr_slots, const char *string)
{
	size_t at = hash(string);

	while (slots[at & (nr_slots - 1)] &&
	       strcmp(slots[at & (nr_slots - 1)], string))
		at++;
	return &slots[at & (nr_slots - 1)];
}

static void widen(struct profile_strings *strings)
{
	size_t nr = 2 * strings->nr_slots;
	char **slots = new_slots(nr);

	for (size_t i = 0; i < strings->nr_slots; i++)
		if (strings->slots[i])
			*slot_of(slots, nr, strings->slots[i]) =
				strings->slots[i];
	free(strings->slots);
	strings->slots = slots;
	strings->nr_slots = nr;
}

const char *profil_strings_add(struct profile_strings *strings,
			       const char *string)
{
	char **slot;

	if (2 * strings->nr >= strings->nr_slots)
		widen(strings);
	slot = slot_of(strings->slots, strings->nr_slots, string);
	if (!*slot) {
		*slot = profil_copy_string(string);
		strings->nr++;
	}
	return *slot;
}

const uint8_t *profil_strings_bytes(struct profile_strings *strings,
				    const uint8_t *bytes, size_t size)
{
	uint8_t *block = profil_grow(NULL, size ? size : 1, 1);

	strings->blocks = profil_grow(strings->blocks, strings->nr_blocks + 1,
				      sizeof(*strings->blocks));
	strings->blocks[strings->nr_blocks++] = block;
	memcpy(block, bytes, size);
	return block;
}
