/* SPDX-License-Identifier: GPL-2.0-only */
/* Methods: the profilers that are compared, and states of the module. */
#ifndef PROFIL_BENCH_METHOD_H
#define PROFIL_BENCH_METHOD_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bench.h"

/**
 * struct method - something whose cost is measured
 * @name: what it is called in results
 * @period_ns: time between two samples
 * @argument: for @start, what the method makes of it
 * @start: have this process profiled; exits if that cannot be
 * @stop: end it; returns how many samples were taken
 */
struct method {
	const char *name;
	__u64 period_ns;
	unsigned long argument;
	void (*start)(const struct method *method);
	__u64 (*stop)(const struct method *method);
};

/* All that there are, by name; NULL for an unknown one. */
const struct method *method_find(const char *name);

/* The driver's sessions. @argument of these: the number of regions. */
void driver_start(const struct method *method);
__u64 driver_stop(const struct method *method);
/* The counters shall lie in this page, rather than in one of this file's own. */
void driver_use(void *page);
/* START with counters at @buffer, and STOP. */
void driver_cycle(void *buffer, size_t bytes);
/* A session over the wide text; driver_stop() ends it. */
#define WIDE_COUNTERS (4UL * WIDE_BYTES)
void driver_start_wide(__u64 period_ns, void *pages);
struct profil_stats;
void driver_stats(struct profil_stats *stats);

/* The module's presence: a sample is a tick. @argument: path of the module. */
void module_load(const char *path, const char *parameters);
void module_unload(const char *name);

/* SIGPROF: the C library's profil(), and a timer of one's own. */
void libc_start(const struct method *method);
__u64 libc_stop(const struct method *method);
void signal_start(const struct method *method);
__u64 signal_stop(const struct method *method);

/* perf's cpu-clock, to a ring that is read to the end. */
void ring_start(const struct method *method);
__u64 ring_stop(const struct method *method);

/* A BPF program that counts into an array: on cpu-clock, or on the tick. */
void bpf_clock_start(const struct method *method);
void bpf_tick_start(const struct method *method);
__u64 bpf_stop(const struct method *method);

/* gperftools' profiler, if its library is there. */
void gperftools_start(const struct method *method);
__u64 gperftools_stop(const struct method *method);

/* perf_event_open() of cpu-clock on this thread, for the two that use it. */
int clock_event(__u64 period_ns);

#endif /* PROFIL_BENCH_METHOD_H */
