/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_GMON_OBJECTS_H
#define PROFIL_LIB_GMON_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gprof/mcount/gmon_writer.h"

/*
 * The objects of a profile. All functions but forget keep the existing ones.
 *
 * program: add the range that the program has given: 0, -EINVAL or -ENOMEM.
 * libraries: add each library that is loaded now; one that was unloaded keeps
 * its counts and counts no longer. A library without memory for counters is left
 * out. Whether anything has changed.
 * wipe: set all counters to zero.
 * forget: remove all objects, once nothing counts into them.
 */
int profil_gmon_objects_program(struct gmon *gmon, uint64_t low, uint64_t high);
bool profil_gmon_objects_libraries(struct gmon *gmon);
void profil_gmon_objects_wipe(struct gmon *gmon);
void profil_gmon_objects_forget(struct gmon *gmon);

#endif
