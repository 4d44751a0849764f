// SPDX-License-Identifier: GPL-2.0-only
/*
 * many_sessions N...: what a sample at the tick costs while N other programs
 * have sessions, too, and what memory each of these takes
 */
#include "bench.h"
#include "method.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LENGTH (5 * NSEC_PER_SEC)

static double elapsed(void)
{
	__u64 begin;

	settle(0);
	begin = now_ns();
	work(LENGTH);
	return (double)(now_ns() - begin);
}

/* Forks the others, which sleep, and then sleeps itself. */
static void lead(unsigned int nr, bool sessions, int ready)
{
	const struct method *method = method_find("tick");

	setpgid(0, 0);
	driver_use(shared_page());
	if (sessions)
		method->start(method);
	while (nr--) {
		pid_t child = fork();

		if (child < 0)
			die("Cannot fork: give the guest more memory.");
		if (!child)
			break;
	}
	if (nr == -1U && write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static pid_t gather(unsigned int nr, bool sessions)
{
	int ready[2];
	pid_t leader;
	char byte;

	if (pipe(ready))
		die("Cannot make a pipe.");
	leader = fork();
	if (!leader)
		lead(nr, sessions, ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		die("The crowd has not come together.");
	close(ready[0]);
	return leader;
}

/* The rest of the crowd is init's to wait for. */
static void disperse(pid_t leader)
{
	kill(-leader, SIGKILL);
	waitpid(leader, NULL, 0);
	sleep_ns(10 * NSEC_PER_SEC);
}

/* What the kernel has charged to the crowd's control group, in bytes */
static double charged(void)
{
	FILE *file = fopen("/cgroup/sessions/memory.current", "r");
	double bytes;

	if (!file || fscanf(file, "%lf", &bytes) != 1)
		die("There is no control group for memory at /cgroup/sessions.");
	fclose(file);
	return bytes;
}

/* This process, and so those that it forks from now on, into a control group. */
static void enter(const char *group)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/cgroup/%s/cgroup.procs", group);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%d", getpid()) < 0 || fclose(file))
		die("The control group %s takes nobody.", group);
}

static double taken_by(unsigned int nr, bool sessions)
{
	pid_t leader;
	double bytes;

	enter("sessions");
	bytes = charged();
	leader = gather(nr, sessions);
	sleep_ns(2 * NSEC_PER_SEC);
	bytes = charged() - bytes;
	disperse(leader);
	enter(".");
	return bytes;
}

/* In the first round caches and slabs grow that the others find. */
static void measure_memory(unsigned int nr)
{
	struct series bytes = { 0 };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		double without = taken_by(nr, false);
		double with = taken_by(nr, true);

		if (i)
			series_add(&bytes, (with - without) / nr);
	}
	series_print(&bytes, "memory/session-bytes");
}

static void measure_samples(unsigned int nr)
{
	const struct method *method = method_find("tick");
	struct series cost = { 0 };
	pid_t leader = gather(nr, true);
	unsigned int i;

	for (i = 0; i < 3 * ROUNDS; i++) {
		double without = elapsed(), with;

		method->start(method);
		with = elapsed();
		series_add(&cost,
			   (with - without) / (double)method->stop(method));
	}
	series_print(&cost, "many-sessions/%u", nr);
	disperse(leader);
}

int main(int argc, char **argv)
{
	int i;

	measure_memory(1000);
	for (i = 1; i < argc; i++)
		measure_samples((unsigned int)strtoul(argv[i], NULL, 10));
	return 0;
}
