/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_FILE_SUFFIX_H
#define PROFIL_LIB_FILE_SUFFIX_H

/*
 * 0 in the process that the program was started in, the process number in one
 * that was forked since: the end of the names of its files. It calls nothing of
 * the libc.
 */
int profil_file_suffix(void);

#endif
