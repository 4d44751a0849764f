/* SPDX-License-Identifier: GPL-2.0-only */
/* A report: shared memory in which a child stores results for its parent. */
#ifndef PROFIL_TEST_REPORT_H
#define PROFIL_TEST_REPORT_H

#include "common.h"

struct report {
	struct profil_totals totals;
	struct profil_stats stats[2];
	__u64 counter;
	volatile int ready;
};

struct report *new_report(void);

int start_with_totals(int fd, void *counters, __u64 period_ns,
		      struct profil_totals *totals);

bool has_session(int fd);

/*
 * Wait until all sessions of @totals have ended: a session may end shortly
 * after its process. False after TIMEOUT_NS, or if the totals do not add up.
 */
bool all_ended(volatile struct profil_totals *totals);

#endif /* PROFIL_TEST_REPORT_H */
