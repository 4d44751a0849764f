// SPDX-License-Identifier: GPL-2.0-only
/*
 * First example of AIX's monitor manual: the whole program, with -p, where
 * function pointers are addresses
 */
#include <stdlib.h>
#include <sys/types.h>

#include "examples.h"

#define FUNCTIONS 300

static volatile double sum;

int start(void)
{
	int range, numtics, size, in_front, calls = 0;
	HISTCOUNTER *buffer;

	range = etext - (caddr_t)start;
	numtics = NUM_HIST_COUNTERS(range);
	in_front = FUNCTIONS * sizeof(struct poutcnt) / HIST_COUNTER_SIZE;
	size = numtics + in_front;
	buffer = (HISTCOUNTER *)malloc(size * HIST_COUNTER_SIZE);
	if (!buffer)
		return -1;

	_mondata.prof_type = _PROF_TYPE_IS_P;
	if (monitor((caddr_t)start, (caddr_t)etext, buffer, size, FUNCTIONS))
		return -1;

	/* The manual has one place of the calls, and no pause. */
	while (calls < 1000)
		calls = work(work(calls + 1)) - 1;
	moncontrol(0);
	work(calls);
	moncontrol(1);
	while (!is_sampled(buffer + in_front, numtics))
		sum += 1;

	return monitor((caddr_t)0);
}

__attribute__((noinline)) int work(int from)
{
	for (int i = from; i < from + 1000; i++)
		sum += 1.0 / i;
	return from + 1;
}

/* Compiled with -pg, the program begins with the prof_type of gcrt0.o. */
int main(void)
{
	if (_mondata.prof_type != _PROF_TYPE_IS_PG)
		return EXIT_FAILURE;
	return start() ? EXIT_FAILURE : EXIT_SUCCESS;
}
