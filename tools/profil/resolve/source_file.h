/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RESOLVE_SOURCE_FILE_H
#define PROFIL_RESOLVE_SOURCE_FILE_H

#include <stdint.h>

#include <elfutils/libdw.h>

/**
 * struct source_position - a line of a source file
 * @file: path of the file, or ""
 * @line: line, or 0
 */
struct source_position {
	const char *file;
	uint32_t line;
};

/*
 * Path of the source file whose number is in the attribute @name of @die itself,
 * or "". It is valid as long as the DWARF information.
 */
const char *profil_die_file(Dwarf_Die *die, unsigned int name);

/* Number in the attribute @name of @die itself, or 0 */
unsigned int profil_die_number(Dwarf_Die *die, unsigned int name);

#endif
