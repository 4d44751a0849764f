/* SPDX-License-Identifier: GPL-2.0-only */
/* Table of unique strings, each with an index */
#ifndef PROFIL_EXPORT_STRING_TABLE_H
#define PROFIL_EXPORT_STRING_TABLE_H

#include <stdint.h>

/**
 * struct string_table - unique strings
 * @strings: the strings by index, @nr elements; 0 is ""
 * @nr: number of strings
 * @tree: entries of tsearch(3)
 */
struct string_table {
	const char **strings;
	uint32_t nr;
	void *tree;
};

void profil_string_table_init(struct string_table *table);
void profil_string_table_free(struct string_table *table);

/* Index of @string, which is copied */
uint32_t profil_string_table_add(struct string_table *table,
				 const char *string);

/* Index of @string, which is freed */
uint32_t profil_string_table_take(struct string_table *table, char *string);

#endif
