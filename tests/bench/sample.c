// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample SUBJECT...: what a sample costs
 *
 * A loop of known length is run bare and profiled, in turn. The cost of a sample
 * is the time by which the second is longer, divided by the samples taken.
 */
#include "bench.h"
#include "subject.h"

#include <stdio.h>

#define LENGTH (5 * NSEC_PER_SEC)

static double elapsed(void)
{
	__u64 begin = now_ns();

	work(LENGTH);
	return (double)(now_ns() - begin);
}

static double bare(unsigned int phase)
{
	settle(phase);
	return elapsed();
}

static void measure(const struct subject *subject, unsigned int phase,
		    struct series *cost, struct series *delivered)
{
	double without = bare(phase), with;
	__u64 samples;

	settle(phase);
	subject->start(subject);
	with = elapsed();
	samples = subject->stop(subject);
	if (!samples)
		die("%s has taken no sample.", subject->name);
	series_add(cost, (with - without) / (double)samples);
	if (subject->period_ns)
		series_add(delivered, (double)samples *
					      (double)subject->period_ns /
					      with * 1000);
}

static void run(const struct subject *subject)
{
	struct series cost = { 0 }, delivered = { 0 };
	unsigned int phase, round;

	for (phase = 0; phase < PHASES; phase++)
		for (round = 0; round < ROUNDS; round++)
			measure(subject, phase, &cost, &delivered);
	series_print(&cost, "sample/%s", subject->name);
	if (delivered.nr)
		series_print(&delivered, "delivered/%s", subject->name);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		const struct subject *subject = subject_find(argv[i]);

		if (!subject)
			die("There is no subject '%s'.", argv[i]);
		run(subject);
	}
	return 0;
}
