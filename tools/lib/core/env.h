/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_ENV_H
#define PROFIL_LIB_ENV_H

#include <stdbool.h>

/*
 * What the environment says. It is not looked at in a program with more
 * privilege than its user.
 */

/* Whether @name is 1 */
bool profil_env_is_on(const char *name);

/* @name as a number, @otherwise if it is not set, or is none */
unsigned long profil_env_number(const char *name, unsigned long otherwise);

#endif
