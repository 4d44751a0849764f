/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_VERBS_H
#define PROFIL_VERBS_H

#include "util/option.h"

extern const struct verb profil_verb_run, profil_verb_record, profil_verb_top,
	profil_verb_report, profil_verb_annotate, profil_verb_diff,
	profil_verb_export, profil_verb_push, profil_verb_doctor,
	profil_verb_help;

/* Print the synopsis and description of all verbs; the exit status */
int profil_help_print(void);

/* All verbs, ended by NULL */
extern const struct verb *const profil_verbs[];

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

/* Exit with @sentence if the command line is @wrong. */
static inline void refuse(bool wrong, const char *sentence)
{
	if (wrong)
		die_err("%s", sentence);
}

#endif
