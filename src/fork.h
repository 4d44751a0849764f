/* SPDX-License-Identifier: GPL-2.0-only */
/* Fork: profiling remains on in the child. */
#ifndef PROFIL_FORK_H
#define PROFIL_FORK_H

/* Every session needs it. */
extern struct attachment profil_fork_attachment;

/* Finds what profil_fork_attachment attaches to. 0, or ENODEV. */
int profil_fork_init(void);

#endif /* PROFIL_FORK_H */
