/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_IRIX_H
#define PROFIL_LIB_IRIX_H

#include "core/device.h"
#include "core/one_region.h"

/*
 * Start the regions of @start strictly, after changing them: an overflow
 * bin gets a whole counter, and a region with unwritable counters is switched
 * off. 0 or -errno; -EINVAL if an overflow bin is not the last region.
 */
int profil_irix_start(struct profil_start *start);

/* IRIX's profil(): sprofil() with @one and PROF_USHORT; 0 or -errno */
int profil_irix_switch(struct one_region *one);

#endif
