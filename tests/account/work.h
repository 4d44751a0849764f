/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The work of a round, its sessions, and what each session has counted.
 */
#ifndef ACCOUNT_WORK_H
#define ACCOUNT_WORK_H

#include "common.h"
#include "random.h"

#define REGIONS_MAX 8

/**
 * struct plan - a session to start
 * @width: bytes of a counter
 * @period_ns: period
 * @nr_regions: number of equal parts of the sites, one region each
 * @without: the part that has no region, or @nr_regions
 */
struct plan {
	__u32 width;
	__u64 period_ns;
	__u32 nr_regions;
	__u32 without;
};

/**
 * struct outcome - what a session has counted
 * @error: 0, or the negative errno of a call that has failed
 * @stats: from STOP
 * @sum: of all counters
 * @elsewhere: sum of the counters of sites at which no thread has spun
 * @most: number of samples that the CPU clock of the process allows
 * @interrupts: number of interrupts of the timer that found the process
 */
struct outcome {
	int error;
	struct profil_stats stats;
	__u64 sum;
	__u64 elsewhere;
	__u64 most;
	__u64 interrupts;
};

/**
 * struct work - threads that spin, one at each site
 * @nr: number of threads
 * @first: site of the first thread
 * @ns: time that the threads spin
 */
struct work {
	unsigned int nr;
	unsigned int first;
	__u64 ns;
};

/* The shortest period of plan_draw() on this machine, in microseconds */
unsigned int shortest_period_us(void);

struct plan plan_draw(struct stream *stream);
struct work work_draw(struct stream *stream);

/* Start the session of @plan. 0 or a negative errno. */
int plan_start(int fd, const struct plan *plan, void *counters);

/* Stop a session, and read its counters. */
void outcome_take(struct outcome *outcome, int fd, const struct plan *plan,
		  const struct work *work, const void *counters);

/* True if the samples of @outcome are all accounted for. */
bool outcome_adds_up(const struct outcome *outcome);

/* Do @work: threads that spin. 0 or a negative errno. */
int work_do(const struct work *work);

/*
 * The number of samples that is due at most in a process that has used @ns of CPU
 * time and was taken from CPUs @switches times. Each interval of one period has one
 * sample time, and the first and the last interval on a CPU may be incomplete.
 */
__u64 samples_at_most(__u64 ns, __u64 switches, __u64 period_ns);

#endif /* ACCOUNT_WORK_H */
