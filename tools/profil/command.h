/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_COMMAND_H
#define PROFIL_COMMAND_H

#include <stdbool.h>

/**
 * struct command - a program to be run with the library preloaded
 * @argv: its name and arguments, ended by NULL
 * @library: path of the library
 * @run: value of the environment variable that names the run's file
 */
struct command {
	char **argv;
	const char *library;
	const char *run;
};

/*
 * Run it to its end. Its exit status, or 128 and the signal's number if one
 * killed it. If it could not be found or run, @begun is false, which has then
 * been said, and the status 127 or 126.
 */
int profil_command(const struct command *command, bool *begun);

#endif
