/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_OBJECT_AT_H
#define PROFIL_LIB_OBJECT_AT_H

#include "core/objects.h"

/*
 * Program or library that contains @address, without its path. All zero if none
 * does: a base of 0 leaves an address unchanged.
 */
struct object profil_object_at(uint64_t address);

#endif
