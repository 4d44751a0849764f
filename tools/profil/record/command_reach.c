// SPDX-License-Identifier: GPL-2.0-only
/* Whether the command itself gets libprofil; a process notes its children. */
#include <stdlib.h>

#include "include/unseen.h"
#include "record/command_reach.h"

/* PROFIL_LIB may name a library for programs of this kind. */
static bool is_for_library(enum reach reach)
{
	return getenv("PROFIL_LIB") &&
	       (reach == REACH_LIBC || reach == REACH_32BIT ||
		reach == REACH_MACHINE);
}

enum reach profil_command_reach(const char *name)
{
	char path[REACH_PATH];
	enum reach reach;
	bool built_in;

	if (!profil_reach_find(name, path))
		return REACH_YES;
	reach = profil_reach(path, &built_in);
	return is_for_library(reach) ? REACH_YES : reach;
}

bool profil_command_reach_attaches(enum reach reach)
{
	return reach == REACH_STATIC || reach == REACH_LIBC ||
	       reach == REACH_32BIT;
}

void profil_command_reach_note(struct run *run, const char *name,
			       enum reach reach)
{
	char path[REACH_PATH];

	if (reach != REACH_YES && profil_reach_find(name, path))
		profil_unseen_add(run, path, reach);
}
