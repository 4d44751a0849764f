/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_BSD_H
#define PROFIL_LIB_BSD_H

#include "core/one_region.h"

/*
 * profil() exactly as 4.4BSD's manual describes it: 0 or -errno. A scale of 1 is
 * one counter per 128 KiB; any buffer that cannot hold counters is -EFAULT.
 */
int profil_bsd_switch(struct one_region *one);

#endif
