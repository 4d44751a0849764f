/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers: the memory that START is given for counters. Small ones are pinned,
 * large ones looked at.
 */
#ifndef PROFIL_BUFFERS_H
#define PROFIL_BUFFERS_H

struct config;
struct counters;
struct mm_struct;

/*
 * Pin the pages of @counters, if they are small, else of each mapping that they
 * lie in one page; see counters_open(), which is the caller, for the errors.
 */
int buffers_open(struct counters *counters, const struct config *config,
		 struct mm_struct *mm);

#endif /* PROFIL_BUFFERS_H */
