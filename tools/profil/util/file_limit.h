/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Number of files that may be open
 *
 * A recording keeps descriptors of each process and each container. The usual soft
 * limit, 1024, is one for programs that use select(2), which profil does not.
 */
#ifndef PROFIL_FILE_LIMIT_H
#define PROFIL_FILE_LIMIT_H

/* Raise the soft limit to the hard one. */
void profil_file_limit_raise(void);

/* Set the soft limit that was found, for another program; if it was raised */
void profil_file_limit_restore(void);

#endif
