/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CHILD_H
#define PROFIL_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/cpu_time.h"

/**
 * struct child_signals - signals that are waited for, and the state before
 * @mask: signals that were blocked
 * @child: action of SIGCHLD
 * @waited: signals that are waited for
 */
struct child_signals {
	sigset_t mask;
	struct sigaction child;
	sigset_t waited;
};

/**
 * struct child - a command that is run
 * @argv: name and arguments, ended by NULL
 * @library: path of the library to preload, or NULL
 * @run: value of the environment variable PROFIL_RUN
 * @stdout_is_stderr: the command's stdout is profil's stderr
 * @is_silent: the command's stdin, stdout and stderr are /dev/null
 * @is_traced: profil traces the command, which stops at its first instruction;
 *	false after profil_child_begin() if that was not possible
 * @pid: its process, after profil_child_begin(); 0: there is no command
 * @signal: signal that has ended the recording
 * @interrupted_ns: time of the first SIGINT or SIGTERM, or 0
 * @signals: signals that are waited for
 */
struct child {
	char **argv;
	const char *library;
	const char *run;
	bool stdout_is_stderr;
	bool is_silent;
	bool is_traced;
	pid_t pid;
	int signal;
	uint64_t interrupted_ns;
	struct child_signals signals;
};

/**
 * struct child_result - exit status and times of a command
 * @status: exit status, or 128 plus the signal that killed it; 127 or 126 if it
 *	was not found or not executed
 * @signal: signal that killed it, or 0
 * @cpu: CPU time, with that of the children that it waited for
 */
struct child_result {
	int status;
	int signal;
	struct cpu_time cpu;
};

/**
 * enum child_event - reason why a wait is over
 * @CHILD_ENDED: the command has ended
 * @CHILD_INTERRUPTED: the user has ended the recording: the command ignores a
 *	SIGINT or SIGTERM, or a second one followed more than a second later
 * @CHILD_DEADLINE: the deadline has passed
 */
enum child_event { CHILD_ENDED, CHILD_INTERRUPTED, CHILD_DEADLINE };

/* Deadline that is never reached */
#define CHILD_NEVER UINT64_MAX

/* Nanoseconds of CLOCK_MONOTONIC */
uint64_t profil_child_now(void);

/*
 * Start @child. False if the command was not executed: a message has been
 * printed, and the child ends. From now on SIGINT, SIGQUIT, SIGTERM and SIGHUP
 * are blocked; a terminal sends SIGINT and SIGQUIT to the child itself, and other
 * signals are passed on by profil_child_wait().
 */
bool profil_child_begin(struct child *child);

/*
 * The same without a command: each of these signals is a request of the user to end
 * the recording.
 */
void profil_child_begin_none(struct child *child);

/*
 * Wait for the end of the command, for a request of the user, or up to @deadline,
 * of profil_child_now(). @result is filled for CHILD_ENDED.
 */
enum child_event profil_child_wait(struct child *child, uint64_t deadline,
				   struct child_result *result);

/* Become the command @argv without a profile, or print why not and end. */
void profil_child_become(char **argv) __attribute__((noreturn));

/* Unblock the signals, and block them again for another wait. */
void profil_child_end(struct child *child);
void profil_child_resume(struct child *child);

#endif
