/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_OWNER_H
#define PROFIL_LIB_OWNER_H

#include <stdbool.h>

/**
 * struct owner - a way to record the one profile of this process
 * @stop: ends the profile when another owner takes over; may be NULL
 */
struct owner {
	void (*stop)(void);
};

/* Make @owner the owner, and stop the previous one. NULL: there is no profile. */
void profil_owner_set(const struct owner *owner);

/* Note that @owner's profile has ended, unless another owner took over. */
void profil_owner_clear(const struct owner *owner);

/* Whether @owner records the profile; NULL: whether there is none. */
bool profil_owner_is(const struct owner *owner);

/*
 * Generation, incremented on every start and stop: a caller can see that its
 * profile was replaced.
 */
unsigned int profil_owner_generation(void);

#endif
