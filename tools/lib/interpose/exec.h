/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_EXEC_H
#define PROFIL_LIB_EXEC_H

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct exec_call - a call that executes a program
 * @begin: makes the call with the environment @envp; not 0 on failure
 * @name: the program
 * @search: @name is searched for in PATH
 * @fd: argument of execveat(): directory that @name is relative to
 * @flags: argument of execveat()
 * @argv: arguments
 * @envp: environment
 * @pid: argument of posix_spawn()
 * @actions: argument of posix_spawn()
 * @attributes: argument of posix_spawn()
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
 * first noted in the run's file. If libprofil can no longer be opened, its path
 * is removed from the program's LD_PRELOAD, so that the dynamic linker prints no
 * error; if seccomp(2) restricts the process, so that no filter kills the program
 * for a call of libprofil. Async-signal-safe, with little use of the stack. errno is set by the
 * call.
 */
int profil_exec(const struct exec_call *call);

#endif
