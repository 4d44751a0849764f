/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_RECORDER_H
#define PROFIL_LIB_RECORDER_H

#include "core/owner.h"
#include "include/run_layout.h"

/*
 * The run that this process has found, whether it is profiled or not, and the
 * path of its file; NULL if there is none
 */
struct run *profil_recorder_run(const char **path);

/* Look again at what is mapped: something was opened or closed. */
void profil_recorder_refresh(void);

/* The constructor; it has a name for `-u profil_preload` to link it in by. */
void profil_preload(void);

#endif
