/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of exported functions and objects, and tables of them */
#ifndef PROFIL_EXPORT_NAME_H
#define PROFIL_EXPORT_NAME_H

#include <regex.h>
#include <stdint.h>

#include "profile/profile.h"

#define EXPORT_OUTSIDE "[outside]"
#define EXPORT_LOST "[lost]"

/* Path of the object in UTF-8; EXPORT_OUTSIDE or [jit: PROGRAM] without a file */
char *profil_export_object_name(const struct profile *profile, uint32_t object);

/* Name of a function, which an object without symbols has not: FILE+0xADDRESS */
char *profil_export_function_name(const struct profile *profile,
				  uint32_t function);

/* Name of the function around @place; that of its object without a function */
char *profil_export_place_name(const struct profile *profile,
			       const struct profile_place *place);

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

/*
 * Remove the samples whose object does not match @regex: by path of the file, or
 * by EXPORT_OUTSIDE, EXPORT_LOST and [jit: PROGRAM].
 */
void profil_export_select(struct profile *profile, const regex_t *regex);

#endif
