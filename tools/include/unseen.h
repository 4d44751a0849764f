/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_UNSEEN_H
#define PROFIL_UNSEEN_H

#include "include/reach.h"
#include "include/run_layout.h"

/*
 * Note in @run a process of the program @path that does not get libprofil, for
 * the reason @reach. Returns the entry, to remove if the execution fails, or NULL
 * if the table is full. Async-signal-safe.
 */
struct run_unseen *profil_unseen_add(struct run *run, const char *path,
				     enum reach reach);

/* Remove one process from @entry, which may be NULL. */
void profil_unseen_remove(struct run_unseen *entry);

#endif
