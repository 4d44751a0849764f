// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#include <linux/perf_event.h>

#define TICK_NS (4 * NSEC_PER_MSEC)
#define KHZ(n) (NSEC_PER_MSEC / (n))

static __u64 loaded_since;

static void none_start(const struct method *method)
{
	(void)method;
	loaded_since = wall_ns();
}

/* Without a profiler each tick counts as a sample. */
static __u64 none_stop(const struct method *method)
{
	return (wall_ns() - loaded_since) / method->period_ns;
}

static void empty_start(const struct method *method)
{
	module_load("/emptytimer.ko", "");
	none_start(method);
}

static __u64 empty_stop(const struct method *method)
{
	__u64 samples = none_stop(method);

	module_unload("emptytimer");
	return samples;
}

static const struct method methods[] = {
	{ "tick", 0, 1, 0, driver_start, driver_stop },
	{ "tick-16-regions", 0, 16, 0, driver_start, driver_stop },
	{ "tick-256-regions", 0, 256, 0, driver_start, driver_stop },
	{ "tick-4096-regions", 0, 4096, 0, driver_start, driver_stop },
	{ "1khz", KHZ(1), 1, 0, driver_start, driver_stop },
	{ "10khz", KHZ(10), 1, 0, driver_start, driver_stop },
	{ "tick-table", 0, 0, 0, table_start, table_stop },
	{ "1khz-table", KHZ(1), 0, 0, table_start, table_stop },
	{ "tick-tree", 0, 0, 0, tree_start, table_stop },
	{ "1khz-tree", KHZ(1), 0, 0, tree_start, table_stop },
	{ "empty-timer-1khz", KHZ(1), 0, 0, empty_start, empty_stop },
	{ "libc-tick", 0, 0, 0, libc_start, libc_stop },
	{ "sigprof-1khz", KHZ(1), 0, 0, signal_start, signal_stop },
	{ "perf-tick", TICK_NS, 0, 0, ring_start, ring_stop },
	{ "perf-1khz", KHZ(1), 0, 0, ring_start, ring_stop },
	{ "bpf-clock-tick", TICK_NS, 0, 0, bpf_clock_start, bpf_stop },
	{ "bpf-clock-1khz", KHZ(1), 0, 0, bpf_clock_start, bpf_stop },
	{ "bpf-tick", 0, 0, 0, bpf_tick_start, bpf_stop },
	{ "perf-frames-17", TICK_NS, PERF_SAMPLE_CALLCHAIN, 17, ring_start,
	  ring_stop },
	{ "perf-copy-17", TICK_NS,
	  PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER, 17, ring_start,
	  ring_stop },
	{ "bpf-stack-17", TICK_NS, 0, 17, bpf_stack_start, bpf_stop },
	{ "gperftools-tick", TICK_NS, 0, 0, gperftools_start, gperftools_stop },
};

const struct method *method_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(methods); i++)
		if (!strcmp(methods[i].name, name))
			return &methods[i];
	die("There is no method '%s'.", name);
}
