/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SOURCE_LINES_H
#define PROFIL_SOURCE_LINES_H

#include "elf/symbols.h"
#include "profile/profile.h"
#include "resolve/file.h"

/*
 * Add the frames of all @places, which have their functions, by the DWARF
 * information of the file or of its separate file, and set the declarations of
 * the functions. Frames of known places are copied, and NULL for @symbols has no
 * others. False if an interrupt has ended the search.
 */
bool profil_source_lines_add(struct profile *profile,
			     const struct resolve_places *places,
			     struct symbols *symbols);

#endif
