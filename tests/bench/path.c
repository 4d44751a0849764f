// SPDX-License-Identifier: GPL-2.0-only
/*
 * path tick|timer METHOD...: the instructions that a method adds to the path of an
 * interrupt, between the two points of the module stopwatch
 *
 * The path of a tick is compared with that of a tick without the module, and with
 * that of a tick whose hook finds no session; the path of a timer's interrupt with
 * that of an empty timer. Each path is the median of all interrupts of a round.
 */
#include "bench.h"

static double path_of(const struct method *method)
{
	double instructions;

	method->start(method);
	work(100 * NSEC_PER_MSEC); /* counters get their pages */
	instructions = path();
	method->stop(method);
	return instructions;
}

/* The hook stays attached after the first session. */
static double hooked(void)
{
	path_of(method_find("tick"));
	return path();
}

/* The ticks of a module that has had no session yet, and after one */
static void measure_hook(struct series *unhooked)
{
	struct series loaded = { 0 }, hook = { 0 };

	for (unsigned int i = 0; i < ROUNDS; i++) {
		double without, with;

		driver_unload();
		without = path();
		driver_load();
		with = path();
		series_add(unhooked, without);
		series_add(&loaded, with - without);
		series_add(&hook, hooked() - without);
	}
	series_print(&loaded, "path/loaded");
	series_print(&hook, "path/hook");
}

static void measure(const struct method *method, double base, double bare)
{
	struct series more = { 0 }, whole = { 0 };

	for (unsigned int i = 0; i < ROUNDS; i++) {
		double instructions = path_of(method);

		series_add(&more, instructions - base);
		series_add(&whole, instructions - bare);
	}
	series_print(&more, "path/%s", method->name);
	series_print(&whole, "path-whole/%s", method->name);
}

int main(int argc, char **argv)
{
	struct series bare = { 0 };
	bool tick = argc > 1 && !strcmp(argv[1], "tick");
	double base;

	module_load("/stopwatch.ko", tick ? "points=tick" : "points=timer");
	if (tick)
		measure_hook(&bare);
	base = tick ? hooked() : path_of(method_find("empty-timer-1khz"));
	if (!tick)
		series_add(&bare, base);
	for (int i = 2; i < argc; i++)
		measure(method_find(argv[i]), base, series_median(&bare));
	module_unload("stopwatch");
	return 0;
}
