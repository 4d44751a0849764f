/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The profile that gmon.out gets: a histogram from the driver, and calls
 */
#ifndef PROFIL_LIB_GMON_H
#define PROFIL_LIB_GMON_H

#include <stdbool.h>
#include <stdint.h>

/*
 * start: profile the text from @low up to @high, and write nothing yet. 0, or
 * -errno and then nothing is on: -EINVAL for a range that is none, -ENOMEM, and
 * -ENODEV if the driver is absent and PROFIL_REQUIRE=1. What was on is forgotten.
 *
 * start_all: the program's text, and the libraries whatever the environment says.
 *
 * switch: go on, or pause; whether it was on. Nothing happens before start.
 *
 * refresh: a library was loaded or unloaded. It matters if wants_libraries.
 *
 * finish: write the files, and end it. Nothing happens the second time.
 *
 * forget: end it, and write nothing.
 */
int profil_gmon_start(uint64_t low, uint64_t high);
int profil_gmon_start_all(void);
bool profil_gmon_switch(bool on);
bool profil_gmon_wants_libraries(void);
void profil_gmon_refresh(void);
void profil_gmon_finish(void);
void profil_gmon_forget(void);

#endif
