/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SHORT_NAME_H
#define PROFIL_SHORT_NAME_H

#include "profile/profile.h"

/*
 * Printable name of the function @index without result, parameters and template arguments,
 * as std::sort<...>, cut after @width characters.
 */
char *profil_short_name(const struct profile *profile, uint32_t index,
			size_t width);

#endif
