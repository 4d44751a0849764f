// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units whose DWARF information is in a .dwo file or in a .dwp file
 *
 * libdw opens these files by name, and no descriptor can be given to it. Their names
 * are tested before. A program that replaces the file after the test, and before it
 * is opened, is not prevented from it.
 */
#include <dwarf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "elf/alternative.h"
#include "elf/split_unit.h"
#include "util/regular_file.h"

static const char *string_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	const char *string =
		dwarf_formstring(dwarf_attr(die, name, &attribute));

	return string ? string : "";
}

/* Store the first entry of the unit. */
static bool is_skeleton(const Dwarf_Die *unit, Dwarf_Die *first)
{
	Dwarf_Half version;
	uint8_t type;

	return !dwarf_cu_info(unit->cu, &version, &type, first, NULL, NULL,
			      NULL, NULL) &&
	       type == DW_UT_skeleton;
}

/* Bytes of the directory of @path, with the '/' */
static int directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 - path : 0;
}

/* A name that is too long cannot be opened by libdw either. */
static bool is_other(const char *path, const char *directory, const char *name)
{
	char full[PATH_MAX];
	int length;

	if (*name == '/')
		return profil_regular_file_is_other(name);
	if (*directory == '/')
		length = snprintf(full, sizeof(full), "%s/%s", directory, name);
	else
		length = snprintf(full, sizeof(full), "%.*s%s/%s",
				  directory_of(path), path,
				  *directory ? directory : ".", name);
	return length < PATH_MAX && profil_regular_file_is_other(full);
}

static bool is_package_other(const char *path)
{
	char full[PATH_MAX];

	return snprintf(full, sizeof(full), "%s.dwp", path) < PATH_MAX &&
	       profil_regular_file_is_other(full);
}

/* libdw looks beside the file of the unit, and where the unit was compiled. */
static bool may_open(Dwarf_Die *unit, const char *path)
{
	const char *name = string_of(unit, DW_AT_dwo_name);

	if (!*name)
		name = string_of(unit, DW_AT_GNU_dwo_name);
	return !is_other(path, "", name) &&
	       !is_other(path, string_of(unit, DW_AT_comp_dir), name) &&
	       !is_package_other(path);
}

Dwarf_Die profil_split_unit_of(Dwarf_Die unit, const char *path)
{
	Dwarf_Die first, split;
	Dwarf_Half version;
	uint8_t type;

	if (!is_skeleton(&unit, &first) || !may_open(&first, path) ||
	    dwarf_cu_info(unit.cu, &version, &type, &first, &split, NULL, NULL,
			  NULL) ||
	    !split.cu)
		return unit;
	profil_alternative_refuse(dwarf_cu_getdwarf(split.cu));
	return split;
}
