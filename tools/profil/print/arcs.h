/* SPDX-License-Identifier: GPL-2.0-only */
/* The calls that a gmon.out has counted */
#ifndef PROFIL_PRINT_ARCS_H
#define PROFIL_PRINT_ARCS_H

#include "print/find.h"

/*
 * Print the functions of @profile that @functions has, @nr indices, with their callers
 * above and the functions that they have called below, and numbers of calls.
 */
void profil_arcs_print(FILE *out, const struct profile *profile,
		       const uint32_t *functions, uint32_t nr);

/* Print the same as JSON, which profil-report(1) describes. */
void profil_arcs_print_json(FILE *out, const struct profile *profile,
			    const uint32_t *functions, uint32_t nr);

/*
 * The functions of @profile with samples or calls, which are @name, as of
 * profil_functions_find()
 */
uint32_t *profil_arcs_find(const struct profile *profile, const char *name,
			   const regex_t *object, uint32_t *nr);

#endif
