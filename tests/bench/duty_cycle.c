// SPDX-License-Identifier: GPL-2.0-only
/*
 * duty_cycle: samples of a program that works 1 ms in every 4, at eight phases,
 * in thousandths of the number that is due for its CPU time
 */
#include "bench.h"

#define CYCLE_NS (4 * NSEC_PER_MSEC)
#define CYCLES 1000

static double found(const struct method *method, __u64 period, __u64 phase)
{
	__u64 used, samples;

	settle(0);
	method->start(method);
	used = thread_ns();
	work_in_cycles((wall_ns() / CYCLE_NS + 2) * CYCLE_NS + phase, CYCLE_NS,
		       NSEC_PER_MSEC, CYCLES);
	used = thread_ns() - used;
	samples = method->stop(method);
	return 1000.0 * (double)(samples * period) / (double)used;
}

static void measure(const char *name, __u64 period)
{
	struct series shares = { 0 };

	for (unsigned int i = 0; i < 8; i++)
		series_add(&shares, found(method_find(name), period,
					  i * NSEC_PER_MSEC / 2 + 10000));
	series_print(&shares, "duty-cycle/%s", name);
}

int main(void)
{
	measure("1khz", NSEC_PER_MSEC);
	measure("tick", CYCLE_NS);
	return 0;
}
