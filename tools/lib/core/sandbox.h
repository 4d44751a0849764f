/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether this process has restricted its system calls by seccomp(2)
 *
 * A filter may kill the process at any call that the program itself does not
 * make. A profile of the run stays as it is then, and the library makes no more
 * calls of its own. A call that asks for the state could be the forbidden one, so
 * the state is noted when the program enters it. A program that is executed then has
 * the same filter, and does not get the library.
 */
#ifndef PROFIL_LIB_SANDBOX_H
#define PROFIL_LIB_SANDBOX_H

#include <stdbool.h>

/* Note the restriction before it begins; whether there was one before. */
bool profil_sandbox_enter(void);

/* Withdraw the note: the restriction has failed. */
void profil_sandbox_leave(void);

/* Whether the system calls are restricted. Any context. */
bool profil_sandbox_is_on(void);

#endif
