/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ranges that monitor() is given, made into those that are counted */
#ifndef PROFIL_LIB_MONITOR_RANGES_H
#define PROFIL_LIB_MONITOR_RANGES_H

#include "aix/ranges.h"

/*
 * Take @front bytes from the first range's counters, turn p_bufsize into bytes,
 * find each p_scale, and wipe all counters. 0, or one of enum
 * monitor_error.
 */
int profil_monitor_ranges_prepare(struct ranges *ranges, size_t front);

/* Address behind the last that a counter in use stands for; rounded up */
uint64_t profil_monitor_ranges_end(const struct prof *prof);

#endif
