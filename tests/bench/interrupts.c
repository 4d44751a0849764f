// SPDX-License-Identifier: GPL-2.0-only
/*
 * interrupts: timer interrupts per second that a sleeping program with a fast
 * session adds, on an idle CPU and under another program
 */
#include "bench.h"
#include "method.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long timer_interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	unsigned long seen = 0;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		char *name = strstr(line, "LOC:");

		if (name)
			seen = strtoul(name + 4, NULL, 10);
	}
	if (!file)
		die("There is no /proc/interrupts.");
	fclose(file);
	return seen;
}

static double in_idleness(void)
{
	unsigned long before = timer_interrupts();

	sleep_ns(10 * NSEC_PER_SEC);
	return (double)(timer_interrupts() - before) / 10;
}

static double at_work(void)
{
	unsigned long before = timer_interrupts();

	work(10 * NSEC_PER_SEC);
	return (double)(timer_interrupts() - before) / 10;
}

static pid_t start_sleeper(void)
{
	const struct method *method = method_find("1khz");
	pid_t child = fork();

	if (!child) {
		method->start(method);
		for (;;)
			pause();
	}
	sleep_ns(NSEC_PER_SEC);
	return child;
}

int main(void)
{
	struct series idle = { 0 }, other = { 0 };
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		double idle_before = in_idleness(), other_before = at_work();
		pid_t sleeper = start_sleeper();

		series_add(&idle, in_idleness() - idle_before);
		series_add(&other, at_work() - other_before);
		kill(sleeper, SIGKILL);
		waitpid(sleeper, NULL, 0);
	}
	series_print(&idle, "interrupts/idle-more");
	series_print(&other, "interrupts/other-more");
	return 0;
}
