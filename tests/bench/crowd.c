// SPDX-License-Identifier: GPL-2.0-only
/*
 * crowd N...: what a sample at the tick costs while N other programs have
 * sessions, too, and what memory each of these takes
 */
#include "bench.h"
#include "subject.h"

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
	const struct subject *subject = subject_find("tick");

	setpgid(0, 0);
	driver_use(shared_page());
	if (sessions)
		subject->start(subject);
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

static unsigned long free_kib(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	unsigned long kib = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "MemFree:", 8))
			kib = strtoul(line + 8, NULL, 10);
	if (file)
		fclose(file);
	return kib;
}

static unsigned long taken_by(unsigned int nr, bool sessions)
{
	unsigned long before, after;
	pid_t leader;

	sleep_ns(10 * NSEC_PER_SEC);
	before = free_kib();
	leader = gather(nr, sessions);
	sleep_ns(10 * NSEC_PER_SEC);
	after = free_kib();
	disperse(leader);
	return before - after;
}

/* In the first round caches and slabs grow that the others find. */
static void measure_memory(unsigned int nr)
{
	struct series bytes = { 0 };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		double without = (double)taken_by(nr, false);
		double with = (double)taken_by(nr, true);

		if (i)
			series_add(&bytes, (with - without) * 1024 / nr);
	}
	series_print(&bytes, "memory/session-bytes");
}

static void measure_samples(unsigned int nr)
{
	const struct subject *subject = subject_find("tick");
	struct series cost = { 0 };
	pid_t leader = gather(nr, true);
	unsigned int i;

	for (i = 0; i < 3 * ROUNDS; i++) {
		double without = elapsed(), with;

		subject->start(subject);
		with = elapsed();
		series_add(&cost,
			   (with - without) / (double)subject->stop(subject));
	}
	series_print(&cost, "crowd/%u", nr);
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
