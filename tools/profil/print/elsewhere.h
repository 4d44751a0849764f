/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of a recording of the machine that are not in its places */
#ifndef PROFIL_ELSEWHERE_H
#define PROFIL_ELSEWHERE_H

#include <stdio.h>

#include "profile/profile.h"

/*
 * Print the time of CPUs outside of the code of programs, as in "2.10 s idle, 0.31 s
 * in kernel threads", without what is less than 5 ms. Nothing, and 0, if there is
 * no such time; otherwise the number of parts.
 */
int profil_elsewhere_print(FILE *out, const struct profile_head *head);

/* The same for the time of samples that were lost */
int profil_elsewhere_print_lost(FILE *out, const struct profile_head *head);

/* Print the samples of all these as a member of JSON. */
void profil_elsewhere_print_json(FILE *out, const struct profile_head *head);

#endif
