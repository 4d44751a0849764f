/* SPDX-License-Identifier: GPL-2.0-only */
/* Fork: profiling remains on in the child. */
#ifndef PROFIL_FORK_H
#define PROFIL_FORK_H

int profil_fork_init(void);
void profil_fork_exit(void);

#endif /* PROFIL_FORK_H */
