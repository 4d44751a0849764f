/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers of system calls that make a mapping or return a file's status. 32-bit
 * processors have several of each: these are for a struct stat with 64-bit sizes.
 */
#ifndef PROFIL_LIB_SYSTEM_CALL_H
#define PROFIL_LIB_SYSTEM_CALL_H

#include <sys/syscall.h>

#if __SIZEOF_POINTER__ == 4
#define CALL_MMAP SYS_mmap2
#define CALL_FSTAT SYS_fstat64
#define CALL_FSTATAT SYS_fstatat64
#else
#define CALL_MMAP SYS_mmap
#define CALL_FSTAT SYS_fstat
#define CALL_FSTATAT SYS_newfstatat
#endif

#endif
