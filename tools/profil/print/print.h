/* SPDX-License-Identifier: GPL-2.0-only */
/* What is printed of a profile: heading, tables, JSON, notes and hints */
#ifndef PROFIL_PRINT_H
#define PROFIL_PRINT_H

#include "profile/rows.h"

/* Print a line with the command, its exit status and its times. */
void profil_heading_print(FILE *out, const struct profile *profile);

/* Print which programs a recording of the machine is about. */
void profil_heading_print_subject(FILE *out, const struct profile_head *head);

/*
 * Number of the programs, by their paths: each may be several times in a profile, as for
 * its threads and its cgroups; [kernel] is none.
 */
unsigned long long profil_heading_programs(const struct profile *profile);

/* Print how the command has ended, or why that is not known. */
void profil_heading_print_status(FILE *out, const struct profile_head *head);

/* Print a line with the time and the machine of the recording. */
void profil_heading_print_origin(FILE *out, const struct profile *profile);

/*
 * Print the samples of a recording, their period, and lost samples; or those of a
 * gmon.out or mon.out, their rate, which is marked if it is assumed, and samples
 * outside of all functions.
 */
void profil_total_print(FILE *out, const struct profile *profile);

/*
 * Print the time of CPUs that no code of a program has, and a line for each reason why the
 * profile is incomplete. A gmon.out or mon.out tells none.
 */
void profil_notes_print(FILE *out, const struct profile *profile);

/*
 * Print why functions have no names, with the remedy: a line for each file that
 * has a considerable share of such samples.
 */
void profil_hints_print(FILE *out, const struct profile *profile);

/*
 * The lines of both, in memory of malloc(): each ends with a newline,
 * and names in it have no control characters.
 */
char *profil_notes_text(const struct profile *profile);

/* Seconds of CPU time that are not in the samples; 0 if chance explains them */
double profil_missing_seconds(const struct profile *profile);

/*
 * Print the next command behind a semicolon, if there is one that helps: one for the
 * kernel, for the hottest function of the user's own code, or for all programs or
 * objects. @rows are the functions of @profile.
 */
void profil_next_print(FILE *out, const struct profile *profile,
		       const struct rows *rows);

#endif
