/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_VERBS_H
#define PROFIL_VERBS_H

#include "util/option.h"

/* Run a command, and print where it spent its time. */
extern const struct verb profil_verb_run;

/* Record a command into a file. */
extern const struct verb profil_verb_record;

/* Print again and again where a process or a command spends its time. */
extern const struct verb profil_verb_top;

/* Print the profile in files that programs have written. */
extern const struct verb profil_verb_report;

/* Compare recordings before a change with those after it. */
extern const struct verb profil_verb_diff;

/* Print the source lines or instructions of a function. */
extern const struct verb profil_verb_annotate;

/* Write a recording in the format of another tool. */
extern const struct verb profil_verb_export;

/* Send recordings to a server. */
extern const struct verb profil_verb_push;

/* Check whether profil works on this machine. */
extern const struct verb profil_verb_doctor;

/* Print a summary of the command or of a verb. */
extern const struct verb profil_verb_help;

/* Print the synopsis and description of all verbs; the exit status */
int profil_help_print(void);

/* All verbs, ended by NULL */
extern const struct verb *const profil_verbs[];

/* Verb of that name, or NULL */
const struct verb *profil_verb_find(const char *name);

/* Verb of that name; exits with a sentence if there is none. */
const struct verb *profil_verb_require(const char *name);

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
