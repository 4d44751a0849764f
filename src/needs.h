/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Needs: which attachments a session needs, by its period. Every session needs
 * that of fork.c, and those of the clocks that serve it.
 */
#ifndef PROFIL_NEEDS_H
#define PROFIL_NEEDS_H

#include <linux/types.h>

struct attachment;

enum need {
	NEED_FORK,
	NEED_TICK,
	NEED_TIMER,
};

/* Enter the attachment that serves a need; while the module is loaded. */
void profil_needs_provide(enum need need, struct attachment *attachment);

/*
 * Attach what a session with this period needs, 0 for that of the tick. 0,
 * EINTR for a fatal signal, or the errno of the attachment that failed: EBUSY
 * when ftrace is switched off. Sleeps.
 */
int profil_needs_get(u64 period_ns);

/*
 * Take further references where a parent is known to have had them. Any
 * context. False if the parent has dropped the last ones.
 */
bool profil_needs_tryget(u64 period_ns);

/* Undo either. Any context. */
void profil_needs_put(u64 period_ns);

/*
 * The attachment of fork.c alone, for an observer that follows forks between
 * its sessions, too. Errors of profil_needs_get(). Sleeps; any context.
 */
int profil_needs_get_fork(void);
void profil_needs_put_fork(void);

/* No session is left: detach all attachments, and wait for probes. Sleeps. */
void profil_needs_exit(void);

#endif /* PROFIL_NEEDS_H */
