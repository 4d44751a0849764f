/* SPDX-License-Identifier: GPL-2.0-only */
/* Methods: the profilers that are compared, and states of the module. */
#ifndef PROFIL_BENCH_METHOD_H
#define PROFIL_BENCH_METHOD_H

#include <stddef.h>
#include <stdint.h>

#include <linux/profil.h>
#include <linux/types.h>

#include "bench.h"

/**
 * struct method - a profiler, or a state of the module, whose cost is measured
 * @name: its name in results
 * @period_ns: the time between two samples; 0 for the tick's period
 * @argument: a number for @start, such as the number of regions
 * @start: starts to profile this process; exits after an error
 * @stop: stops profiling; returns the number of samples
 */
struct method {
	const char *name;
	__u64 period_ns;
	unsigned long argument;
	void (*start)(const struct method *method);
	__u64 (*stop)(const struct method *method);
};

/* Find a method by name, or die. */
const struct method *method_find(const char *name);

/* Sessions of the driver. @argument is the number of regions. */
void driver_start(const struct method *method);
__u64 driver_stop(const struct method *method);
/* The session of a descriptor that is attached to this process. */
void driver_start_attached(const struct method *method);
__u64 driver_stop_attached(const struct method *method);
/* A table for the whole machine; no @argument. */
void table_start(const struct method *method);
__u64 table_stop(const struct method *method);
/* A counter of each mode for each byte of the work's text; no @argument. */
void driver_start_split(const struct method *method);
/* Use @page for the counters, instead of a new page. */
void driver_use(void *page);
/* START with counters at @buffer, and STOP. */
void driver_cycle(void *buffer, size_t bytes);
/* A region: counters of two bytes at @base for @text */
struct profil_region driver_region(void *base, size_t bytes, uintptr_t text,
				   __u32 scale);
/* The wide text, with four bytes of counters for each byte */
#define WIDE_COUNTERS (4UL * WIDE_BYTES)
#define WIDE_REGION(pages) \
	driver_region(pages, WIDE_COUNTERS, (uintptr_t)wide_text, 0x40000)
/* Start and end a session of any regions. */
void driver_start_regions(const struct profil_region *list, unsigned int nr,
			  __u64 period_ns);
void driver_end(struct profil_stats *stats);
void driver_stats(struct profil_stats *stats);

/* Unload and load the driver; after that its hooks are not attached. */
void driver_unload(void);
void driver_load(void);

/* Load and unload a module. Without a profiler a tick counts as a sample. */
void module_load(const char *path, const char *parameters);
void module_unload(const char *name);

/* SIGPROF: the C library's profil(), and a POSIX timer. */
void libc_start(const struct method *method);
__u64 libc_stop(const struct method *method);
void signal_start(const struct method *method);
__u64 signal_stop(const struct method *method);

/* perf's cpu-clock, into a ring that stop reads. */
void ring_start(const struct method *method);
__u64 ring_stop(const struct method *method);

/* A BPF program that counts into an array, on cpu-clock or on the tick. */
void bpf_clock_start(const struct method *method);
void bpf_tick_start(const struct method *method);
__u64 bpf_stop(const struct method *method);

/* gperftools' profiler; needs its library. */
void gperftools_start(const struct method *method);
__u64 gperftools_stop(const struct method *method);

/* perf_event_open() of cpu-clock for this thread, for perf and BPF. */
int clock_event(__u64 period_ns);

#endif /* PROFIL_BENCH_METHOD_H */
