/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of exported functions and objects; each is to be freed. */
#ifndef PROFIL_EXPORT_NAME_H
#define PROFIL_EXPORT_NAME_H

#include "profile/profile.h"

#define EXPORT_OUTSIDE "[outside]"
#define EXPORT_LOST "[lost]"

/* Path of the object in UTF-8; EXPORT_OUTSIDE or [jit: PROGRAM] without a file */
char *profil_export_object_name(const struct profile *profile, uint32_t object);

/* Name of a function, which an object without symbols has not: FILE+0xADDRESS */
char *profil_export_function_name(const struct profile *profile,
				  uint32_t function);

/* Name of the function around @place; that of its object without a function */
char *profil_export_place_name(const struct profile *profile,
			       const struct profile_place *place);

#endif
