/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_ENV_H
#define PROFIL_LIB_ENV_H

#include <stdbool.h>

/*
 * Variables of the environment. A program with more privilege than its user
 * ignores them.
 */

/* Whether @name is 1. */
bool profil_env_is_on(const char *name);

/* Value of @name; @otherwise if the variable is unset or not a number */
unsigned long profil_env_number(const char *name, unsigned long otherwise);

#endif
