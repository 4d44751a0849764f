/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CHILD_H
#define PROFIL_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child - a program to be run with the library preloaded
 * @argv: its name and arguments, ended by NULL
 * @library: path of the library
 * @run: value of the environment variable that names the run's file
 */
struct child {
	char **argv;
	const char *library;
	const char *run;
};

/**
 * struct child_result - how a command ended
 * @begun: whether it could be executed; if not, that has been said
 * @status: its exit status, or 128 and the number of the signal that killed it;
 *	127 or 126 if it could not be found or executed; 130 if it goes on
 * @signal: the signal that killed it, or 0
 * @running: its process ID if it goes on, because SIGINT ended the waiting
 * @wall: seconds from its beginning to its end
 * @cpu: seconds of CPU time that it and the children that it waited for took
 * @kernel: how many of them in the kernel
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
 * Run @child and wait for its end. SIGINT and SIGQUIT of a terminal are left
 * to it; all others of SIGINT, SIGQUIT, SIGTERM and SIGHUP are passed on. If it
 * ignores SIGINT, or another comes a second after the first, it is not waited
 * for any longer.
 */
void profil_child_run(const struct child *child, struct child_result *result);

#endif
