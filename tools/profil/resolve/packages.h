/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RESOLVE_PACKAGES_H
#define PROFIL_RESOLVE_PACKAGES_H

#include "profile/profile.h"
#include "resolve/known.h"
#include "resolve/resolve.h"

/*
 * Set the package of files with many samples in functions without a symbol, if
 * there is a package that has more symbols. @origins and @known are those of
 * profil_resolve().
 */
void profil_resolve_packages(struct profile *profile,
			     const struct resolve_origin *origins,
			     const struct known *known);

#endif
