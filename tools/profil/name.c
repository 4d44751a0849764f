// SPDX-License-Identifier: GPL-2.0-only
/* What a profile calls the places of a file */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "name.h"

const char *profil_name_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* A name comes from a file, and goes to a terminal. */
static char *printable(const char *name)
{
	char *copy = profil_copy(name);

	for (char *at = copy; *at; at++)
		if (!isprint((unsigned char)*at))
			*at = '?';
	return copy;
}

char *profil_name(const char *path, const struct place *place)
{
	char name[512];

	if (place->name)
		return printable(place->name);
	snprintf(name, sizeof(name), "%.480s+0x%" PRIx64,
		 profil_name_base(path), place->address);
	return printable(name);
}
