/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mappings of the library itself: a system call, since mmap() is one of the
 * functions that the library replaces
 */
#ifndef PROFIL_LIB_MAP_H
#define PROFIL_LIB_MAP_H

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/system_call.h"

/* mmap() at any address, readable and writable */
static inline void *profil_map(size_t size, int flags, int fd, off_t where)
{
	return (void *)syscall(CALL_MMAP, NULL, size, PROT_READ | PROT_WRITE,
			       flags, fd, (long)(where / CALL_MMAP_UNIT));
}

#endif
