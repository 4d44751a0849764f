/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_OBJECT_AT_H
#define PROFIL_LIB_OBJECT_AT_H

#include "core/objects.h"

/*
 * The program or the library that @address is in, without its path; nothing but
 * zeros, which leave an address as it is, if there is none.
 */
struct object profil_object_at(uint64_t address);

#endif
