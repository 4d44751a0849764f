// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample METHOD...: the cost of a sample
 *
 * A loop of known length runs without and with a profiler, in turn. The cost of
 * a sample is the difference of the times, divided by the number of samples.
 */
#include "bench.h"

#define LENGTH (5 * NSEC_PER_SEC)

static double elapsed(const struct method *method)
{
	__u64 begin = wall_ns();

	work_below(method->frames, LENGTH);
	return (double)(wall_ns() - begin);
}

static double bare(const struct method *method, unsigned int phase)
{
	settle(phase);
	return elapsed(method);
}

static void measure(const struct method *method, unsigned int phase,
		    struct series *cost, struct series *delivered)
{
	double without = bare(method, phase), with;
	__u64 samples;

	settle(phase);
	method->start(method);
	with = elapsed(method);
	samples = method->stop(method);
	if (!samples)
		die("%s has taken no sample.", method->name);
	series_add(cost, (with - without) / (double)samples);
	if (method->period_ns)
		series_add(delivered, (double)samples *
					      (double)method->period_ns / with *
					      1000);
}

static void run(const struct method *method)
{
	struct series cost = { 0 }, delivered = { 0 };

	for (unsigned int phase = 0; phase < PHASES; phase++)
		for (unsigned int round = 0; round < ROUNDS; round++)
			measure(method, phase, &cost, &delivered);
	series_print(&cost, "sample/%s", method->name);
	if (delivered.nr)
		series_print(&delivered, "delivered/%s", method->name);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		run(method_find(argv[i]));
	return 0;
}
