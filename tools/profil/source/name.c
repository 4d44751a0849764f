// SPDX-License-Identifier: GPL-2.0-only
/* Names by which compilers look up the samples of a function */
#include <string.h>

#include "source/name.h"
#include "util/memory.h"

#define UNIQUE ".__uniq."

/* A name may begin with a point. */
static size_t plain_length(const char *symbol)
{
	const char *unique = strstr(symbol, UNIQUE);
	size_t first = *symbol == '.';

	if (unique)
		return unique - symbol + strlen(UNIQUE) +
		       strspn(unique + strlen(UNIQUE), "0123456789");
	return first + strcspn(symbol + first, ".");
}

char *profil_source_name(const char *symbol)
{
	char *name = profil_copy_string(symbol);

	name[plain_length(symbol)] = '\0';
	return name;
}

bool profil_source_name_is_part(const char *symbol)
{
	return strstr(symbol, ".part.") || strstr(symbol, ".cold");
}

bool profil_source_name_is_plain(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if ((unsigned char)*name <= ' ' || *name == 0x7f)
			return false;
	return true;
}
