/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler tick as a clock: a hook on update_process_times(), which every
 * kernel calls on every tick, in hard interrupt context. Where it cannot be
 * hooked, and on CPUs whose tick stops (nohz_full), the timer stands in.
 */
#ifndef PROFIL_TICK_H
#define PROFIL_TICK_H

/*
 * Find a source of ticks: hook the tick by each candidate, and wait for two
 * ticks. EINVAL for an unknown clock= parameter, else the errno of the last
 * candidate. Sleeps.
 */
int profil_tick_init(void);

#endif /* PROFIL_TICK_H */
