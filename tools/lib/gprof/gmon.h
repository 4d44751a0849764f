/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The profile for gmon.out: a histogram, counted by the driver, and calls
 */
#ifndef PROFIL_LIB_GMON_H
#define PROFIL_LIB_GMON_H

#include <stdbool.h>
#include <stdint.h>

/*
 * start: profile the text from @low up to @high, in place of an earlier profile,
 * which is discarded. 0, or -errno and then no profile is on: -EINVAL for an
 * empty range, -ENOMEM, and -ENODEV if the driver is absent and PROFIL_REQUIRE=1.
 *
 * start_all: profile the program and all libraries, whatever the environment.
 *
 * switch: resume or pause; whether the profile was on. No effect before start.
 *
 * refresh: take note of a library that was loaded or unloaded, needed if
 * wants_libraries. No thread waits for another.
 *
 * finish: write the files and end the profile. No effect the second time.
 *
 * forget: end the profile and write nothing.
 */
int profil_gmon_start(uint64_t low, uint64_t high);
int profil_gmon_start_all(void);
bool profil_gmon_switch(bool on);
bool profil_gmon_wants_libraries(void);
void profil_gmon_refresh(void);
void profil_gmon_finish(void);
void profil_gmon_forget(void);

#endif
