/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs: profil/sessions lists the sessions, which keep the module from being
 * unloaded.
 */
#ifndef PROFIL_DEBUGFS_H
#define PROFIL_DEBUGFS_H

/* Errors are ignored: nothing else depends on debugfs. */
void profil_debugfs_init(void);

/* Waits for readers of the file. */
void profil_debugfs_exit(void);

#endif /* PROFIL_DEBUGFS_H */
