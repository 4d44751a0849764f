/* SPDX-License-Identifier: GPL-2.0-only */
/* What people call a program */
#ifndef PROFIL_CALLED_H
#define PROFIL_CALLED_H

#include "util/base.h"

/*
 * A program
 * @file: path of its file
 * @comm: name of a process, or of a thread of one that has ended
 * @argv: arguments of the process, ended by NULL; none if it has ended
 * @path: path by which it was executed, or that of the file
 * @script: the script that it interprets, as "app.py", "-m module" or "-jar app.jar"; NULL
 *	if there is none, or if it is not sure
 */
struct called {
	const char *file;
	const char *comm;
	char *const *argv;
	char *path;
	char *script;
};

/* Set @path and @script by the others. */
void profil_called_find(struct called *called);
void profil_called_free(struct called *called);

/* The path has the name of the process. */
bool profil_called_has_comm(const struct called *called);

/* The program interprets scripts. */
bool profil_called_may_have_script(const struct called *called);

#endif
