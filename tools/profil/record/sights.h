/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that processes execute, at first sight */
#ifndef PROFIL_SIGHTS_H
#define PROFIL_SIGHTS_H

#include "record/growing.h"

/* profil_memory_see(), or what stands for it in a test */
typedef void see_memory(struct growing *growing, pid_t pid);

/*
 * Look for the files of processes that were forked since the last call or a while before,
 * and keep their descriptors. This takes a thousandth of the time at most. Call @see for
 * processes that are older.
 */
void profil_sights_look(struct growing *growing, see_memory *see);

/* Descriptor that names the file of @identity; 0: it was not seen */
int profil_sights_find(const struct growing *growing,
		       const struct file_identity *identity);

/* Files that are kept, and as many of @sights: each a quarter of those that may be open */
uint32_t profil_sights_most(void);

/* Close the files of processes that have ended, or all with @is_all. */
void profil_sights_drop(struct growing *growing, bool is_all);

#endif
