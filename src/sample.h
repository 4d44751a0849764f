/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: from a clock's interrupt to a session. A clock knows nothing of
 * sessions beyond this.
 */
#ifndef PROFIL_SAMPLE_H
#define PROFIL_SAMPLE_H

#include <linux/jiffies.h>
#include <linux/types.h>

#include "config.h"
#include "registry.h"
#include "session.h"
#include "tick.h"

/* Hard interrupt, the scheduler tick: for sessions on the tick's period. */
void profil_sample_tick(void);

/*
 * Hard interrupt, this CPU's timer: for sessions that the timer serves here.
 * Returns the nanoseconds to the next sample, 0 if current has no such session.
 */
u64 profil_sample_timer(void);

/* Which clock serves a session is decided for each CPU. */
static inline u64 sample_period(const struct session *session)
{
	if (session->config->period_ns)
		return session->config->period_ns;
	return timer_replaces_tick() ? TICK_NSEC : 0;
}

/*
 * The period in nanoseconds at which the timer of this CPU serves @session, which
 * may be NULL; 0 if it does not. With interrupts off, any context.
 */
static inline u64 sample_timer_period(const struct session *session)
{
	if (!session || !READ_ONCE(session->running))
		return 0;
	return sample_period(session);
}

/*
 * Wait until no CPU is in a sample of @session that began before. Short, since
 * samples neither sleep nor wait; never from a sample, or with the session's
 * raw locks held.
 */
void profil_sample_wait(const struct session *session);

#endif /* PROFIL_SAMPLE_H */
