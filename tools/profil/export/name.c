// SPDX-License-Identifier: GPL-2.0-only
/* Names of exported functions and objects, and tables of them */
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/name.h"
#include "util/array.h"
#include "util/memory.h"
#include "util/text.h"

/* Free @text and return it as UTF-8. */
static char *utf8(char *text)
{
	char *copy = profil_text_utf8(text);

	free(text);
	return copy;
}

static char *at_address(const struct profile *profile, uint32_t object,
			uint64_t address)
{
	const char *base = profil_text_base(profile->objects[object].path);
	char *text;

	if (asprintf(&text, "%s+%#" PRIx64, base, address) < 0)
		profil_memory_exhausted();
	return utf8(text);
}

static char *generated_by(const char *program)
{
	char *text;

	if (asprintf(&text, "[jit: %s]", profil_text_base(program)) < 0)
		profil_memory_exhausted();
	return utf8(text);
}

char *profil_export_object_name(const struct profile *profile, uint32_t object)
{
	const struct profile_object *it = &profile->objects[object];

	if (it->kind == PROFILE_OUTSIDE)
		return profil_copy_string(EXPORT_OUTSIDE);
	if (it->kind == PROFILE_JIT)
		return generated_by(it->path);
	return profil_text_utf8(it->path);
}

char *profil_export_function_name(const struct profile *profile,
				  uint32_t function)
{
	const struct profile_function *it = &profile->functions[function];

	if (*it->name)
		return profil_text_utf8(it->name);
	return at_address(profile, it->object, it->address);
}

char *profil_export_place_name(const struct profile *profile,
			       const struct profile_place *place)
{
	if (place->function != PROFILE_NONE)
		return profil_export_function_name(profile, place->function);
	if (profile->objects[place->object].kind == PROFILE_FILE)
		return at_address(profile, place->object, place->address);
	return profil_export_object_name(profile, place->object);
}

/* Table of unique strings, each with an index */

/**
 * struct table_entry - a string in the table
 * @string: the string
 * @index: its index
 */
struct table_entry {
	char *string;
	uint32_t index;
};

static int by_string(const void *a, const void *b)
{
	const struct table_entry *one = a, *other = b;

	return strcmp(one->string, other->string);
}

void profil_string_table_init(struct string_table *table)
{
	*table = (struct string_table){ 0 };
	profil_string_table_add(table, "");
}

static void free_entry(void *entry)
{
	free(((struct table_entry *)entry)->string);
	free(entry);
}

void profil_string_table_free(struct string_table *table)
{
	tdestroy(table->tree, free_entry);
	free(table->strings);
}

static uint32_t append(struct string_table *table,
		       const struct table_entry *wanted)
{
	struct table_entry *entry = profil_grow(NULL, 1, sizeof(*entry));

	*entry = (struct table_entry){ profil_copy_string(wanted->string),
				       table->nr };
	if (!tsearch(entry, &table->tree, by_string))
		profil_memory_exhausted();
	ARRAY_ADD(table->strings, table->nr, entry->string);
	return entry->index;
}

uint32_t profil_string_table_add(struct string_table *table, const char *string)
{
	struct table_entry wanted = { .string = (char *)string };
	struct table_entry **found = tfind(&wanted, &table->tree, by_string);

	return found ? (*found)->index : append(table, &wanted);
}

uint32_t profil_string_table_take(struct string_table *table, char *string)
{
	uint32_t index = profil_string_table_add(table, string);

	free(string);
	return index;
}

static bool matches(const regex_t *regex, const char *name)
{
	return !regexec(regex, name, 0, NULL, 0);
}

/* Paths match as they are, names in UTF-8. */
static bool object_matches(const struct profile *profile, uint32_t object,
			   const regex_t *regex)
{
	const struct profile_object *it = &profile->objects[object];
	char *name;
	bool result;

	if (it->kind == PROFILE_FILE)
		return matches(regex, it->path);
	name = profil_export_object_name(profile, object);
	result = matches(regex, name);
	free(name);
	return result;
}

/* Whether each object matches, to be freed */
static bool *match_objects(const struct profile *profile, const regex_t *regex)
{
	bool *selected = profil_grow(NULL, profile->nr_objects + 1ULL,
				     sizeof(*selected));

	for (uint32_t i = 0; i < profile->nr_objects; i++)
		selected[i] = object_matches(profile, i, regex);
	return selected;
}

void profil_export_select(struct profile *profile, const regex_t *regex)
{
	bool *selected = match_objects(profile, regex);
	struct profile_place *to = profile->places;

	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (selected[profile->places[i].object])
			*to++ = profile->places[i];
	profile->nr_places = to - profile->places;
	if (!matches(regex, EXPORT_OUTSIDE))
		profile->head.outside = 0;
	if (!matches(regex, EXPORT_LOST))
		profile->head.lost = 0;
	free(selected);
}
