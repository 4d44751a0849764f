/* SPDX-License-Identifier: GPL-2.0-only */
/* Fork: a forked child is profiled as its parent is. */
#ifndef PROFIL_FORK_H
#define PROFIL_FORK_H

struct hook;

extern struct hook profil_dup_mmap_hook;
extern struct hook profil_fork_hook;

#endif /* PROFIL_FORK_H */
