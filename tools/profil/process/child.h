/* SPDX-License-Identifier: GPL-2.0-only */
/* A command that is run, and the process in front of its recorder */
#ifndef PROFIL_CHILD_H
#define PROFIL_CHILD_H

#include <poll.h>
#include <signal.h>

#include "process/process.h"

/*
 * A command that is run; all 0 at first
 * @argv: name and arguments, ended by NULL; none: there is no command
 * @pid: its process, after profil_child_begin(); 0: there is no command
 * @status: after its end, its exit status, or 128 plus the signal that killed it; 127
 *	or 126 if it was not found or not executed
 * @killed_by: signal that killed it, or 0
 * @cpu: its CPU time, with that of the children that it waited for
 * @signal: signal that has ended the recording
 * @interrupted_ns: time of the first SIGINT or SIGTERM, or 0
 * @descriptor: descriptor that is readable when there is a signal
 * @front: descriptor that is readable when the process in front has ended; 0: there
 *	is none
 * @is_orphan: it has ended
 * @waited: signals that are waited for; private, as the next ones
 * @mask: signals that were blocked before
 * @sigchld: action of SIGCHLD before
 * @are_taken: the signals are blocked
 * @go: pipe that lets the child go on
 * @report: pipe with the error of execvp()
 * @command: pipe for @pid to the process in front, and its end in that one
 */
struct child {
	char **argv;
	bool stdout_is_stderr;
	bool is_silent;
	pid_t pid;
	bool has_ended;
	int status;
	int killed_by;
	struct cpu_time cpu;
	int signal;
	uint64_t interrupted_ns;
	int descriptor;
	int front;
	bool is_orphan;
	sigset_t waited;
	sigset_t mask;
	struct sigaction sigchld;
	bool are_taken;
	int go;
	int report;
	int command;
};

/* Deadline that is never reached */
#define CHILD_NEVER UINT64_MAX

/* Store the path of the program that execvp() executes for @name; false without one. */
bool profil_child_find(const char *name, char path[PATH_MAX]);

/*
 * Fork a process, the recorder, which continues with 0. The process in front of it gets
 * the ID of the recorder. It passes signals on, and ends with the status of the recorder
 * or, if that is killed, of the command.
 */
pid_t profil_child_outlive(struct child *child);
void profil_child_stand_in_front(const struct child *child, pid_t recorder)
	__attribute__((noreturn));

/*
 * The process in front was killed. From then on stdin, stdout and stderr are null
 * devices: a terminal, and pipes whose readers wait, are left.
 */
bool profil_child_is_orphan(struct child *child);

/*
 * Fork the process of the command, which waits for profil_child_execute(). From now on
 * SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are blocked; a terminal sends
 * its signals to the child itself, and other signals are passed on. Without a command,
 * each of them is a request of the user to end the recording. A recorder leaves the
 * session.
 */
void profil_child_begin(struct child *child);

/*
 * Let the child execute the command, if there is one. False if it was not executed: a
 * message has been printed, and the child ends.
 */
bool profil_child_execute(struct child *child);

/* The command has ended. */
bool profil_child_has_ended(struct child *child);

/*
 * Take and pass on the signals that have come. The user has ended the recording: the
 * command ignores a SIGINT or SIGTERM, or a second one followed more than a second
 * later.
 */
bool profil_child_is_interrupted(struct child *child);

/* Wait until a descriptor of @fds is ready, or up to @deadline: then false. */
bool profil_child_wait(struct pollfd *fds, size_t nr, uint64_t deadline);

/* Become the command @argv without a profile, or print why not and end. */
void profil_child_become(char **argv) __attribute__((noreturn));

/* Unblock the signals, and block them again for another wait. */
void profil_child_end(struct child *child);
void profil_child_take_signals(struct child *child);

#endif
