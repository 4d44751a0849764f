/* SPDX-License-Identifier: GPL-2.0-only */
/* The profile of a program that is linked with gperftools: CPUPROFILE=FILE */
#ifndef PROFIL_CPUPROF_H
#define PROFIL_CPUPROF_H

#include "profile/profile.h"

/* The format as the head of a profile has it */
#define CPUPROF "cpu.prof"

/* Bytes for the sentence why a file cannot be read */
#define CPUPROF_WRONG 128

/* @file, which is at its begin, has the format, even if it is malformed. */
bool profil_cpuprof_is(FILE *file);

/*
 * Read @file into @profile, which is initialised, and look up the names of its code.
 * @program: path of the program where it is now, or NULL for the path in the file. False
 * with a sentence in @wrong if the file is malformed
 */
bool profil_cpuprof_read(FILE *file, const char *program,
			 struct profile *profile, char wrong[CPUPROF_WRONG]);

#endif
