// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * PROFIL_DIALECT: dialect of a program that is not compiled anew
 *
 * The variable is read once, since another thread may change the environment,
 * and is ignored in a program with more privilege than its user.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/dialect.h"
#include "core/log.h"

#define UNREAD (-1)

static const char *const names[] = {
	[PROFIL_DIALECT_AIX] = "aix",
	[PROFIL_DIALECT_SVR4] = "svr4",
	[PROFIL_DIALECT_BSD] = "bsd",
	[PROFIL_DIALECT_IRIX] = "irix",
};

static const char unknown[] =
	"PROFIL_DIALECT is unknown: set it to aix, svr4, bsd or irix";

static int find(const char *name)
{
	for (int i = PROFIL_DIALECT_AIX; i <= PROFIL_DIALECT_IRIX; i++)
		if (!strcmp(name, names[i]))
			return i;
	return UNREAD;
}

static int read_environment(void)
{
	const char *name = secure_getenv("PROFIL_DIALECT");

	return name && *name ? find(name) : PROFIL_DIALECT_DEFAULT;
}

/* Of threads that call at the same time, one prints the error. */
enum profil_dialect profil_dialect(void)
{
	static atomic_int known = UNREAD;
	int dialect = atomic_load(&known);
	int found, unread = UNREAD;

	if (dialect != UNREAD)
		return dialect;
	found = read_environment();
	dialect = found == UNREAD ? PROFIL_DIALECT_DEFAULT : found;
	if (atomic_compare_exchange_strong(&known, &unread, dialect) &&
	    found == UNREAD)
		profil_log("%s", unknown);
	return dialect;
}
