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

/* Read the mappings again, after a library was opened or closed. */
void profil_recorder_refresh(void);

/* Constructor; `-u profil_preload` links it into a static program. */
void profil_preload(void);

#endif
