// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * File names of the processes of a program
 *
 * Any process of a program may start a profile: the process that the program was
 * started in, its forked children, and theirs. If all used plain names, each
 * would overwrite the others' file. So the first process uses plain names, and
 * every other one appends its process ID, whichever process starts a profile and
 * whether or not a profile was on at the fork.
 *
 * In a static program __monstartup() is called before the constructors, so the
 * first of the two notes the process. Both run before any fork.
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
