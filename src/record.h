/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Outcomes: what a sample adds to the tally of its session. A sample whose
 * counter cannot be written at once is deferred: its PC waits in @pending for
 * the work of the session. In the end each sample is recorded, as a hit or as
 * outside, or lost.
 */
#ifndef PROFIL_RECORD_H
#define PROFIL_RECORD_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "counter.h"
#include "session.h"

/*
 * Record a sample by the @result of its counter. False: not to be recorded yet.
 */
bool profil_record_outcome(struct session *session, enum counter_result result);

/*
 * Hard interrupt, slot entered: record a sample at @pc, in a region, by the
 * @result of its counter; else defer the sample, and queue the work; else, with
 * no room in @pending, count the sample as lost. @kernel: the sample was taken
 * in kernel mode.
 */
void profil_record_or_defer(struct session *session, u64 pc, bool kernel,
			    enum counter_result result);

static inline void record_lost(struct session *session, u32 samples)
{
	atomic64_add(samples, &session->tally.lost);
}

#endif /* PROFIL_RECORD_H */
