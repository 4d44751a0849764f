/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Needs: which attachments a session needs, by its period. All need fork's; then
 * there are the clocks'.
 */
#ifndef PROFIL_NEEDS_H
#define PROFIL_NEEDS_H

#include <linux/types.h>

/*
 * Have them attached for a session with this period, 0 for the tick's. 0, EINTR
 * for a fatal signal, or the errno of the one that cannot be attached: EBUSY
 * when ftrace is switched off. Sleeps.
 */
int profil_needs_get(u64 period_ns);

/* The same for a forked child: any context. False if its parent has ended. */
bool profil_needs_tryget(u64 period_ns);

/* Undo either. Any context. */
void profil_needs_put(u64 period_ns);

/* No session is left: nothing attached remains. */
void profil_needs_exit(void);

#endif /* PROFIL_NEEDS_H */
