/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory that /dev/profil_trace maps: the places of the driver that a thread has
 * reached, and what it has compared. For the kernel and for programs.
 *
 * The compiler calls a function of profil_trace.c at each place, that is, in each
 * basic block of a driver built with -fsanitize-coverage=trace-pc,trace-cmp. The
 * kernel's KCOV has the same functions, but records either places or comparisons.
 */
#ifndef PROFIL_TRACE_H
#define PROFIL_TRACE_H

#include <linux/types.h>

#define TRACE_DEVICE "/dev/profil_trace"

#define TRACE_STEPS 16384
#define TRACE_PAIRS 2048

/**
 * struct trace_pair - a comparison
 * @a: one operand
 * @b: the other operand
 */
struct trace_pair {
	__u64 a;
	__u64 b;
};

/**
 * struct trace - what the driver has executed
 * @task: the thread of @steps and @pairs, by its thread identifier
 * @nr_steps: elements of @steps; the program clears it
 * @nr_pairs: elements of @pairs; the program clears it
 * @steps: places that the thread has reached, as return addresses
 * @pairs: operands that the thread has compared
 */
struct trace {
	__u32 task;
	__u32 nr_steps;
	__u32 nr_pairs;
	__u32 reserved;
	__u64 steps[TRACE_STEPS];
	struct trace_pair pairs[TRACE_PAIRS];
};

#endif /* PROFIL_TRACE_H */
