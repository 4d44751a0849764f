/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_GMON_OBJECTS_H
#define PROFIL_LIB_GMON_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gprof/mcount/gmon_writer.h"

/*
 * The texts of a profile. Each but forget leaves those alone that are there.
 *
 * program: the range that the program names: 0, -EINVAL or -ENOMEM.
 * libraries: each library that is loaded now; those that are no more keep what
 * they have and count no longer. Whether there is a change. A library for which
 * there is no memory is left out.
 * wipe: back to zero with all counters.
 * forget: all, when nobody counts any more.
 */
int profil_gmon_objects_program(struct gmon *gmon, uint64_t low, uint64_t high);
bool profil_gmon_objects_libraries(struct gmon *gmon);
void profil_gmon_objects_wipe(struct gmon *gmon);
void profil_gmon_objects_forget(struct gmon *gmon);

#endif
