/* SPDX-License-Identifier: GPL-2.0-only */
/* debugfs: profil/sessions, which processes have a session and keep the module. */
#ifndef PROFIL_DEBUGFS_H
#define PROFIL_DEBUGFS_H

/* What debugfs cannot make is not there; nothing else depends on it. */
void profil_debugfs_init(void);

/* Waits for those who read it. */
void profil_debugfs_exit(void);

#endif /* PROFIL_DEBUGFS_H */
