/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_COMMAND_REACH_H
#define PROFIL_COMMAND_REACH_H

#include "include/run_layout.h"

/*
 * Note the command @name in @run if libprofil cannot be preloaded in it. A
 * program that cannot be found or read is not noted: execvp() fails.
 */
void profil_command_reach_note(struct run *run, const char *name);

#endif
