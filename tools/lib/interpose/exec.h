/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_EXEC_H
#define PROFIL_LIB_EXEC_H

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct exec_call - one call that executes a program
 * @begin: makes the call with the environment @envp; not 0 if it failed
 * @name: the program, to be searched for in PATH if @search is set
 * @search: whether PATH is searched
 * @fd: execveat(): what @name is relative to
 * @flags: execveat(): as given
 * @argv: arguments
 * @envp: environment
 * @pid: posix_spawn(): as given
 * @actions: posix_spawn(): as given
 * @attributes: posix_spawn(): as given
 */
struct exec_call {
	int (*begin)(const struct exec_call *call, char *const envp[]);
	const char *name;
	bool search;
	int fd;
	int flags;
	char *const *argv;
	char *const *envp;
	pid_t *pid;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attributes;
};

/*
 * Make the call. In a process of a run, a program that will not take part is
 * noted in the run's file first; and where libprofil cannot be opened any more,
 * the program does not get its name in LD_PRELOAD, of which the dynamic linker
 * would complain. Async-signal-safe; little is put on the stack. errno is that
 * of the call.
 */
int profil_exec(const struct exec_call *call);

#endif
