/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_MONITOR_GMON_H
#define PROFIL_LIB_MONITOR_GMON_H

#include "aix/ranges.h"

/*
 * Write gmon.out with the counters of ranges in one object, and with the calls of
 * the functions in these ranges: 0 or -errno.
 */
int profil_monitor_gmon_write(const struct ranges *ranges, const char *name);

#endif
