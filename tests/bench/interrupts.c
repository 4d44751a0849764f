// SPDX-License-Identifier: GPL-2.0-only
/*
 * interrupts: timer interrupts per second that a sleeping program with a fast
 * session adds, on an idle CPU and under another program
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Interrupts per second of ten in which this process sleeps or works */
static double interrupts_while(void (*spend)(__u64 ns))
{
	unsigned long before = timer_interrupts();

	spend(10 * NSEC_PER_SEC);
	return (double)(timer_interrupts() - before) / 10;
}

static void start_session(void *method)
{
	((const struct method *)method)->start(method);
}

static pid_t start_sleeper(void)
{
	pid_t sleeper =
		start_program(start_session, (void *)method_find("1khz"));

	sleep_ns(NSEC_PER_SEC);
	return sleeper;
}

int main(void)
{
	struct series idle = { 0 }, other = { 0 };
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		double idle_before = interrupts_while(sleep_ns);
		double other_before = interrupts_while(work);
		pid_t sleeper = start_sleeper();

		series_add(&idle, interrupts_while(sleep_ns) - idle_before);
		series_add(&other, interrupts_while(work) - other_before);
		kill_program(sleeper);
	}
	series_print(&idle, "interrupts/idle-more");
	series_print(&other, "interrupts/other-more");
	return 0;
}
