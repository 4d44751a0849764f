/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clocks: the scheduler tick and the timer, and which of the two serves a session, on each
 * CPU for itself.
 */
#ifndef PROFIL_CLOCK_H
#define PROFIL_CLOCK_H

#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/smp.h>
#include <linux/tick.h>
#include <linux/types.h>

#include <linux/profil.h>

#include "config.h"
#include "session.h"

/* The PROFIL_CLOCK_* that delivers ticks; set by profil_tick_find(), in config.c. */
extern u32 profil_clock_tick_source;

/* Does a session with @period_ns need the tick on any CPU? */
static inline bool clock_needs_tick(u64 period_ns)
{
	return !period_ns && profil_clock_tick_source != PROFIL_CLOCK_TIMER;
}

/* Does a session with @period_ns need the timer on any CPU? */
static inline bool clock_needs_timer(u64 period_ns)
{
	return period_ns || profil_clock_tick_source == PROFIL_CLOCK_TIMER ||
	       tick_nohz_full_enabled();
}

/* Does a tick of this CPU serve samples with @period_ns? */
static inline bool clock_tick_serves(u64 period_ns)
{
	return !period_ns && !tick_nohz_full_cpu(raw_smp_processor_id());
}

/*
 * The nanoseconds between samples by the timer of this CPU; 0 if the tick serves them.
 * Interrupts are off, any context.
 */
static inline u64 clock_period_here(u64 period_ns)
{
	if (period_ns)
		return period_ns;
	if (profil_clock_tick_source == PROFIL_CLOCK_TIMER ||
	    !clock_tick_serves(period_ns))
		return TICK_NSEC;
	return 0;
}

/* The same for a session; 0 also if that is NULL or no longer running. */
static inline u64 clock_timer_period(const struct session *session)
{
	if (!session || !READ_ONCE(session->running))
		return 0;
	return clock_period_here(session->config->period_ns);
}

#endif /* PROFIL_CLOCK_H */
