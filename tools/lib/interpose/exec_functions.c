// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The functions that execute a program, to note the executed program in a run
 *
 * The libc's functions are looked up when the library is loaded: dlsym() takes a
 * lock, which another thread may hold at a fork, for ever in the child. In a
 * process outside a run the call is passed on unchanged. system() and popen()
 * execute /bin/sh by internal functions of the libc, which cannot be replaced.
 */
#include <features.h>

#ifdef __GLIBC__

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "core/real_symbol.h"
#include "interpose/exec.h"

#define EXPORT __attribute__((visibility("default")))

typedef int (*execve_fn)(const char *path, char *const argv[],
			 char *const envp[]);
typedef int (*fexecve_fn)(int fd, char *const argv[], char *const envp[]);
typedef int (*execveat_fn)(int fd, const char *path, char *const argv[],
			   char *const envp[], int flags);
typedef int (*spawn_fn)(pid_t *pid, const char *path,
			const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const argv[],
			char *const envp[]);

static void *next_execve;
static void *next_execvpe;
static void *next_fexecve;
static void *next_execveat;
static void *next_spawn;
static void *next_spawnp;

__attribute__((constructor)) static void look_up(void)
{
	profil_real_symbol(&next_execve, "execve");
	profil_real_symbol(&next_execvpe, "execvpe");
	profil_real_symbol(&next_fexecve, "fexecve");
	profil_real_symbol(&next_execveat, "execveat");
	profil_real_symbol(&next_spawn, "posix_spawn");
	profil_real_symbol(&next_spawnp, "posix_spawnp");
}

static int begin_execve(const struct exec_call *call, char *const envp[])
{
	execve_fn next = profil_real_symbol(&next_execve, "execve");

	return next(call->name, call->argv, envp);
}

static int begin_execvpe(const struct exec_call *call, char *const envp[])
{
	execve_fn next = profil_real_symbol(&next_execvpe, "execvpe");

	return next(call->name, call->argv, envp);
}

static int begin_fexecve(const struct exec_call *call, char *const envp[])
{
	fexecve_fn next = profil_real_symbol(&next_fexecve, "fexecve");

	return next(call->fd, call->argv, envp);
}

static int begin_execveat(const struct exec_call *call, char *const envp[])
{
	execveat_fn next = profil_real_symbol(&next_execveat, "execveat");

	return next(call->fd, call->name, call->argv, envp, call->flags);
}

static int begin_spawn(const struct exec_call *call, char *const envp[])
{
	spawn_fn next = profil_real_symbol(&next_spawn, "posix_spawn");

	return next(call->pid, call->name, call->actions, call->attributes,
		    call->argv, envp);
}

static int begin_spawnp(const struct exec_call *call, char *const envp[])
{
	spawn_fn next = profil_real_symbol(&next_spawnp, "posix_spawnp");

	return next(call->pid, call->name, call->actions, call->attributes,
		    call->argv, envp);
}

static int by_path(const char *path, char *const argv[], char *const envp[])
{
	struct exec_call call = {
		.begin = begin_execve,
		.name = path,
		.fd = AT_FDCWD,
		.argv = argv,
		.envp = envp,
	};

	return profil_exec(&call);
}

static int by_name(const char *name, char *const argv[], char *const envp[])
{
	struct exec_call call = {
		.begin = begin_execvpe,
		.name = name,
		.search = true,
		.fd = AT_FDCWD,
		.argv = argv,
		.envp = envp,
	};

	return profil_exec(&call);
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	return by_path(path, argv, envp);
}

EXPORT int execv(const char *path, char *const argv[])
{
	return by_path(path, argv, environ);
}

EXPORT int execvpe(const char *name, char *const argv[], char *const envp[])
{
	return by_name(name, argv, envp);
}

EXPORT int execvp(const char *name, char *const argv[])
{
	return by_name(name, argv, environ);
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	struct exec_call call = {
		.begin = begin_fexecve,
		.name = "",
		.fd = fd,
		.argv = argv,
		.envp = envp,
	};

	return profil_exec(&call);
}

EXPORT int execveat(int fd, const char *path, char *const argv[],
		    char *const envp[], int flags)
{
	struct exec_call call = {
		.begin = begin_execveat,
		.name = path,
		.fd = fd,
		.flags = flags,
		.argv = argv,
		.envp = envp,
	};

	return profil_exec(&call);
}

EXPORT int posix_spawn(pid_t *pid, const char *path,
		       const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attributes, char *const argv[],
		       char *const envp[])
{
	struct exec_call call = {
		.begin = begin_spawn,
		.name = path,
		.fd = AT_FDCWD,
		.argv = argv,
		.envp = envp,
		.pid = pid,
		.actions = actions,
		.attributes = attributes,
	};

	return profil_exec(&call);
}

EXPORT int posix_spawnp(pid_t *pid, const char *name,
			const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const argv[],
			char *const envp[])
{
	struct exec_call call = {
		.begin = begin_spawnp,
		.name = name,
		.search = true,
		.fd = AT_FDCWD,
		.argv = argv,
		.envp = envp,
		.pid = pid,
		.actions = actions,
		.attributes = attributes,
	};

	return profil_exec(&call);
}

/* No optimization across the call: the compiler may not drop checks for NULL. */
#define noipa __attribute__((__noipa__))

/*
 * Size of an array for @first, the arguments in @list, and a NULL. @first may be
 * NULL, although the libc's header tells the compiler that it is not.
 */
static noipa size_t size_for(const char *first, va_list *list)
{
	va_list copy;
	size_t size = 1;

	va_copy(copy, *list);
	for (; first; first = va_arg(copy, char *))
		size++;
	va_end(copy);
	return size;
}

/* Store @first, the arguments in @list, and a NULL in @argv. */
static noipa void collect(char *argv[], const char *first, va_list *list)
{
	char *argument = (char *)first;

	for (; argument; argument = va_arg(*list, char *))
		*argv++ = argument;
	*argv = NULL;
}

EXPORT int execl(const char *path, const char *first, ...)
{
	va_list list;

	va_start(list, first);
	char *argv[size_for(first, &list)];

	collect(argv, first, &list);
	va_end(list);
	return by_path(path, argv, environ);
}

EXPORT int execlp(const char *name, const char *first, ...)
{
	va_list list;

	va_start(list, first);
	char *argv[size_for(first, &list)];

	collect(argv, first, &list);
	va_end(list);
	return by_name(name, argv, environ);
}

EXPORT int execle(const char *path, const char *first, ...)
{
	char *const *envp;
	va_list list;

	va_start(list, first);
	char *argv[size_for(first, &list)];

	collect(argv, first, &list);
	envp = va_arg(list, char *const *);
	va_end(list);
	return by_path(path, argv, envp);
}

#endif
