/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CHILD_H
#define PROFIL_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child - a command that is run with the library preloaded
 * @argv: name and arguments, ended by NULL
 * @library: path of the library
 * @run: value of the environment variable PROFIL_RUN
 */
struct child {
	char **argv;
	const char *library;
	const char *run;
};

/**
 * struct child_result - exit status and times of a command
 * @begun: the command was executed; otherwise a message has been printed
 * @status: exit status, or 128 plus the signal that killed it; 127 or 126 if it
 *	was not found or not executed; 130 if it is still running
 * @signal: signal that killed it, or 0
 * @running: its process ID if it is still running after SIGINT; otherwise 0
 * @wall: seconds from start to end
 * @cpu: seconds of CPU time, with the children that it waited for
 * @kernel: part of @cpu in the kernel
 */
struct child_result {
	bool begun;
	int status;
	int signal;
	pid_t running;
	double wall;
	double cpu;
	double kernel;
};

/*
 * Run @child and wait for its end. A terminal sends SIGINT and SIGQUIT to the
 * child itself; otherwise SIGINT, SIGQUIT, SIGTERM and SIGHUP are passed on. The
 * wait ends early at a SIGINT that the child ignores, and at a second SIGINT
 * more than a second after the first.
 */
void profil_child_run(const struct child *child, struct child_result *result);

#endif
