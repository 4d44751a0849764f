/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_BSD_H
#define PROFIL_LIB_BSD_H

#include "core/one_region.h"

/*
 * 4.4BSD's profil(), by the letter of its manual: 0 or -errno. A scale of 1 is
 * one counter for 128 KiB, and any buffer that cannot be counted in is -EFAULT.
 */
int profil_bsd_switch(struct one_region *one);

#endif
