/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines above a profile, and the line of totals below */
#ifndef PROFIL_HEADING_H
#define PROFIL_HEADING_H

#include "util/base.h"

struct profile;
struct profile_head;

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

#endif
