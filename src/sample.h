/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: from a clock's interrupt to a session. A clock knows nothing of
 * sessions beyond this.
 */
#ifndef PROFIL_SAMPLE_H
#define PROFIL_SAMPLE_H

#include <linux/types.h>

#include "registry.h"

struct mm_struct;
struct session;

void sample_tick_of_session(void);

/* Hard interrupt, the scheduler tick: for sessions on the tick's period. */
static inline void sample_tick(void)
{
	if (!registry_empty())
		sample_tick_of_session();
}

/*
 * Hard interrupt, this CPU's timer: for sessions that the timer serves here.
 * Returns the nanoseconds to the next sample, 0 if current has no such session.
 */
u64 sample_timer(void);

/*
 * The period in nanoseconds at which the timer of this CPU serves @mm's
 * session, or 0. With interrupts off, any context.
 */
u64 sample_timer_period(const struct mm_struct *mm);

/*
 * Wait until no CPU is in a sample of @session that began before. Short, since
 * samples neither sleep nor wait; never from a sample, or with the session's
 * raw locks held.
 */
void sample_wait(const struct session *session);

#endif /* PROFIL_SAMPLE_H */
