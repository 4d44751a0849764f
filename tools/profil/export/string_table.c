// SPDX-License-Identifier: GPL-2.0-only
/* Table of unique strings */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "export/string_table.h"
#include "util/memory.h"

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
	if (!(table->nr & (table->nr - 1)))
		table->strings = profil_grow(table->strings,
					     table->nr ? 2 * table->nr : 1,
					     sizeof(*table->strings));
	table->strings[table->nr] = entry->string;
	return table->nr++;
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
