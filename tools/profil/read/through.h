/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples whose stacks have a certain function */
#ifndef PROFIL_READ_THROUGH_H
#define PROFIL_READ_THROUGH_H

#include <regex.h>

#include "profile/profile.h"

/*
 * Keep the samples whose stacks have a function, which may be an inlined one, whose name
 * matches @function, in an object whose path matches @object; NULL: any. A sample without
 * a stack is in its own functions alone. The others, and those in no place, are left out:
 * @profile gets their number.
 */
void profil_profile_keep_through(struct profile *profile,
				 const regex_t *function,
				 const regex_t *object);

#endif
