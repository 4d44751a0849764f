/* SPDX-License-Identifier: GPL-2.0-only */
/* Units whose DWARF information is in a .dwo file or in a .dwp file */
#ifndef PROFIL_ELF_SPLIT_UNIT_H
#define PROFIL_ELF_SPLIT_UNIT_H

#include <elfutils/libdw.h>

/*
 * The first entry of the split unit of @unit, an entry of the file @path; or @unit
 * if its unit is whole, if the other part is not found, or if a file that may have
 * it is not a regular file.
 */
Dwarf_Die profil_split_unit_of(Dwarf_Die unit, const char *path);

#endif
