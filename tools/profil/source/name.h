/* SPDX-License-Identifier: GPL-2.0-only */
/* Names by which compilers look up the samples of a function */
#ifndef PROFIL_SOURCE_NAME_H
#define PROFIL_SOURCE_NAME_H

#include <stdbool.h>

/*
 * Copy of @symbol, to be freed, without the suffixes of optimizations, such as
 * .llvm.123, .part.0, .cold and .constprop.0. The suffix .__uniq.123 is of the
 * source, by -funique-internal-linkage-names, and stays.
 */
char *profil_source_name(const char *symbol);

/* @symbol is a split part of a function, which does not begin there. */
bool profil_source_name_is_part(const char *symbol);

/* @name can be written in a line of text. */
bool profil_source_name_is_plain(const char *name);

#endif
