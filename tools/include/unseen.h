/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_UNSEEN_H
#define PROFIL_UNSEEN_H

#include "include/reach.h"
#include "include/run_layout.h"

/*
 * Note in @run that one process of the program @path does not get libprofil,
 * for the reason @reach. The entry to take back if it is not executed, NULL if
 * there is no room for one. Async-signal-safe.
 */
struct run_unseen *profil_unseen_add(struct run *run, const char *path,
				     enum reach reach);

/* The program was not executed. @entry may be NULL. */
void profil_unseen_remove(struct run_unseen *entry);

#endif
