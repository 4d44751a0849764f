/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Needs: which attachments a session needs. Every session needs that of fork.c,
 * and those of the clocks that serve it. A set of needs is a mask of BIT(need).
 */
#ifndef PROFIL_NEEDS_H
#define PROFIL_NEEDS_H

#include <linux/types.h>

struct attachment;

enum need {
	NEED_FORK,
	NEED_TICK,
	NEED_TIMER,
	NEED_ATTACHED_TIMER,
};

/* Enter the attachment that serves a need; while the module is loaded. */
void profil_needs_provide(enum need need, struct attachment *attachment);

/*
 * What a session with this period needs, 0 for that of the tick. @attached: it
 * samples the targets of a descriptor.
 */
unsigned int profil_needs_of(u64 period_ns, bool attached);

/*
 * Attach what serves @needs. 0, EINTR for a fatal signal, or the errno of the
 * attachment that failed: EBUSY when ftrace is switched off. Sleeps.
 */
int profil_needs_get(unsigned int needs);

/*
 * Take further references where a parent is known to have had them. Any
 * context. False if the parent has dropped the last ones.
 */
bool profil_needs_tryget(unsigned int needs);

/* Undo either. Any context. */
void profil_needs_put(unsigned int needs);

/* No session is left: detach all attachments, and wait for probes. Sleeps. */
void profil_needs_exit(void);

#endif /* PROFIL_NEEDS_H */
