/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_FILE_SUFFIX_H
#define PROFIL_LIB_FILE_SUFFIX_H

/*
 * End of the names of this process's files: 0, for none, in the process that the
 * program was started in; the process ID in one forked since. Calls no libc
 * function.
 */
int profil_file_suffix(void);

#endif
