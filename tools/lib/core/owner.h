/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_OWNER_H
#define PROFIL_LIB_OWNER_H

#include <stdbool.h>

#include "core/device.h"

/*
 * The one profile of this process, whoever keeps it. Each returns 0 or -errno.
 * A start that fails leaves the profile that is on as it is.
 */
int profil_session_start(struct profil_start *start);
int profil_session_stop(void);

/* The libc's function keeps the profile from here on, or no longer does. */
void profil_session_to_libc(bool on);
/* Whether the driver keeps a profile that this library started. */
bool profil_session_in_driver(void);
/* Whether anybody keeps one, but for `profil run`. */
bool profil_session_is_on(void);

/*
 * A number that changes whenever a profile is started or stopped, so that who
 * started one finds out whether it is his yet.
 */
unsigned int profil_session_turn(void);

/* What a function named by the libc returns for @ret, errno set as it should */
int profil_result(int ret, int saved_errno);

#endif
