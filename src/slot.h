/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slots: which session each CPU is sampling now. Tick and timer are hard interrupts and do
 * not nest: one slot for each CPU is enough.
 *
 * A sample enters the slot of its CPU, then reads whether the session runs and which pages
 * the counters have. A caller of profil_slot_wait() first changes one of these, then reads
 * the slots. Both have a full barrier between the two steps, so a sample that the caller
 * does not see has seen the change.
 */
#ifndef PROFIL_SLOT_H
#define PROFIL_SLOT_H

#include <linux/compiler.h>
#include <linux/percpu.h>

#include <asm/barrier.h>

struct session;

DECLARE_PER_CPU(const struct session *, profil_slot);

/* Hard interrupt: @session is being sampled on this CPU, until slot_leave(). */
static __always_inline void slot_enter(const struct session *session)
{
	/* profil_slot_wait() reads it at any time. */
	WRITE_ONCE(*this_cpu_ptr(&profil_slot), session);
	smp_mb(); /* pairs with profil_slot_wait() */
}

static __always_inline void slot_leave(void)
{
	/* The counter has been written. */
	smp_store_release(this_cpu_ptr(&profil_slot), NULL);
}

/*
 * Wait until no CPU is in a sample of @session that began before the call. The wait is
 * short. Not to be called from a sample, nor with the raw locks of the session held.
 */
void profil_slot_wait(const struct session *session);

#endif /* PROFIL_SLOT_H */
