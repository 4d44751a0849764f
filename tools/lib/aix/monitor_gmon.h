/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_MONITOR_GMON_H
#define PROFIL_LIB_MONITOR_GMON_H

#include "aix/ranges.h"

/*
 * Write a gmon.out with the counters of ranges of one object, and with the calls
 * of the functions in them: 0 or -errno.
 */
int profil_monitor_gmon_write(const struct ranges *ranges, const char *name);

#endif
