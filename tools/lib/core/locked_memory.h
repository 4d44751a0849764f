/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mappings of the library in a program that locks its memory
 *
 * After mlockall(MCL_FUTURE) each new mapping is locked: all of its pages take
 * memory, and RLIMIT_MEMLOCK counts them. Counters are long and mostly empty.
 */
#ifndef PROFIL_LIB_LOCKED_MEMORY_H
#define PROFIL_LIB_LOCKED_MEMORY_H

#include <stddef.h>
#include <sys/types.h>

/* Note that new mappings may be locked. */
void profil_locked_memory_note(void);

/*
 * Map @size bytes of @fd at @where, shared, readable and writable, and not locked:
 * as profil_map(). @size is a multiple of RUN_RECORD.
 */
void *profil_locked_memory_map(size_t size, int fd, off_t where);

#endif
