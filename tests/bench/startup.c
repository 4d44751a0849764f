// SPDX-License-Identifier: GPL-2.0-only
/*
 * startup: what `profil run` adds to a process that does nothing
 *
 * Rounds without and with libprofil in a dynamically linked program alternate.
 * The run's file is like that of the command.
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "include/run_layout.h"

#define PROGRAM "/bench/nothing"
#define LIBRARY "/usr/local/lib/libprofil.so.1"
#define PROCESSES 20

static char variable[64];

static struct run *create_run(void)
{
	int fd = memfd_create("bench", 0);
	struct run *run;

	if (fd < 0 || ftruncate(fd, RUN_SIZE))
		die("Cannot create a sparse file: %s.", strerror(errno));
	run = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   0);
	if (run == MAP_FAILED)
		die("Cannot map the run's file: %s.", strerror(errno));
	run->space = run_align(sizeof(*run));
	run->magic = RUN_MAGIC;
	snprintf(variable, sizeof(variable), RUN_ENVIRONMENT "=/proc/%d/fd/%d",
		 getpid(), fd);
	return run;
}

static void run_once(char **environment)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execle(PROGRAM, PROGRAM, NULL, environment);
		_exit(1);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		die("Cannot execute %s.", PROGRAM);
}

static double time_of(char **environment)
{
	__u64 begin = now_ns();
	int i;

	for (i = 0; i < PROCESSES; i++)
		run_once(environment);
	return (double)(now_ns() - begin) / PROCESSES;
}

int main(void)
{
	char *with[3] = { "LD_PRELOAD=" LIBRARY, variable, NULL };
	char *without[1] = { NULL };
	struct series plain = { 0 }, more = { 0 };
	struct run *run = create_run();
	int round;

	time_of(with); /* the driver hooks the kernel, and texts are added */
	for (round = 0; round < ROUNDS; round++) {
		double bare = time_of(without);

		series_add(&plain, bare);
		series_add(&more, time_of(with) - bare);
	}
	if (run->starts != (ROUNDS + 1) * PROCESSES || run->failed)
		die("Only %u processes were profiled.", run->starts);
	series_print(&plain, "startup/without");
	series_print(&more, "startup/more");
	return 0;
}
