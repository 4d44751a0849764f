// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execute a program by any of the exec and spawn functions:
 *
 *	exec_with [HOW]... FUNCTION PROGRAM
 *
 * PROGRAM gets the arguments "100 5", for spinner.c. HOW is a
 * preparation: "clear" the environment, become the "user" 65534, "root=DIR" to
 * change the root directory, "seccomp" to be killed at ioctl(2), which neither
 * exec_with nor spinner.c calls, "vfork" a child, whose status is passed on,
 * "stack" to make the call in a signal handler with a small stack, or
 * "bad=POINTER" to pass an unreadable pointer: the "path", a "low" path,
 * "argv", "envp", or a "variable" of the environment. The exit status is 94 if
 * the call fails, and 93 if the error is EFAULT.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Bytes of a stack beside the signal frame, which can take 3 KB */
#define STACK 4608
#define OTHER_USER 65534

static const char *function;
static char *program;
static char *argument_array[4];
static char **arguments = argument_array;
static char *environment_array[2];

/* Exit because of @error. err() would read the environment. */
static void fail(int error)
{
	dprintf(STDERR_FILENO, "%s: error %d\n", function, error);
	_exit(error == EFAULT ? 93 : 94);
}

static int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return 98;
	return WEXITSTATUS(status);
}

static void spawn(int (*by)(pid_t *pid, const char *name,
			    const posix_spawn_file_actions_t *actions,
			    const posix_spawnattr_t *attributes,
			    char *const argv[], char *const envp[]))
{
	pid_t pid;
	int error = by(&pid, program, NULL, NULL, arguments, environ);

	if (error)
		fail(error);
	_exit(status_of(pid));
}

static void execute(void)
{
	char **a = arguments;

	if (!strcmp(function, "execve"))
		execve(program, a, environ);
	else if (!strcmp(function, "execv"))
		execv(program, a);
	else if (!strcmp(function, "execvp"))
		execvp(program, a);
	else if (!strcmp(function, "execvpe"))
		execvpe(program, a, environ);
	else if (!strcmp(function, "execl"))
		execl(program, a[0], a[1], a[2], NULL);
	else if (!strcmp(function, "execlp"))
		execlp(program, a[0], a[1], a[2], NULL);
	else if (!strcmp(function, "execle"))
		execle(program, a[0], a[1], a[2], NULL, environ);
	else if (!strcmp(function, "fexecve"))
		fexecve(open(program, O_RDONLY), a, environ);
	else if (!strcmp(function, "execveat"))
		execveat(open(program, O_PATH), "", a, environ, AT_EMPTY_PATH);
	else if (!strcmp(function, "posix_spawn"))
		spawn(posix_spawn);
	else if (!strcmp(function, "posix_spawnp"))
		spawn(posix_spawnp);
}

static void on_signal(int signal)
{
	(void)signal;
	execute();
}

static void execute_on_small_stack(void)
{
	size_t size = sysconf(_SC_MINSIGSTKSZ) + STACK;
	stack_t stack = { .ss_sp = malloc(size), .ss_size = size };
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
}

static void execute_in_child(void)
{
	pid_t pid = vfork();

	if (!pid) {
		execute();
		_exit(96);
	}
	_exit(status_of(pid));
}

/* The last byte of a page before one that cannot be read; not zero */
static char *last_byte(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE))
		err(95, "mmap");
	pages[page - 1] = 'x';
	return pages + page - 1;
}

static void make_bad(const char *pointer)
{
	char *last = last_byte();

	if (!strcmp(pointer, "path"))
		program = last;
	if (!strcmp(pointer, "low"))
		program = (char *)8;
	if (!strcmp(pointer, "argv"))
		arguments = (char **)(last + 1);
	if (!strcmp(pointer, "envp"))
		environ = (char **)(last + 1);
	if (!strcmp(pointer, "variable")) {
		environment_array[0] = last + 1;
		environ = environment_array;
	}
}

/* A filter that kills the process at ioctl() */
static void restrict_calls(void)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { 4, steps };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0))
		err(95, "prctl");
}

static void prepare(const char *how)
{
	if (!strcmp(how, "clear") && clearenv())
		err(95, "clearenv");
	if (!strcmp(how, "user") && setuid(OTHER_USER))
		err(95, "setuid");
	if (!strncmp(how, "root=", 5) && (chroot(how + 5) || chdir("/")))
		err(95, "%s", how);
	if (!strcmp(how, "seccomp"))
		restrict_calls();
	if (!strncmp(how, "bad=", 4))
		make_bad(how + 4);
}

int main(int argc, char **argv)
{
	void (*run)(void) = execute;

	if (argc < 3)
		return 99;
	program = argv[argc - 1];
	function = argv[argc - 2];
	memcpy(argument_array, (char *[]){ program, "100", "5", NULL },
	       sizeof(argument_array));
	for (int i = 1; i < argc - 2; i++) {
		prepare(argv[i]);
		if (!strcmp(argv[i], "vfork"))
			run = execute_in_child;
		if (!strcmp(argv[i], "stack"))
			run = execute_on_small_stack;
	}
	run();
	fail(errno);
}
