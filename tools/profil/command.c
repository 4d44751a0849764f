// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running the command
 *
 * The terminal sends its signals to the command as well as to us; the command
 * alone decides what they mean, and we have the profile still to print. What is
 * sent to us alone to end us is passed on, with the same result.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/run.h"
#include "command.h"
#include "status.h"

static const int from_terminal[] = { SIGINT, SIGQUIT };
static const int to_pass_on[] = { SIGTERM, SIGHUP };

/* What handlers may send signals to; 0 while there is nobody */
static atomic_int child;

/**
 * struct signals - how signals were before
 * @mask: those blocked
 * @from_terminal: what was done with SIGINT and SIGQUIT
 * @to_pass_on: what was done with SIGTERM and SIGHUP
 */
struct signals {
	sigset_t mask;
	struct sigaction from_terminal[2];
	struct sigaction to_pass_on[2];
};

static void pass_on(int signal)
{
	int saved = errno;

	if (child > 0)
		kill(child, signal);
	errno = saved;
}

/* What our caller ignores, as nohup(1) does, stays ignored. */
static void set(int signal, void (*handler)(int), struct sigaction *old)
{
	struct sigaction action = { .sa_handler = handler };

	sigaction(signal, NULL, old);
	if (old->sa_handler != SIG_IGN)
		sigaction(signal, &action, NULL);
}

/* Until the child is there, a signal to pass on waits. */
static void take_signals(struct signals *old)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, &old->mask);
	for (int i = 0; i < 2; i++) {
		set(from_terminal[i], SIG_IGN, &old->from_terminal[i]);
		set(to_pass_on[i], pass_on, &old->to_pass_on[i]);
	}
}

static void give_signals_back(const struct signals *old)
{
	for (int i = 0; i < 2; i++) {
		sigaction(from_terminal[i], &old->from_terminal[i], NULL);
		sigaction(to_pass_on[i], &old->to_pass_on[i], NULL);
	}
	sigprocmask(SIG_SETMASK, &old->mask, NULL);
}

/* Ours goes first, so that other preloaded libraries see it as the libc. */
static void set_environment(const struct command *command)
{
	const char *others = getenv("LD_PRELOAD");
	char *list;

	if (!others || !*others)
		list = strdup(command->library);
	else if (asprintf(&list, "%s:%s", command->library, others) < 0)
		list = NULL;
	if (!list || setenv("LD_PRELOAD", list, 1) ||
	    setenv(RUN_ENVIRONMENT, command->run, 1))
		_exit(EXIT_NOT_RUNNABLE);
}

/* @report is closed by execvp(), or takes the errno that it failed with. */
static void become(const struct command *command, int report)
{
	int error;

	set_environment(command);
	execvp(command->argv[0], command->argv);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(EXIT_NOT_RUNNABLE);
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUNNABLE);
}

static void say_why_not(const char *name, int error)
{
	if (error == ENOENT)
		warnx("no such program: %s", name);
	else
		warnx("cannot run %s: %s", name, strerror(error));
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			err(EXIT_PROFIL, "cannot wait for the command");
	/* The number may be another process's from now on. */
	child = 0;
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

static pid_t start(const struct command *command, const struct signals *signals,
		   int report[2])
{
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		err(EXIT_PROFIL, "cannot make a pipe");
	pid = fork();
	if (pid < 0)
		err(EXIT_PROFIL, "cannot fork");
	if (!pid) {
		give_signals_back(signals);
		become(command, report[1]);
	}
	close(report[1]);
	return pid;
}

/* Whether the child has become the command; if not, that is said. */
static bool is_begun(const struct command *command, int report)
{
	int error;
	ssize_t got;

	do {
		got = read(report, &error, sizeof(error));
	} while (got < 0 && errno == EINTR);
	close(report);
	if (got == sizeof(error))
		say_why_not(command->argv[0], error);
	return got == 0;
}

int profil_command(const struct command *command, bool *begun)
{
	struct signals signals;
	int report[2];
	int status;
	pid_t pid;

	take_signals(&signals);
	pid = start(command, &signals, report);
	child = pid;
	sigprocmask(SIG_SETMASK, &signals.mask, NULL);
	*begun = is_begun(command, report[0]);
	status = wait_for(pid);
	/* What there is to print may still be interrupted. */
	give_signals_back(&signals);
	return status;
}
