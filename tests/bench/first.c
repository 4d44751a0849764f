// SPDX-License-Identifier: GPL-2.0-only
/*
 * first: the duration of the first START of a module, when the kernel has to be
 * hooked, and of a later one
 *
 * The duration includes waiting: the clocks of a guest that counts instructions
 * run while it is idle.
 */
#include "bench.h"

static const struct method *method;

static double time_of_start(void)
{
	__u64 begin = wall_ns();
	double taken;

	method->start(method);
	taken = (double)(wall_ns() - begin);
	method->stop(method);
	return taken;
}

static void measure(const char *name)
{
	struct series first = { 0 }, next = { 0 };

	method = method_find(name);
	time_of_start(); /* the counters get their pages */
	for (unsigned int i = 0; i < ROUNDS; i++) {
		driver_unload();
		driver_load();
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
