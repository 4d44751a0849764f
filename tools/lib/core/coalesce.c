// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdbool.h>
#include <unistd.h>

#include "core/coalesce.h"

/*
 * Count a request: true if this thread has to make the call. If a thread of the
 * parent was calling at the fork, the copied count is above 0 in the child,
 * where no thread lowers it. The process ID differs there: the count restarts.
 */
static bool is_first(struct coalesce *coalesce, uint64_t pid)
{
	uint64_t old = atomic_load(&coalesce->wanted);
	uint64_t next;

	do {
		next = old >> 32 == pid ? old + 1 : pid << 32 | 1;
	} while (!atomic_compare_exchange_weak(&coalesce->wanted, &old, next));
	return (uint32_t)next == 1;
}

void profil_coalesce(struct coalesce *coalesce, void (*look)(void))
{
	uint64_t pid = getpid();
	uint64_t seen;

	if (!is_first(coalesce, pid))
		return;
	do {
		seen = atomic_load(&coalesce->wanted);
		look();
	} while (!atomic_compare_exchange_strong(&coalesce->wanted, &seen,
						 pid << 32));
}
