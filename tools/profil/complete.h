/* SPDX-License-Identifier: GPL-2.0-only */
/* Completion of a command line, for completion/profil.bash */
#ifndef PROFIL_COMPLETE_H
#define PROFIL_COMPLETE_H

/*
 * Print the words that the last of @words may become, which NULL ends: arguments
 * of the command up to the one that is being written. Words are printed one a
 * line, or else one of the lines
 *
 *	<file>		names of files
 *	<command N>	words of another command, which begins at argument N
 *
 * The result is the exit status.
 */
int profil_complete_print(char **words);

#endif
