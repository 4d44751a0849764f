/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler tick as a clock: a hook on update_process_times(), which every
 * kernel calls on every tick, in hard interrupt context. Where it cannot be
 * hooked, and on CPUs whose tick stops (nohz_full), the timer stands in.
 */
#ifndef PROFIL_TICK_H
#define PROFIL_TICK_H

#include <linux/compiler.h>
#include <linux/tick.h>
#include <linux/types.h>

#include <linux/profil.h>

/* The PROFIL_CLOCK_* in use; constant from profil_tick_init() on. */
extern u32 profil_tick_source;

/* Whether the timer stands in for the tick anywhere on this machine. */
static inline bool timer_replaces_tick_somewhere(void)
{
	return profil_tick_source == PROFIL_CLOCK_TIMER ||
	       tick_nohz_full_enabled();
}

/* Whether it does on this CPU; preemption is off. */
static inline bool timer_replaces_tick(void)
{
	return profil_tick_source == PROFIL_CLOCK_TIMER ||
	       tick_nohz_full_cpu(raw_smp_processor_id());
}

/* The tick is hooked while this is attached. */
extern struct attachment profil_tick_attachment;

/* Whether a session with this period needs the tick on some CPU. */
static inline bool tick_needed(u64 period_ns)
{
	return !period_ns && profil_tick_source != PROFIL_CLOCK_TIMER;
}

/* Finds out which clock there is: hooks the tick, and waits for two ticks. */
int profil_tick_init(void);

#endif /* PROFIL_TICK_H */
