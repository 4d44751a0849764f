// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source files in DWARF entries
 *
 * dwarf_decl_file() of elfutils 0.188 aborts in a split unit without a table of
 * files; here the table is read with its error.
 */
#include <stddef.h>

#include "resolve/source_file.h"

unsigned int profil_die_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word = 0;

	if (!dwarf_attr(die, name, &attribute) ||
	    dwarf_formudata(&attribute, &word))
		return 0;
	return word;
}

const char *profil_die_file(Dwarf_Die *die, unsigned int name)
{
	uint32_t index = profil_die_number(die, name);
	const char *path = NULL;
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Die unit;
	size_t nr;

	if (dwarf_attr(die, name, &attribute) &&
	    dwarf_diecu(die, &unit, NULL, NULL) &&
	    !dwarf_getsrcfiles(&unit, &files, &nr) && index < nr)
		path = dwarf_filesrc(files, index, NULL, NULL);
	return path ? path : "";
}
