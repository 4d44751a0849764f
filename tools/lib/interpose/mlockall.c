// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * mlockall(), which would lock all counters of a run, and fail where they exceed
 * RLIMIT_MEMLOCK
 *
 * As in mappings.c, the function looks up no symbol: the constructor does.
 */
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/locked_memory.h"
#include "core/real_symbol.h"
#include "run/recorder.h"

#define EXPORT __attribute__((visibility("default")))

static void *next_mlockall;

__attribute__((constructor)) static void find_next(void)
{
	profil_real_symbol(&next_mlockall, "mlockall");
}

static int call_kernel(int flags)
{
	return syscall(SYS_mlockall, flags);
}

EXPORT int mlockall(int flags)
{
	int (*next)(int) = next_mlockall ? (int (*)(int))next_mlockall :
					   call_kernel;

	if (flags & MCL_FUTURE)
		profil_locked_memory_note();
	return flags & MCL_CURRENT ? profil_recorder_mlockall(next, flags) :
				     next(flags);
}
