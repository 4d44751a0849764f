/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_OPTION_H
#define PROFIL_OPTION_H

/* The next option of @argv by getopt(3), which knows of @letters; -1 at their end */
int profil_option_next(int argc, char **argv, const char *letters);

/*
 * Exit with what is wrong about @option of @argv[0], which getopt(3) has just
 * returned.
 */
void profil_option_refuse(int option, char **argv);

/* @text as the samples a second of -F; exits if it is no number. */
long profil_option_hz(const char *text);

#endif
