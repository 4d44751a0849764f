// SPDX-License-Identifier: GPL-2.0-only
/*
 * first: how long START takes when no session has been there for a while, so that
 * the kernel has to be hooked, and how long when one has
 *
 * The time is that of the call, with what it waits for. Where it waits, a guest
 * that counts instructions is idle, and its clocks go on.
 */
#include "bench.h"
#include "method.h"

static const struct method *method;

static double time_of_start(void)
{
	__u64 begin = now_ns();
	double taken;

	method->start(method);
	taken = (double)(now_ns() - begin);
	method->stop(method);
	return taken;
}

static void measure(const char *name)
{
	struct series first = { 0 }, next = { 0 };
	unsigned int i;

	method = method_find(name);
	time_of_start(); /* this program's own first touch of its counters */
	for (i = 0; i < ROUNDS; i++) {
		/* the driver goes on for ten seconds after the last session */
		sleep_ns(12 * NSEC_PER_SEC);
		series_add(&first, time_of_start());
		series_add(&next, time_of_start());
	}
	series_print(&first, "start-first/%s", name);
	series_print(&next, "start-next/%s", name);
}

int main(void)
{
	measure("tick");
	measure("1khz");
	return 0;
}
