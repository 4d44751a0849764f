/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the benchmarks: time, work, children, and methods of profiling */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include "common.h"

/*
 * Functions that the benchmarks share: work of a known length, clocks and
 * results.
 *
 * The benchmarks run in a guest that executes one instruction in each
 * nanosecond of its own clocks (tests/qemu/run -c), so nanoseconds are
 * instructions.
 */

/* Rounds in each of three phases of the tick; a prime number. */
#define ROUNDS 7
#define PHASES 3
#define MAX_VALUES 8192

/* Print one sentence, and exit with status 1. */
__attribute__((noreturn, format(printf, 1, 2))) void die(const char *format,
							 ...);

/* Work in each cycle, @times, the first time at @begin of the monotonic clock. */
void work_in_cycles(__u64 begin, __u64 cycle_ns, __u64 work_ns,
		    unsigned int times);

/* Fork a program that calls @begin and sleeps; return its ID after the call. */
pid_t start_program(void (*begin)(void *data), void *data);

/*
 * Execute @instructions, a multiple of WORK_UNIT, in a loop without system
 * calls. The loop's text is WORK_BYTES at work_text.
 */
#define WORK_UNIT 1000
#define WORK_BYTES 4096
extern const char work_text[];
void work(__u64 instructions);

/* The same in the innermost of @frames by frame pointers; 0: without a stack. */
void work_below(unsigned int frames, __u64 instructions);

/*
 * Execute a loop of WIDE_BYTES instructions of one byte each, @rounds times, and
 * measure the time.
 */
#define WIDE_BYTES 0x400000
extern const char wide_text[];
void wide_work(unsigned int rounds);
double wide_time(unsigned int rounds);

/* Sleep until the kernel is idle, and until a phase of the tick. */
void settle(unsigned int phase);

/*
 * The instructions between the two points of the module stopwatch, the median of
 * the timer interrupts of two seconds in which this process works.
 */
double path(void);

/* The values of all rounds of a measurement. */
struct series {
	unsigned int nr;
	double values[MAX_VALUES];
};

void series_add(struct series *series, double value);
double series_median(struct series *series);

/* Print a line "result NAME MEDIAN LOWEST HIGHEST". */
void series_print(struct series *series, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Methods: the profilers that are compared, and states of the module. */

/**
 * struct method - a profiler, or a state of the module, whose cost is measured
 * @name: its name in results
 * @period_ns: the time between two samples; 0 for the tick's period
 * @argument: a number for @start, such as the number of regions
 * @frames: the stack of the work; 0 for the work alone
 * @start: starts to profile this process; exits after an error
 * @stop: stops profiling; returns the number of samples
 */
struct method {
	const char *name;
	__u64 period_ns;
	unsigned long argument;
	unsigned int frames;
	void (*start)(const struct method *method);
	__u64 (*stop)(const struct method *method);
};

/* Find a method by name, or die. */
const struct method *method_find(const char *name);

/* Sessions of the driver. @argument is the number of regions. */
void driver_start(const struct method *method);
__u64 driver_stop(const struct method *method);
/* A table for the whole machine; no @argument. */
void table_start(const struct method *method);

/* The same for a tree with this process */
void tree_start(const struct method *method);
__u64 table_stop(const struct method *method);
/* Use @page for the counters, instead of a new page. */
void driver_use(void *page);
/* START with counters at @buffer, and STOP. */
void driver_cycle(void *buffer, size_t bytes);
/* The wide text, with four bytes of counters for each byte */
#define WIDE_COUNTERS (4UL * WIDE_BYTES)
#define WIDE_REGION(pages) region_of(pages, WIDE_COUNTERS, wide_text, 0x40000)
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

/*
 * perf's cpu-clock, into a ring that stop reads. @argument has the PERF_SAMPLE_* of a
 * sample beside its PC.
 */
void ring_start(const struct method *method);
__u64 ring_stop(const struct method *method);

/* A BPF program that counts into an array, on cpu-clock or on the tick. */
void bpf_clock_start(const struct method *method);
void bpf_tick_start(const struct method *method);

/* The same by user stacks, on cpu-clock */
void bpf_stack_start(const struct method *method);
__u64 bpf_stop(const struct method *method);

/* gperftools' profiler; needs its library. */
void gperftools_start(const struct method *method);
__u64 gperftools_stop(const struct method *method);

/*
 * perf_event_open() of cpu-clock for this thread, for perf and BPF: @sample_type beside the
 * PC
 */
int clock_event(__u64 period_ns, __u64 sample_type);

#endif /* TESTS_BENCH_H */
