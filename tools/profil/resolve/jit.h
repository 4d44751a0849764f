/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of generated code */
#ifndef PROFIL_JIT_H
#define PROFIL_JIT_H

#include "resolve/resolve.h"

/*
 * Look up the functions of @places in code that the process of @origin, or an unknown
 * process, NULL, has generated. A place that has no name yet is in the function
 * "[jit: PROGRAM]".
 */
void profil_resolve_jit(struct profile *profile,
			const struct resolve_places *places,
			const struct resolve_origin *origin);

#endif
