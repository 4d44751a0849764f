/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_REACH_H
#define PROFIL_REACH_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a path; a program with a longer one is taken to be reached. */
#define REACH_PATH 1024

/**
 * enum reach - whether a program that is executed gets libprofil
 * @REACH_YES: nothing is seen that prevents it
 * @REACH_STATIC: the program has no dynamic linker, and not libprofil.a in it
 * @REACH_LIBC: the program has another libc: musl, if this is glibc
 * @REACH_32BIT: the program is 32-bit code of this processor
 * @REACH_MACHINE: the program is code of another processor
 * @REACH_PRIVILEGE: the program gains privileges, and LD_PRELOAD is ignored
 * @REACH_ENVIRONMENT: the environment has no LD_PRELOAD with libprofil in it,
 *	or no PROFIL_RUN
 * @REACH_ROOT: libprofil cannot be opened, as after chroot()
 * @REACH_FILE: the run's file cannot be opened, as after setuid()
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
};

/*
 * What the file at @path tells, or the interpreter if it is a script. A file
 * that cannot be found, opened or understood is taken to be reached.
 * *@built_in is whether libprofil.a is in it, which needs no LD_PRELOAD.
 * Async-signal-safe; changes errno.
 */
enum reach profil_reach(const char *path, bool *built_in);

/*
 * The path of the program that execvp() would execute for @name; false if there
 * is none, or if it is too long. Async-signal-safe; changes errno.
 */
bool profil_reach_find(const char *name, char path[REACH_PATH]);

#endif
