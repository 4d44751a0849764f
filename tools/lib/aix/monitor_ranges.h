/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checking the ranges of monitor(), and preparing them for counting */
#ifndef PROFIL_LIB_MONITOR_RANGES_H
#define PROFIL_LIB_MONITOR_RANGES_H

#include "aix/ranges.h"

/*
 * Take @front bytes from the first range's counters, turn p_bufsize into bytes,
 * find each p_scale, and wipe all counters. 0, or one of enum
 * monitor_error.
 */
int profil_monitor_ranges_prepare(struct ranges *ranges, size_t front);

/* Address after the text of the last counter in use, rounded up */
uint64_t profil_monitor_ranges_end(const struct prof *prof);

#endif
