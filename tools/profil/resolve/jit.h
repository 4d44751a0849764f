/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RESOLVE_JIT_H
#define PROFIL_RESOLVE_JIT_H

#include <stdint.h>

#include "profile/profile.h"
#include "resolve/file.h"
#include "resolve/resolve.h"

/*
 * Look up the functions of code that the process of @origin, or an unknown process,
 * NULL, has generated. A place without a name is in the function "[jit: PROGRAM]".
 */
void profil_resolve_jit(struct profile *profile,
			const struct resolve_places *places,
			const struct resolve_origin *origin);

#endif
