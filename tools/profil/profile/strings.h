/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_STRINGS_H
#define PROFIL_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct profile_strings;

/* A table of unique strings, and memory that is freed with it */
struct profile_strings *profil_strings_new(void);
void profil_strings_free(struct profile_strings *strings);

/* The table's own copy of @string, in O(1) */
const char *profil_strings_add(struct profile_strings *strings,
			       const char *string);

/* A copy of @size bytes */
const uint8_t *profil_strings_bytes(struct profile_strings *strings,
				    const uint8_t *bytes, size_t size);

#endif
