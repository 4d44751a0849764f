/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_COMMAND_REACH_H
#define PROFIL_COMMAND_REACH_H

#include <stdbool.h>

#include "include/reach.h"
#include "include/run_layout.h"

/* Whether the command @name itself gets libprofil, as its children may not */
enum reach profil_command_reach(const char *name);

/*
 * Attaching to the command is of use: it does not get libprofil, and is a program
 * for this processor that gains no privileges, which a tracer would take away.
 */
bool profil_command_reach_attaches(enum reach reach);

/* Note in @run that the command @name does not get libprofil. */
void profil_command_reach_note(struct run *run, const char *name,
			       enum reach reach);

#endif
