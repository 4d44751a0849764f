// SPDX-License-Identifier: GPL-2.0-only
/* Whether the command itself gets libprofil; a process notes its children. */
#include <stdbool.h>
#include <stdlib.h>

#include "include/reach.h"
#include "include/unseen.h"
#include "record/command_reach.h"

/* PROFIL_LIB may name a library for programs of this kind. */
static bool is_for_library(enum reach reach)
{
	return getenv("PROFIL_LIB") &&
	       (reach == REACH_LIBC || reach == REACH_32BIT ||
		reach == REACH_MACHINE);
}

void profil_command_reach_note(struct run *run, const char *name)
{
	char path[REACH_PATH];
	enum reach reach;
	bool built_in;

	if (!profil_reach_find(name, path))
		return;
	reach = profil_reach(path, &built_in);
	if (reach != REACH_YES && !is_for_library(reach))
		profil_unseen_add(run, path, reach);
}
