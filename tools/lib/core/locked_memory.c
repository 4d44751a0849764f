// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A mapping takes over the lock of the pages that it is enlarged from: a small
 * one is unlocked first. It is not accessible until then, so that no page of it
 * is read.
 */
#include <stdatomic.h>
#include <stdbool.h>

#include "core/locked_memory.h"
#include "core/map.h"
#include "include/system_call.h"
#include "include/run_layout.h"

#define FLAGS (MAP_SHARED | MAP_NORESERVE)

static atomic_bool is_locked;

void profil_locked_memory_note(void)
{
	atomic_store(&is_locked, true);
}

static void *enlarge(void *first, size_t size)
{
	void *whole = MAP_FAILED;

	if (!syscall(SYS_munlock, first, RUN_RECORD))
		whole = (void *)syscall(SYS_mremap, first, RUN_RECORD, size,
					MREMAP_MAYMOVE, NULL);
	if (whole == MAP_FAILED) {
		munmap(first, RUN_RECORD);
		return MAP_FAILED;
	}
	if (!syscall(SYS_mprotect, whole, size, PROT_READ | PROT_WRITE))
		return whole;
	munmap(whole, size);
	return MAP_FAILED;
}

void *profil_locked_memory_map(size_t size, int fd, off_t where)
{
	void *first;

	if (!atomic_load(&is_locked))
		return profil_map(size, FLAGS, fd, where);
	first = (void *)syscall(CALL_MMAP, NULL, RUN_RECORD, PROT_NONE, FLAGS,
				fd, (long)(where / CALL_MMAP_UNIT));
	return first == MAP_FAILED ? MAP_FAILED : enlarge(first, size);
}
