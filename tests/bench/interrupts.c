// SPDX-License-Identifier: GPL-2.0-only
/*
 * interrupts: timer interrupts per second that a sleeping program with a fast
 * session adds, on an idle CPU and under another program
 */
#include "bench.h"

#include "machines/interrupts.h"

#define TIMER "LOC:"

/* Interrupts per second of ten in which this process sleeps or works */
static double interrupts_while(void (*spend)(__u64 ns))
{
	long before = interrupts_of(TIMER, 0);

	spend(10 * NSEC_PER_SEC);
	return (double)(interrupts_of(TIMER, 0) - before) / 10;
}

static void start_session(void *method)
{
	((const struct method *)method)->start(method);
}

int main(void)
{
	struct series idle = { 0 }, other = { 0 };

	for (unsigned int i = 0; i < ROUNDS; i++) {
		double idle_before = interrupts_while(sleep_ns);
		double other_before = interrupts_while(work);
		pid_t sleeper = start_program(start_session,
					      (void *)method_find("1khz"));

		sleep_ns(NSEC_PER_SEC);
		series_add(&idle, interrupts_while(sleep_ns) - idle_before);
		series_add(&other, interrupts_while(work) - other_before);
		kill_child(sleeper);
	}
	series_print(&idle, "interrupts/idle-more");
	series_print(&other, "interrupts/other-more");
	return 0;
}
