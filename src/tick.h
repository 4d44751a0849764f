/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tick: a hook on update_process_times(), which every kernel calls on every
 * scheduler tick, in hard interrupt context. The timer replaces the tick where
 * the function cannot be hooked, and on CPUs whose tick stops (nohz_full).
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
