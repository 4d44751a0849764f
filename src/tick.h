/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tick: a hook on update_process_times(), which every kernel calls on every scheduler
 * tick, in hard interrupt context. The timer replaces it where ftrace cannot hook that, and
 * on CPUs whose tick stops (nohz_full).
 */
#ifndef PROFIL_TICK_H
#define PROFIL_TICK_H

/*
 * Find the source of ticks: hook the tick, and wait for two ticks. EINVAL for an unknown
 * clock= parameter; with clock=ftrace ENODEV when the hook is not called, or the kernel
 * lacks dynamic ftrace, or an errno of profil_hook_attach(). Sleeps.
 */
int profil_tick_find(void);

struct hook;

extern struct hook profil_tick_hook;

#endif /* PROFIL_TICK_H */
