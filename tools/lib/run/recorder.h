/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_RECORDER_H
#define PROFIL_LIB_RECORDER_H

#include "core/owner.h"
#include "include/run_layout.h"

/*
 * Run that this process belongs to, profiled or not, and the path of the run's
 * file; NULL if there is none
 */
struct run *profil_recorder_run(const char **path);

/*
 * Read the mappings again, after a library was opened or closed, unless the system
 * calls of the process are restricted.
 */
void profil_recorder_refresh(void);

/*
 * Note that @length bytes of memory at @address have become executable: the
 * mappings are read again, unless code there has counters already or cannot get
 * any, or system calls are restricted. Async-signal-safe; errno stays.
 */
void profil_recorder_code(const void *address, size_t length);

/*
 * Make the call mlockall(@flags) by @call, without locking counters. They are not
 * mapped meanwhile, and samples of that moment are not taken.
 */
int profil_recorder_mlockall(int (*call)(int flags), int flags);

/* Constructor; `-u profil_preload` links it into a static program. */
void profil_preload(void);

#endif
