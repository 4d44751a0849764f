/* SPDX-License-Identifier: GPL-2.0-only */
/* Fork: a forked child is profiled as its parent is. */
#ifndef PROFIL_FORK_H
#define PROFIL_FORK_H

/* Find the functions that fork.c attaches to. 0, or ENODEV. */
int profil_fork_find(void);

/* Be called for forks, or no more. 0 or an errno. Sleep. */
int profil_fork_attach(void);
void profil_fork_detach(void);

#endif /* PROFIL_FORK_H */
