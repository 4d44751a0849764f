/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_PROFIL_AIX_H
#define PROFIL_LIB_PROFIL_AIX_H

#include "core/one_region.h"

/*
 * AIX's profil(), with unchanged arguments: 0 or -errno. A size of -1, of 32 or
 * 64 bits, means that the buffer is an array of AIX's struct prof.
 */
int profil_aix_switch(struct one_region *one);

#endif
