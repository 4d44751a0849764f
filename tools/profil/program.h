/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_PROGRAM_H
#define PROFIL_PROGRAM_H

/*
 * Exit with a sentence if the program @name cannot have a library preloaded. A
 * program that cannot be found or read is left to execvp() to refuse.
 */
void profil_program_check(const char *name);

/* Path of the libprofil.so.1 to preload; exits if it is nowhere. */
const char *profil_program_library(void);

#endif
