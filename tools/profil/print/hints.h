/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_HINTS_H
#define PROFIL_HINTS_H

#include <stdio.h>

#include "print/rows.h"

/*
 * Print why functions of @rows, of @total samples, have no names, and what
 * helps: a line for each file to which that matters.
 */
void profil_hints_print(FILE *out, const struct rows *rows, uint64_t total);

#endif
