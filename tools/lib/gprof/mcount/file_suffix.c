// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which process of a program has the plain file names
 *
 * Any process of a program may start a profile: the one that the program was
 * started in, its forked children, and theirs. Plain names for all of them would
 * be one file that each writes over. So the first process has the plain names,
 * and each other one its process number behind them, whichever of them starts a
 * profile, and whether one was on at the fork or not.
 *
 * In a static program __monstartup() is called ahead of the constructors, so
 * whichever comes first notes the process; neither comes after a fork.
 */
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gprof/mcount/file_suffix.h"

static atomic_int first;

__attribute__((constructor)) static void note_first(void)
{
	profil_file_suffix();
}

int profil_file_suffix(void)
{
	int process = syscall(SYS_getpid), none = 0;

	if (atomic_compare_exchange_strong(&first, &none, process))
		return 0;
	return none == process ? 0 : process;
}
