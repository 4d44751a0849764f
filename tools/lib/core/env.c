// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/env.h"

bool profil_env_is_on(const char *name)
{
	const char *value = secure_getenv(name);

	return value && !strcmp(value, "1");
}

unsigned long profil_env_number(const char *name, unsigned long otherwise)
{
	const char *value = secure_getenv(name);
	int saved = errno;
	unsigned long number;
	char *end;

	if (!value || *value < '0' || *value > '9')
		return otherwise;
	errno = 0;
	number = strtoul(value, &end, 10);
	if (errno || *end)
		number = otherwise;
	errno = saved;
	return number;
}
