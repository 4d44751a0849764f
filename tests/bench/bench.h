/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that the benchmarks share: work of a known length, clocks and
 * results.
 *
 * The benchmarks run in a guest that executes one instruction in each
 * nanosecond of its own clocks (tests/qemu/run -c), so nanoseconds are
 * instructions.
 */
#ifndef PROFIL_BENCH_H
#define PROFIL_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/types.h>

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

#define NSEC_PER_USEC 1000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_SEC 1000000000ULL

/* Rounds in each of three phases of the tick; a prime number. */
#define ROUNDS 7
#define PHASES 3
#define MAX_VALUES 8192

/* Print one sentence, and exit with status 1. */
__attribute__((noreturn, format(printf, 1, 2))) void die(const char *format,
							 ...);

__u64 now_ns(void);
__u64 cpu_ns(void);
void sleep_ns(__u64 ns);

/* Work in each cycle, @times, the first time at @begin of the monotonic clock. */
void work_in_cycles(__u64 begin, __u64 cycle_ns, __u64 work_ns,
		    unsigned int times);

/* Fork a program that calls @begin and sleeps; return its ID after the call. */
pid_t start_program(void (*begin)(void *data), void *data);
void kill_program(pid_t program);
void *new_pages(size_t bytes);
void *shared_page(void);

/*
 * Execute @instructions, a multiple of WORK_UNIT, in a loop without system
 * calls. The loop's text is WORK_BYTES at work_text.
 */
#define WORK_UNIT 1000
#define WORK_BYTES 4096
extern const char work_text[];
void work(__u64 instructions);

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

#endif /* PROFIL_BENCH_H */
