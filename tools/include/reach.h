/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_REACH_H
#define PROFIL_REACH_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a path; a program with a longer path counts as reached. */
#define REACH_PATH 1024

/**
 * enum reach - whether an executed program gets libprofil
 * @REACH_YES: no obstacle was found
 * @REACH_STATIC: the program has no dynamic linker and no libprofil.a
 * @REACH_LIBC: the program uses another libc: musl, if this is glibc
 * @REACH_32BIT: the program is 32-bit code for this processor
 * @REACH_MACHINE: the program is code for another processor
 * @REACH_PRIVILEGE: the program gains privileges, and LD_PRELOAD is ignored
 * @REACH_ENVIRONMENT: the environment has no PROFIL_RUN, or no LD_PRELOAD that
 *	names libprofil
 * @REACH_ROOT: libprofil cannot be opened, as after chroot()
 * @REACH_FILE: the run's file cannot be opened, as after setuid()
 * @REACH_SECCOMP: the process has restricted its system calls by seccomp(2)
 */
enum reach {
	REACH_YES,
	REACH_STATIC,
	REACH_LIBC,
	REACH_32BIT,
	REACH_MACHINE,
	REACH_PRIVILEGE,
	REACH_ENVIRONMENT,
	REACH_ROOT,
	REACH_FILE,
	REACH_SECCOMP,
};

/*
 * Judge the program at @path, or its interpreter if it is a script. A file that
 * cannot be found, opened or understood counts as reached. *@built_in: the
 * program contains libprofil.a, which needs no LD_PRELOAD. Async-signal-safe;
 * changes errno.
 */
enum reach profil_reach(const char *path, bool *built_in);

/*
 * Find the program that execvp() would execute for @name; false if there is none
 * or its path is too long. Async-signal-safe; changes errno.
 */
bool profil_reach_find(const char *name, char path[REACH_PATH]);

#endif
